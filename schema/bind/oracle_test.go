package bind_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/tidwall/jsonc"

	"github.com/margay-dev/margay/schema/bind"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/oracletest"
)

type loadCase struct {
	ID, Group, Mode string
	Files           map[string]string
	Opts            map[string]any
	Expect          struct {
		LoadError  any `json:"load_error"`
		Bound      json.RawMessage
		Dropped    []struct{ Path, Reason string }
		Phase      *string
		StartError *struct{ Type, Message string } `json:"start_error"`
	}
}

func TestOracleDecode(t *testing.T) {
	tally := oracletest.NewTally("load")
	skipped := 0
	oracletest.Each(t, "load.jsonl.gz", func(c loadCase) {
		if c.Mode != "file" || len(c.Files) != 1 || c.Expect.LoadError != nil || (c.Group == "providers") {
			skipped++
			return
		}
		var text string
		for _, text = range c.Files {
		}
		tree, root, err := quickTree(text)
		if err != nil {
			skipped++
			return
		}
		cfg := bind.Configuration(tree, root, bind.Options{})
		if c.Expect.Phase != nil && *c.Expect.Phase == "bind" {
			if cfg.Failure == nil || cfg.Failure.Message != c.Expect.StartError.Message || cfg.Failure.Exception != c.Expect.StartError.Type {
				tally.Differ(c.Group, c.ID, "%.600s\ngot %+v want %+v", text, cfg.Failure, c.Expect.StartError)
				return
			}
			tally.Agree(c.Group)
			return
		}
		var want any
		d := json.NewDecoder(bytes.NewReader(c.Expect.Bound))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		want = canonical(want)
		got := bound(cfg)
		if cfg.Failure != nil {
			tally.Differ(c.Group, c.ID, "%.600s\nfailure %+v", text, cfg.Failure)
			return
		}
		if !reflect.DeepEqual(got, want) {
			g, _ := json.Marshal(got)
			tally.Differ(c.Group, c.ID, "%.600s\ngot  %s\nwant %s", text, g, c.Expect.Bound)
			return
		}
		var drops []struct{ Path, Reason string }
		for _, d := range cfg.Dropped {
			drops = append(drops, struct{ Path, Reason string }{d.Path, d.Reason.Message})
		}
		if !reflect.DeepEqual(drops, c.Expect.Dropped) {
			tally.Differ(c.Group, c.ID, "%.600s\ndropped got  %+v\nwant %+v", text, drops, c.Expect.Dropped)
			return
		}
		tally.Agree(c.Group)
	})
	t.Logf("skipped %d", skipped)
	tally.Report(t)
}

func quickTree(text string) (*syntax.Tree, syntax.ID, error) {
	raw := jsonc.ToJSON([]byte(text))
	tree := &syntax.Tree{}
	f := source.NewFile("x", raw)
	file := tree.AddFile(f)
	raw = f.Text
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value func(key [2]uint32) (syntax.ID, error)
	value = func(key [2]uint32) (syntax.ID, error) {
		tok, err := d.Token()
		if err != nil {
			return 0, err
		}
		end := uint32(d.InputOffset())
		n := syntax.Node{KeyStart: key[0], KeyEnd: key[1], End: end, File: file}
		if key[1] > 0 {
			n.Flags |= syntax.KeyEscaped
		}
		switch v := tok.(type) {
		case nil:
			n.Kind = syntax.Null
		case bool:
			n.Kind = syntax.False
			if v {
				n.Kind = syntax.True
			}
		case json.Number:
			n.Kind = syntax.Number
			n.Start = end - uint32(len(v))
		case string:
			n.Kind = syntax.String
			n.Start = end - 1
			id := tree.Add(n)
			tree.SetText(id, v)
			return id, nil
		case json.Delim:
			n.Start = end - 1
			n.Kind = syntax.Object
			if v == '[' {
				n.Kind = syntax.Array
			}
			id := tree.Add(n)
			var last syntax.ID
			seen := map[string]bool{}
			for d.More() {
				k := [2]uint32{}
				name := ""
				if n.Kind == syntax.Object {
					tok, err := d.Token()
					if err != nil {
						return 0, err
					}
					name = tok.(string)
					k[1] = uint32(d.InputOffset())
					if seen[name] || bytes.ContainsAny([]byte(name), ":") {
						return 0, errors.New("irregular")
					}
					seen[name] = true
				}
				c, err := value(k)
				if err != nil {
					return 0, err
				}
				if n.Kind == syntax.Object {
					tree.SetKey(c, name)
				}
				if last == 0 {
					tree.Node(id).First = c
				} else {
					tree.Node(last).Next = c
				}
				last = c
			}
			if _, err := d.Token(); err != nil {
				return 0, err
			}
			return id, nil
		}
		return tree.Add(n), nil
	}
	id, err := value([2]uint32{})
	if err != nil {
		return nil, 0, err
	}
	if _, err := d.Token(); err != io.EOF {
		return tree, 0, errors.New("trailing")
	}
	return tree, id, nil
}
