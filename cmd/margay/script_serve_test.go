package main

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// servingCommands are what sessions with a serving margay need.
//
//	refused ARG…          run margay serve, which has to end with 2, one line that begins
//	                      with margay:, and nothing else that looks as if it had begun
//	up NAME ARG…          start margay, wait for ready, set $NAME and $NAME_admin
//	http STATUS [METHOD] URL [HEADER…] [REGEXP]   ask, within a minute
//	certificate NAME HOST write NAME.crt, for a host and the loopback, and NAME.key
//	hup NAME              send SIGHUP
//	rotate NAME FILE      rename a file to FILE.1 and send SIGUSR1, as logrotate does
//	said NAME REGEXP      wait until its standard error matches, a minute at most
//	down NAME             send SIGTERM; its output is in NAME.stdout and NAME.stderr
func servingCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"certificate": scriptCertificate, "refused": scriptRefused, "up": scriptUp, "http": scriptHTTP, "hup": scriptHup, "rotate": scriptRotate, "said": scriptSaid, "down": scriptDown,
	}
}

// scriptRefused proves that a bad start is no start. What margay said is there for
// the commands stdout and stderr afterwards.
func scriptRefused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: refused ARG…")
	}
	err := ts.Exec("margay", append([]string{"serve"}, args...)...)
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != exitTrouble {
		ts.Fatalf("it ended with %v, want status %d", err, exitTrouble)
	}
	if said := ts.ReadFile("stdout"); said != "" {
		ts.Fatalf("it printed %q", said)
	}
	said := ts.ReadFile("stderr")
	lines := regexp.MustCompile(`(?m)^margay: `).FindAllString(said, -1)
	if len(lines) != 1 || strings.Contains(said, "ready ") || strings.Contains(said, "panic") {
		ts.Fatalf("want one line that begins with margay:")
	}
}

// sessionPatience is how long a session waits for what must come.
const sessionPatience = time.Minute

// started are the processes of one session.
type started map[string]*process

type startedKey struct{}

func (s started) get(ts *testscript.TestScript, name string) *process {
	if s[name] == nil {
		ts.Fatalf("nothing called %s is up", name)
	}
	return s[name]
}

func scriptUp(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: up NAME ARG…")
	}
	dir := ts.MkAbs(".")
	margay, err := programIn(ts.Getenv("TMPDIR"))
	ts.Check(err)
	p, err := launch(margay, dir, append(os.Environ(), "GITHUB_ACTIONS="), args[1:]...)
	if p != nil {
		ts.Defer(func() {
			if p.cmd.ProcessState == nil {
				p.kill()
				ts.Logf("standard error of %s:\n%s", args[0], p.said())
			}
		})
	}
	ts.Check(err)
	ts.Value(startedKey{}).(started)[args[0]] = p
	ts.Setenv(args[0], p.listen)
	ts.Setenv(args[0]+"_admin", p.admin)
}

// scriptHTTP asks again and again until the answer is the one that is wanted:
// what it is about may take a moment.
func scriptHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: http STATUS [METHOD] URL [HEADER…] [REGEXP]")
	}
	status, err := strconv.Atoi(args[0])
	ts.Check(err)
	method, rest := http.MethodGet, args[1:]
	if !strings.Contains(rest[0], ":") {
		method, rest = rest[0], rest[1:]
	}
	req, err := http.NewRequest(method, rest[0], nil)
	ts.Check(err)
	want := ""
	header := regexp.MustCompile(`^[\w-]+: `)
	for _, arg := range rest[1:] {
		if !header.MatchString(arg) {
			want = arg
			continue
		}
		name, value, _ := strings.Cut(arg, ": ")
		req.Header.Set(name, value)
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	var got string
	for deadline := time.Now().Add(sessionPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var code int
		code, got = answerTo(req)
		if code == status && regexp.MustCompile(want).MatchString(got) {
			return
		}
	}
	ts.Fatalf("%s %s: want %d and %q, got\n%s", method, rest[0], status, want, got)
}

// answerTo returns an answer with its headers.
func answerTo(req *http.Request) (int, string) {
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // sessions make certificates of their own
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	var text strings.Builder
	text.WriteString(resp.Status + "\n")
	_ = resp.Header.Write(&text)
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, text.String() + "\n" + string(body)
}

func scriptHup(ts *testscript.TestScript, neg bool, args []string) {
	p := ts.Value(startedKey{}).(started).get(ts, args[0])
	ts.Check(p.cmd.Process.Signal(syscall.SIGHUP))
}

func scriptRotate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: rotate NAME FILE")
	}
	p := ts.Value(startedKey{}).(started).get(ts, args[0])
	ts.Check(os.Rename(ts.MkAbs(args[1]), ts.MkAbs(args[1]+".1")))
	ts.Check(p.cmd.Process.Signal(reopenSignals()[0]))
}

// scriptSaid waits for what has no other sign, such as a reload that is refused.
func scriptSaid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: said NAME REGEXP")
	}
	p := ts.Value(startedKey{}).(started).get(ts, args[0])
	want := regexp.MustCompile(args[1])
	for deadline := time.Now().Add(sessionPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if want.MatchString(p.said()) {
			return
		}
	}
	ts.Fatalf("%s did not say %q, but\n%s", args[0], args[1], p.said())
}

func scriptDown(ts *testscript.TestScript, neg bool, args []string) {
	p := ts.Value(startedKey{}).(started).get(ts, args[0])
	err := p.stop()
	if (err != nil) != neg {
		ts.Fatalf("%s ended with %v and said\n%s", args[0], err, p.said())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".stdout"), []byte(p.stdout.String()), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".stderr"), []byte(p.said()), 0o644))
}
