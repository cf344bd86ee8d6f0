package project

import (
	"fmt"
	"path"
	"reflect"
	"strings"
)

// agree puts several gateways that may own a folder together: what they all say
// is known, and what they say differently has to be asked for.
func agree(found []*Project) *Project {
	out := *found[0]
	out.Doubts = nil
	out.Packages = nil
	for _, p := range found {
		out.Packages = append(out.Packages, p.Packages...)
		out.Doubts = append(out.Doubts, p.Doubts...)
	}
	same(&out, found, Ocelot, func(p *Project) *Fact[string] { return &p.Ocelot })
	same(&out, found, Provider, func(p *Project) *Fact[string] { return &p.Provider })
	same(&out, found, Load, func(p *Project) *Fact[string] { return &p.Load })
	same(&out, found, Section, func(p *Project) *Fact[string] { return &p.Section })
	same(&out, found, Schemes, func(p *Project) *Fact[[]string] { return &p.Schemes })
	same(&out, found, Discovery, func(p *Project) *Fact[bool] { return &p.Discovery })
	return &out
}

// same keeps a fact on which all agree.
func same[T any](out *Project, found []*Project, o Option, fact func(*Project) *Fact[T]) {
	first := fact(found[0])
	differ := false
	var places []Place
	var answers []string
	for _, p := range found {
		f := fact(p)
		differ = differ || f.Known != first.Known || !reflect.DeepEqual(f.Value, first.Value)
		answer := "not known"
		if f.Known {
			answer = fmt.Sprint(f.Value)
			places = append(places, f.At...)
		}
		answers = append(answers, path.Base(p.File)+": "+answer)
	}
	if !differ {
		return
	}
	*fact(out) = Fact[T]{}
	question := o == Ocelot || o == Provider
	out.Doubts = append(out.Doubts, Doubt{Option: o, At: places, Question: question,
		Text: fmt.Sprintf("%d projects use Ocelot here, and they differ: %s", len(found), strings.Join(answers, "; "))})
}
