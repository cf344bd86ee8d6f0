package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	stdruntime "runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"margay": main})
}

// TestScripts runs the sessions of testdata/script, each in a folder of its
// own, with the real program.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Condition:           condition,
		Cmds:                servingCommands(),
		Setup: func(env *testscript.Env) error {
			gateways, err := filepath.Abs(filepath.Join("..", "..", "testdata", "gateways"))
			env.Setenv("GATEWAYS", gateways)
			env.Setenv("GITHUB_ACTIONS", "")
			env.Values[startedKey{}] = started{}
			env.Setenv("TF_BUILD", "")
			margay, err2 := exec.LookPath("margay") // for sessions without a PATH
			env.Setenv("MARGAY", margay)
			return errors.Join(err, err2)
		},
	})
}

// condition adds [root]: permissions do not stop the superuser.
func condition(name string) (bool, error) {
	return name == "root" && stdruntime.GOOS != "windows" && os.Getuid() == 0, nil
}
