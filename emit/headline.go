package emit

import (
	"fmt"
	"strings"
)

// Headline returns the first line of every report about a result: which files,
// read how, and whose answer it is. origin says where the profile came from,
// such as "--ocelot"; "" is nowhere.
func Headline(r *Result, origin string) string {
	parts := []string{r.Input.Name}
	// An assumption names the folder that it is about.
	if assumption := r.Input.Plan.Assumption; assumption != "" {
		parts[0] = assumption
	}
	whose := r.Profile.String()
	switch {
	case r.Profile.Documented() && origin == "":
		whose += " (say --ocelot VERSION for yours)"
	case origin != "":
		whose += " (" + origin + ")"
	}
	return strings.Join(append(parts, whose), " · ")
}

// remarks are what belongs under the first line: that Ocelot does not start, and
// what the release asked for is known to do in another way.
func (r *Result) remarks() []string {
	var all []string
	if text := r.Profile.Caveat(); text != "" {
		all = append(all, "not followed: "+text)
	}
	if text := r.refusal(); text != "" {
		all = append(all, text)
	}
	return all
}

// refusal says that Ocelot does not start; "" where it does.
func (r *Result) refusal() string {
	if r.Starts() {
		return ""
	}
	errors := r.StartErrors()
	text := fmt.Sprintf("Ocelot does not start with this: %s", r.Mask(firstLine(errors[0].Message)))
	var more []string
	if at := errors[0].At; !at.IsZero() {
		more = append(more, fmt.Sprintf("%s:%d", printable(at.File.Name), at.Position().Line))
	}
	if n := len(errors) - 1; n > 0 {
		more = append(more, "and "+plural(int64(n), "more error"))
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return printable(strings.TrimRight(line, "\r"))
}
