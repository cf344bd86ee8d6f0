package admin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/margay-dev/margay/runtime/admin"
)

// TestHostsThatAreJudgedShow: in the state and as metrics, and nothing of
// hosts that nobody judges.
func TestHostsThatAreJudgedShow(t *testing.T) {
	f := newFixture(t, judged("/a"), unprotected("/b"))
	h := admin.New(f.options)
	for range 6 {
		f.ask("/a")
	}
	_, body := do(h, "GET", "/api/state")
	var s struct {
		Routes []struct {
			ID     string
			Opened int
			Hosts  []struct {
				Host, State, Until string
				Failures, Opened   int
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		t.Fatal(err, body)
	}
	hosts := s.Routes[0].Hosts
	if len(hosts) != 2 || s.Routes[1].Hosts != nil || s.Routes[0].Opened != 0 {
		t.Fatalf("got %+v", s.Routes)
	}
	dead, alive := hosts[0], hosts[1]
	if dead.Host != "http://127.0.0.1:1" || dead.State != "open" || dead.Until == "" || dead.Opened != 1 || dead.Failures != 2 {
		t.Errorf("got %+v", dead)
	}
	if alive.State != "closed" || alive.Until != "" || alive.Opened != 0 {
		t.Errorf("got %+v", alive)
	}
	contains(t, h, "/metrics", []string{
		`margay_host_state{host="http://127.0.0.1:1",pipeline_name="/a"} 2`,
		`margay_host_opened_total{host="http://127.0.0.1:1",pipeline_name="/a"} 1`,
		`margay_host_state{host="` + f.backend.URL + `",pipeline_name="/a"} 0`,
	})
	if _, body := do(h, "GET", "/metrics"); strings.Contains(body, `pipeline_name="/b"`) {
		t.Error("hosts show that nobody judges")
	}
}

func TestFailingHostsInABrowser(t *testing.T) {
	b := open(t)
	f := newFixture(t, judged("/a"), unprotected("/b"))
	site := &restartable{t: t}
	site.start(admin.New(f.options))
	defer site.stop() // the browser would hold it open
	b.run(chromedp.Navigate("http://" + site.addr))
	b.wait(live + ` && ` + state("/a") + ` === "no breaker"`)
	for range 6 {
		f.ask("/a")
	}
	b.wait(`/^no breaker\n1 of 2 hosts passed over: http:\/\/127.0.0.1:1 \(open, \d+ s left\)$/.test(` + state("/a") + `)`)
	first := b.eval(state("/a"))
	b.wait(state("/a") + ` !== ` + "`" + first + "`") // the seconds count down
	b.run(chromedp.Click("#abnormal"))
	b.wait(`document.querySelector("#count").textContent === "1 of 2 routes"`)
}
