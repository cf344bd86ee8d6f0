package plan_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/margay-dev/margay/runtime/plan"
)

// TestADetachedPlanIsEqualAndHoldsNoOtherText.
func TestADetachedPlanIsEqualAndHoldsNoOtherText(t *testing.T) {
	whole := "a large text of which /orders/{id}, GET, https and orders.example are parts, and X-Tenant too"
	cut := func(part string) string {
		at := strings.Index(whole, part)
		return whole[at : at+len(part)]
	}
	p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{{
		ID: cut("/orders/{id}"), Name: cut("/orders/{id}"),
		Match:    plan.Match{Kind: plan.Static, Path: cut("/orders/{id}"), Methods: []string{cut("GET")}, Headers: []plan.HeaderMatch{{Name: cut("X-Tenant"), Template: cut("orders")}}},
		Backend:  plan.Backend{Scheme: cut("https"), Path: cut("/orders/{id}"), Hosts: []plan.Host{{Name: cut("orders.example"), Port: 81}}},
		Retry:    &plan.Retry{MaxRetryAttempts: 1, Backoff: plan.Constant, Methods: []string{cut("GET")}},
		Failures: plan.Failures{TransportErrors: plan.Failure},
	}}}
	var before, after bytes.Buffer
	if err := p.Encode(&before); err != nil {
		t.Fatal(err)
	}
	p.Detach()
	if err := p.Encode(&after); err != nil || before.String() != after.String() {
		t.Errorf("got %s, %v, want %s", &after, err, &before)
	}
	from := uintptr(unsafe.Pointer(unsafe.StringData(whole)))
	texts := map[string]uintptr{}
	each(reflect.ValueOf(p).Elem(), func(text string) {
		at := uintptr(unsafe.Pointer(unsafe.StringData(text)))
		if at >= from && at < from+uintptr(len(whole)) {
			t.Errorf("%q is still a part of the large text", text)
		}
		if was, ok := texts[text]; ok && was != at {
			t.Errorf("there are two copies of %q", text)
		}
		texts[text] = at
	})
	if len(texts) < 6 {
		t.Errorf("only %d texts were looked at", len(texts))
	}
}

// each calls f with every text of a value.
func each(v reflect.Value, f func(text string)) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			f(v.String())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			each(v.Field(i), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			each(v.Index(i), f)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), f)
		}
	}
}

// TestAPlanHasNothingThatDetachPassesOver: every type that a plan is made of.
func TestAPlanHasNothingThatDetachPassesOver(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(of reflect.Type)
	look = func(of reflect.Type) {
		if seen[of] {
			return
		}
		seen[of] = true
		switch of.Kind() {
		case reflect.Struct:
			for i := range of.NumField() {
				if !of.Field(i).IsExported() {
					t.Errorf("%v has the member %s, which cannot be set", of, of.Field(i).Name)
				}
				look(of.Field(i).Type)
			}
		case reflect.Slice, reflect.Pointer:
			look(of.Elem())
		case reflect.Map, reflect.Interface, reflect.Array, reflect.Func, reflect.Chan:
			t.Errorf("a plan holds %v", of)
		}
	}
	look(reflect.TypeFor[plan.Plan]())
}
