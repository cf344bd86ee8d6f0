package emit

import (
	_ "embed"
	"io"
	"iter"

	"github.com/margay-dev/margay/normalize"
)

// accessVersion is the version of what AccessJSON and AccessYAML write. Within a
// version members are added and never changed.
const accessVersion = 1

type accessJSON struct {
	Version int                 `json:"version"`
	Path    string              `json:"path"`
	Ocelot  *string             `json:"ocelot"`
	Start   startJSON           `json:"start"`
	Dropped []droppedAccessJSON `json:"dropped"`
	Routes  []callersJSON       `json:"routes"`
}

type droppedAccessJSON struct {
	droppedJSON
	// Text says who takes the requests.
	Text string `json:"text"`
}

type callersJSON struct {
	Kind  string  `json:"kind"`
	Index *int    `json:"index"`
	Name  string  `json:"name"`
	ID    *string `json:"id"`
	Key   *string `json:"key"`
	// Open says that everybody may call the route.
	Open           bool                `json:"open"`
	Authentication *authenticationJSON `json:"authentication"`
	Claims         []claimJSON         `json:"claims"`
	Addresses      *addressesJSON      `json:"addresses"`
	// ShadowedBy is the ID of the first route that takes all its requests.
	ShadowedBy *string            `json:"shadowedBy"`
	Notes      []string           `json:"notes"`
	Origins    []accessOriginJSON `json:"origins"`
}

type authenticationJSON struct {
	Schemes []string `json:"schemes"`
	Scopes  []string `json:"scopes"`
}

type claimJSON struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type addressesJSON struct {
	Allowed            []string `json:"allowed"`
	Blocked            []string `json:"blocked"`
	AllowedBeatBlocked bool     `json:"allowedBeatBlocked"`
}

type accessOriginJSON struct {
	Part string `json:"part"`
	// From is "route" or "global".
	From string    `json:"from"`
	Span *spanJSON `json:"span"`
}

// AccessJSON writes who may call every route, for programs: an object, or an
// array of them for several results. AccessSchema describes it.
func AccessJSON(w io.Writer, results []*Result, view View) error {
	return writeJSON(w, accessDocuments(results, view))
}

// AccessYAML writes what AccessJSON writes, as YAML.
func AccessYAML(w io.Writer, results []*Result, view View) error {
	return writeYAML(w, accessDocuments(results, view))
}

func accessDocuments(results []*Result, view View) []document {
	all := make([]document, len(results))
	for i, r := range results {
		v := newAccessView(r)
		all[i] = document{v.head(), v.callersRecords(view)}
	}
	return all
}

func (v *accessView) head() *accessJSON {
	whole := v.Result.record()
	out := &accessJSON{Version: accessVersion, Path: whole.Path, Ocelot: whole.Ocelot, Start: whole.Start,
		Dropped: []droppedAccessJSON{}, Routes: []callersJSON{}}
	for i, text := range v.accessLosses() {
		out.Dropped = append(out.Dropped, droppedAccessJSON{whole.Dropped[i], text})
	}
	return out
}

func (v *accessView) callersRecords(view View) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, c := range v.callers(view) {
			if !yield(v.callersRecord(&c)) {
				return
			}
		}
	}
}

func (v *accessView) callersRecord(c *callers) callersJSON {
	j := callersJSON{Kind: c.route.Kind.String(), Name: v.Mask(c.route.Name()), Open: c.open(), Claims: []claimJSON{}, Notes: []string{}, Origins: []accessOriginJSON{}}
	if c.route.Kind != normalize.Unlisted {
		j.Index = &c.route.Index
	}
	if c.route.Kind != normalize.Aggregate {
		j.Key = pointer(c.route.Key())
	}
	if c.id != "" {
		j.ID = &c.id
	}
	if c.shadowedBy != "" {
		j.ShadowedBy = &c.shadowedBy
	}
	if a := c.authentication; a != nil {
		j.Authentication = &authenticationJSON{append([]string{}, a.Schemes...), append([]string{}, a.Scopes...)}
	}
	for _, claim := range c.claims {
		j.Claims = append(j.Claims, claimJSON{v.Mask(claim.Type), v.Mask(claim.Value)})
	}
	if a := c.addresses; a != nil {
		j.Addresses = &addressesJSON{append([]string{}, a.Allowed...), append([]string{}, a.Blocked...), a.AllowedBeatBlocked}
	}
	for _, text := range c.notes {
		j.Notes = append(j.Notes, v.Mask(text))
	}
	if c.route.Kind != normalize.Aggregate {
		for _, o := range v.origins(c) {
			j.Origins = append(j.Origins, accessOriginJSON{o.part, o.word, spanOf(v.span(o.at))})
		}
	}
	return j
}

//go:embed access.schema.json
var accessSchemaJSON string

// AccessSchema returns the JSON Schema (draft-07) of what AccessJSON writes.
func AccessSchema() []byte { return []byte(accessSchemaJSON) }
