package admin_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/margay-dev/margay/runtime/admin"
	"github.com/margay-dev/margay/runtime/plan"
)

func TestPageInABrowser(t *testing.T) {
	b := open(t)
	evil := `/<img src=x onerror=alert(1)>/{id}`
	f := newFixture(t, protected("/orders/{id}"), protected("/users/{id}"), unprotected("/static/{rest}"), protected(evil))
	h := admin.New(f.options)
	site := &restartable{t: t}
	site.start(h)
	defer func() { site.stop() }()
	b.run(chromedp.Navigate("http://" + site.addr + "/"))
	b.wait(live)

	t.Run("every route has a row", func(t *testing.T) {
		if got := b.eval(`document.querySelectorAll("#routes tbody tr").length`); got != "4" {
			t.Errorf("got %s rows", got)
		}
		for id, want := range map[string]string{"/orders/{id}": "closed", "/static/{rest}": "no breaker", evil: "closed"} {
			if got := b.eval(state(id)); got != want {
				t.Errorf("%s: got %q want %q", id, got, want)
			}
		}
		if got := b.eval(`document.querySelectorAll("img").length`); got != "0" {
			t.Error("the name of a route was taken for markup")
		}
	})

	t.Run("it follows by itself", func(t *testing.T) {
		f.turn("status=503")
		f.ask("/orders/1")
		b.wait(state("/orders/{id}") + ` === "closed" && document.body.innerText.includes("1 of 2 failures in a row")`)
		f.ask("/orders/1")
		b.wait(`/^open, \d+ s left\nopened once$/.test(` + state("/orders/{id}") + `)`)
		first := b.eval(state("/orders/{id}"))
		b.wait(state("/orders/{id}") + ` !== ` + fmt.Sprintf("%q", first)) // the seconds count down
		b.wait(`document.querySelector("#news").textContent.startsWith("/orders/{id}: open")`)
		b.wait(`document.querySelector("#routes tbody").innerText.includes("status 503")`)
	})

	t.Run("breakers are moved without a mouse", func(t *testing.T) {
		b.tabTo(`e.getAttribute("aria-label") === "Isolate /users/{id}"`)
		b.keys(kb.Enter)
		b.wait(`document.querySelector("#ask").open`)
		b.tabTo(`e.id === "token"`)
		b.keys("wrong", kb.Enter)
		b.wait(`document.querySelector("#ask-trouble").textContent === "That is not the token."`)
		b.tabTo(`e.id === "token"`)
		b.keys(token, kb.Enter)
		b.wait(`!document.querySelector("#ask").open && ` + state("/users/{id}") + `.startsWith("isolated")`)
		if got := b.eval(`document.activeElement.getAttribute("aria-label") + document.activeElement.getAttribute("aria-disabled")`); got != "Isolate /users/{id}true" {
			t.Errorf("focus is on %s afterwards", got)
		}
		b.tabTo(`e.getAttribute("aria-label") === "Reset /users/{id}"`)
		b.keys(kb.Enter)
		b.wait(`document.querySelector("#ask").open`)
		b.tabTo(`e.id === "ask-yes"`)
		b.keys(kb.Enter)
		b.wait(`!document.querySelector("#ask").open && ` + state("/users/{id}") + `.startsWith("closed")`)
		b.tabTo(`e.getAttribute("aria-label") === "Isolate /users/{id}"`)
		b.keys(kb.Enter)
		b.wait(`document.querySelector("#ask").open`)
		b.keys(kb.Escape)
		b.wait(`!document.querySelector("#ask").open`)
		if got := b.eval(state("/users/{id}")); !strings.HasPrefix(got, "closed") {
			t.Errorf("Escape moved the breaker: %s", got)
		}
	})

	t.Run("a route explains itself", func(t *testing.T) {
		b.tabTo(`e.className === "route" && e.innerText === "/orders/{id}"`)
		b.keys(kb.Enter)
		b.wait(`document.querySelector("#detail").open && document.querySelector("#detail").innerText.includes("In words: words about /orders/{id}.")`)
		if got := b.eval(`document.querySelector("#detail-values").innerText`); !strings.Contains(got, "breaker.minimumThroughput\t2\tocelot.json:9:44") {
			t.Errorf("got %q", got)
		}
		b.tabTo(`e.id === "detail-close"`)
		b.keys(kb.Enter)
		b.wait(`!document.querySelector("#detail").open && document.activeElement.className === "route"`)
	})

	t.Run("routes are found", func(t *testing.T) {
		b.tabTo(`e.id === "filter"`)
		b.keys("USERS")
		b.wait(`document.querySelectorAll("#routes tbody tr").length === 1 && document.querySelector("#count").textContent === "1 of 4 routes"`)
		b.eval(`document.querySelector("#filter").value = ""; document.querySelector("#filter").dispatchEvent(new Event("input"))`)
		b.run(chromedp.Click("#abnormal"))
		b.wait(`[...document.querySelectorAll("#routes tbody th")].map((e) => e.innerText).join() === "/orders/{id}"`)
		b.run(chromedp.Click("#abnormal"))
	})

	t.Run("a reload that fails is said", func(t *testing.T) {
		f.history.Failed(errBroken)
		b.wait(`!document.querySelector("#reload").hidden && /stays in force.\s+ocelot.json:3:1: broken/.test(document.querySelector("#reload").innerText)`)
		f.history.Succeeded()
		b.wait(`document.querySelector("#reload").hidden`)
	})

	t.Run("what is known is not read aloud again", func(t *testing.T) {
		b.eval(`window.noise = []; for (const e of document.querySelectorAll("[role=status], [role=alert], [aria-live]"))
			new MutationObserver(() => window.noise.push(e.id)).observe(e, { childList: true, characterData: true, subtree: true })`)
		f.ask("/static/1")
		b.wait(`document.querySelector("#routes tbody").innerText.includes("1 call\n1 failed")`)
		if got := b.eval(`window.noise.join()`); got != "" {
			t.Errorf("it is: %s", got)
		}
	})

	t.Run("nothing comes from elsewhere", func(t *testing.T) {
		if got := b.eval(`performance.getEntriesByType("resource").filter((e) => !e.name.startsWith(location.origin + "/") && !e.name.startsWith("data:")).map((e) => e.name).join()`); got != "" {
			t.Errorf("got %s", got)
		}
	})

	t.Run("another plan shows", func(t *testing.T) {
		next := f.plan(protected("/orders/{id}"), protected("/invoices/{id}"))
		if err := f.proxy.Swap(next); err != nil {
			t.Fatal(err)
		}
		b.wait(`[...document.querySelectorAll("#routes tbody th")].map((e) => e.innerText).join() === "/orders/{id},/invoices/{id}"`)
		b.wait(state("/orders/{id}") + `.startsWith("open")`)
	})

	t.Run("it says when it has lost the connection", func(t *testing.T) {
		site.stop()
		b.wait(`document.querySelector("#connection").className === "lost" && document.querySelector("#connection").innerText.startsWith("Connection lost at ")`)
		if got := b.eval(`getComputedStyle(document.querySelector("#routes tbody")).opacity`); got == "1" {
			t.Error("old rows look like new ones")
		}
		site.start(h)
		b.wait(live + ` && document.querySelector("#connection").innerText === "Live"`)
	})

	t.Run("it fits a phone", func(t *testing.T) {
		call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 740, DeviceScaleFactor: 2, Mobile: true})
		b.wait(`innerWidth === 360 && document.documentElement.scrollWidth <= 360`)
		if got := b.eval(`[...document.querySelectorAll("#routes button")].filter((e) => e.offsetParent && (e.getBoundingClientRect().right > 360 || e.getBoundingClientRect().left < 0)).length`); got != "0" {
			t.Errorf("%s buttons stand outside of the screen", got)
		}
		call(b, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	})

	t.Run("dark and light", func(t *testing.T) {
		back := func(scheme string) string {
			call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			return b.eval(`getComputedStyle(document.body).backgroundColor`)
		}
		if dark, light := back("dark"), back("light"); dark == light || light != "rgb(255, 255, 255)" {
			t.Errorf("got %s and %s", dark, light)
		}
	})

	t.Run("times are in the reader's zone", func(t *testing.T) {
		shown := func(zone string) string {
			call(b, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone})
			b.run(chromedp.Reload())
			b.wait(live + ` && document.querySelectorAll("#routes time").length > 0`)
			return b.eval(`document.querySelector("#routes time").textContent`)
		}
		if tokyo, lima := shown("Asia/Tokyo"), shown("America/Lima"); tokyo == lima {
			t.Errorf("got %s in Tokyo and in Lima", tokyo)
		}
	})

	if len(b.complaints) > 0 {
		t.Errorf("the browser complains: %q", b.complaints)
	}
}

// TestGuardedPageInABrowser asks for the token before it shows anything.
func TestGuardedPageInABrowser(t *testing.T) {
	b := open(t)
	f := newFixture(t, protected("/orders/{id}"))
	f.options.Guarded = true
	site := &restartable{t: t}
	site.start(admin.New(f.options))
	defer site.stop() // the browser would hold it open
	b.run(chromedp.Navigate("http://" + site.addr))
	b.wait(`document.querySelector("#ask").open`)
	if got := b.eval(`document.querySelectorAll("#routes tbody tr").length`); got != "0" {
		t.Errorf("got %s rows without a token", got)
	}
	b.tabTo(`e.id === "token"`)
	b.keys(token, kb.Enter)
	b.wait(live + ` && document.querySelectorAll("#routes tbody tr").length === 1`)
}

// TestTenThousandRoutesInABrowser shows the circuits that matter among them.
func TestTenThousandRoutesInABrowser(t *testing.T) {
	b := open(t)
	routes := make([]plan.Route, 10_000)
	for i := range routes {
		routes[i] = protected(fmt.Sprintf("/r%d", i))
	}
	f := newFixture(t, routes...)
	site := &restartable{t: t}
	site.start(admin.New(f.options))
	defer site.stop() // the browser would hold it open
	b.run(chromedp.Navigate("http://" + site.addr))
	b.wait(live + ` && document.querySelector("#count").textContent === "10,000 routes, 500 shown: find others by name"`)
	f.turn("status=500")
	f.ask("/r9876")
	f.ask("/r9876")
	b.wait(state("/r9876") + `.startsWith("open")`)
}

// TestEveryTroubleInABrowser has everything on the page that can go wrong, on a
// small screen.
func TestEveryTroubleInABrowser(t *testing.T) {
	b := open(t)
	var keys keyring
	keys.put(down("A"), old("B"))
	long := protected("/" + strings.Repeat("{a-long-name-of-a-placeholder}", 12))
	long.Match.Path = "/long"
	f := guarded(t, &keys, protected("/orders/{id}"), long, authenticated("/me", "A"), authenticated("/both", "A", "B"), authenticated("/admin", "Nobody"), unprotected("/static"))
	site := &restartable{t: t}
	site.start(admin.New(f.options))
	defer site.stop() // the browser would hold it open
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 740, DeviceScaleFactor: 2, Mobile: true})
	b.run(chromedp.Navigate("http://" + site.addr))
	b.wait(live + ` && document.querySelectorAll("#routes tbody tr").length === 6`)
	f.turn("status=500")
	f.ask("/orders/1")
	f.ask("/orders/1")
	f.history.Failed(errors.New(strings.Repeat("a line without a space to break it at", 9)))
	b.wait(`document.querySelector("#summary").innerText === "1 not served\n1 open\n2 in trouble\n1 closed\n1 without a breaker" && document.title === "(4) shop – margay"`)
	b.wait(`!document.querySelector("#reload").hidden`)
	for _, want := range []string{"No client of the scheme A can be recognised: its keys cannot be fetched.", "New keys of the scheme B cannot be fetched; those from "} {
		if got := b.eval(`document.querySelector("#keys").innerText`); !strings.Contains(got, want) {
			t.Errorf("%s is not in %q", want, got)
		}
	}
	if got := b.eval(`document.documentElement.scrollWidth`); got != "360" {
		t.Errorf("the page is %s wide", got)
	}
	if got := b.eval(`[...document.querySelectorAll("#routes tr")].every((tr) => tr.getAttribute("role") === "row" && [...tr.cells].every((c) => c.getAttribute("role")))`); got != "true" {
		t.Error("a table in blocks is no table to a screen reader")
	}
	keys.put(good("A"), good("B"))
	b.wait(`document.querySelector("#keys").hidden`) // what is below it has moved up, and can be hit
	b.run(chromedp.Click("#abnormal"))
	b.wait(`document.querySelector("#count").textContent === "2 of 6 routes"`)
	if len(b.complaints) > 0 {
		t.Errorf("the browser complains: %q", b.complaints)
	}
}

func TestAGatewayWithoutRoutesInABrowser(t *testing.T) {
	b := open(t)
	f := newFixture(t)
	site := &restartable{t: t}
	site.start(admin.New(f.options))
	defer site.stop() // the browser would hold it open
	b.run(chromedp.Navigate("http://" + site.addr))
	b.wait(live + ` && document.querySelector("#empty").checkVisibility() && document.querySelector("#empty").innerText === "This gateway has no routes."`)
}
