package change_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/runtime/plan"
)

// silentMembers are those of a route that callers cannot notice, or that only
// tell who shares something.
var silentMembers = map[string]bool{
	"id": true, "name": true, "at": true, "origins": true,
	"circuit": true, "rateLimit.share": true, "loadBalancer.share": true, "retry.budget.share": true,
}

// TestEveryMemberOfAPlanIsReported changes every member of a route that has
// everything, one by one: exactly that member has to be reported, with words.
func TestEveryMemberOfAPlanIsReported(t *testing.T) {
	told := map[string]bool{}
	var all []string
	for _, kind := range []plan.BreakerKind{plan.Ratio, plan.Expression} {
		base := full(kind)
		all = nil
		leaves(reflect.ValueOf(base).Elem(), "", func(name string, v reflect.Value) {
			if silentMembers[name] {
				return
			}
			all = append(all, name)
			old := v.Interface()
			saved := reflect.ValueOf(old)
			mutate(v)
			report := change.Compare(change.OfPlan("old", planOf(full(kind))), change.OfPlan("new", planOf(base)))
			v.Set(saved)
			found := fieldNames(report)
			switch {
			case len(found) == 1 && found[0] == name:
				told[name] = true
			case len(found) > 0:
				t.Errorf("%s: got fields %v", name, found)
			}
			for _, r := range report.Routes {
				for _, c := range r.Changes {
					if strings.TrimSpace(c.Text) == "" {
						t.Errorf("%s: no words", name)
					}
				}
			}
		})
	}
	for _, name := range all {
		if !told[name] {
			t.Errorf("%s changes and nothing is said", name)
		}
	}
}

func fieldNames(r *change.Report) []string {
	var names []string
	for _, route := range r.Routes {
		for _, c := range route.Changes {
			for _, f := range c.Fields {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

func planOf(r *plan.Route) *plan.Plan {
	return &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{*r}}
}

// full returns a route with every member set.
func full(kind plan.BreakerKind) *plan.Route {
	r := &plan.Route{}
	fill(reflect.ValueOf(r).Elem())
	r.ID, r.Match.Kind, r.Match.Path, r.Breaker.Kind = "/a", plan.Static, "/a", kind
	r.Failures.TransportErrors = plan.Failure
	return r
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(700)
	case reflect.Float64:
		v.SetFloat(0.5)
	}
}

// leaves calls f for every member that is compared as one.
func leaves(v reflect.Value, name string, f func(string, reflect.Value)) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			leaves(v.Field(i), strings.TrimPrefix(name+"."+tag, "."), f)
		}
	case v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct:
		leaves(v.Elem(), name, f)
	default:
		f(name, v)
	}
}

func mutate(v reflect.Value) {
	if timeouts, ok := v.Addr().Interface().(*plan.Verdict); ok && *timeouts != plan.Failure {
		*timeouts = plan.Success // any other word is a failure
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		next := reflect.New(v.Type().Elem())
		next.Elem().Set(v.Elem())
		mutate(next.Elem())
		v.Set(next)
	case reflect.Slice:
		next := reflect.MakeSlice(v.Type(), 2, 2)
		next.Index(0).Set(v.Index(0))
		fill(next.Index(1))
		v.Set(next)
		if item := next.Index(1); item.Kind() == reflect.String {
			item.SetString("y")
		} else if item.Kind() == reflect.Struct && item.Field(0).Kind() == reflect.String {
			item.Field(0).SetString("y")
		}
	case reflect.String:
		v.SetString(v.String() + "y")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 0.25)
	}
}
