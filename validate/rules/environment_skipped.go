package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

func environmentSkipped() *validate.Rule {
	return &validate.Rule{
		Name:     "environment-skipped",
		Summary:  "The merge leaves out the environment's file, or takes in those of other environments.",
		Severity: diag.Warning,
		Category: validate.Files,
		Check:    wording(wordEnvironment, load.EnvironmentSkipped, load.OtherEnvironment),
	}
}

// wordEnvironment has no place for the file that is left out: it is not read.
func wordEnvironment(p *validate.Pass, note *load.Note) diag.Diagnostic {
	d := diag.Diagnostic{
		Message: fmt.Sprintf("the merge leaves out %s, because it is named like the environment", note.Text),
		Effect:  "Ocelot starts without what stands in it",
		Help:    "load it after the merge by AddJsonFile, or give it another name",
		Cause:   note.File,
	}
	if note.Kind == load.OtherEnvironment {
		d.Message = fmt.Sprintf("%s takes part in the merge, though it is named like another environment", note.Text)
		d.Effect = "Ocelot serves its routes in this environment too"
		d.Help = "keep the files of environments in another folder"
		d.Span = startOf(p, note.File)
	}
	return d
}

// startOf is the first character of a file's root.
func startOf(p *validate.Pass, name string) source.Span {
	for i := range p.Loaded.Texts {
		text := &p.Loaded.Texts[i]
		if text.File == nil || text.File.Name != name || text.Root == 0 {
			continue
		}
		span := p.Loaded.Tree.Span(text.Root)
		span.End = min(span.End, span.Start+1)
		return span
	}
	return source.Span{}
}
