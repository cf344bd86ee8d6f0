package upgrade

import (
	"context"
	"fmt"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/normalize"
)

// Kept are edits that keep today's behaviour under a new release.
type Kept struct {
	// Files are those that change, in the order in which they were loaded.
	Files []emit.Rewritten
	// Result is the edited gateway, compiled as the new release runs it.
	Result *emit.Result
	// Losses are what cannot be kept, and why.
	Losses []Loss
	// Changing is the number of routes of which something changes without the
	// edits; all but those of Losses are as today with them.
	Changing int
}

// Loss is something that cannot be kept.
type Loss struct {
	// Route is the ID of the route; "" for the gateway as a whole.
	Route string
	Cause Cause
	// Text says why.
	Text string
	// At is where the route is written, in the edited text.
	At *change.Place
}

// Keep returns the edits with which a gateway behaves under the new release as it
// does today, as far as a file can say it, and compiles the edited files to see
// what is left. Both results are of the same input, as for Compare. It returns
// emit.ErrNotJSON where a text is not JSON.
func Keep(ctx context.Context, from, to *emit.Result) (*Kept, error) {
	if !from.Readable() || !to.Readable() {
		return nil, fmt.Errorf("keep what %s does: %w", to.Input.Name, emit.ErrNotJSON)
	}
	k := &keeping{crossing: newCrossing(from, to), editor: normalize.NewEditor(to.Loaded.Tree),
		today: effectsOf(from), new: effectsOf(to), done: make([]bool, len(from.Gateway.Routes))}
	k.match()
	kept := &Kept{Changing: k.changing()}
	if kept.Changing > 0 || from.Starts() && !to.Starts() || k.others() {
		k.edit()
	}
	files, result, err := emit.Edited(ctx, to, k.editor.Edits())
	if err != nil {
		return nil, fmt.Errorf("keep what %s does: %w", to.Input.Name, err)
	}
	kept.Files, kept.Result = files, result
	kept.Losses = k.losses(result)
	return kept, nil
}

// keeping is the state of one Keep.
type keeping struct {
	*crossing
	editor *normalize.Editor
	// today and new are the effects by position in the gateways of both results;
	// newAt are the positions in the new one by those of today's, -1: not there.
	today, new []effect
	newAt      []int
	// done are today's routes of which nothing more has to be written.
	done []bool
}

// match finds the routes of today's gateway in the new one: by kind and place in
// the file, which both read.
func (k *keeping) match() { k.newAt = positions(k.from.Gateway, k.to.Gateway) }

func positions(from, to *normalize.Gateway) []int {
	type key struct {
		kind  normalize.Kind
		index int
	}
	at := make(map[key]int, len(to.Routes))
	for i := range to.Routes {
		at[key{to.Routes[i].Kind, to.Routes[i].Index}] = i
	}
	all := make([]int, len(from.Routes))
	for i := range from.Routes {
		j, ok := at[key{from.Routes[i].Kind, from.Routes[i].Index}]
		if !ok {
			j = -1
		}
		all[i] = j
	}
	return all
}

// changing counts the routes that differ.
func (k *keeping) changing() int {
	n := 0
	for i := range k.today {
		if k.changes(i) {
			n++
		}
	}
	return n
}

func (k *keeping) changes(i int) bool {
	j := k.newAt[i]
	return j < 0 || len(k.today[i].differences(&k.new[j])) > 0
}

// others says whether something else than QoS differs.
func (k *keeping) others() bool {
	r := change.Compare(change.OfResult(k.from), change.OfResult(k.to))
	return len(r.Settings)+len(r.Routes)+len(r.Requests) > 0
}
