package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
)

// completing is the flag with which a shell asks for completions.
const completing = "--generate-bash-completion"

// arrange checks the command and puts its options in front of its arguments:
// the library reads options only there and takes all others for paths, without
// a word.
func arrange(app *cli.App, args []string) ([]string, error) {
	if len(args) == 0 || args[len(args)-1] == completing {
		return args, nil
	}
	name := args[0]
	if strings.HasPrefix(name, "-") {
		return args, errors.Join(isolated(args), misplacedOption(app, args))
	}
	if name == "help" {
		return append(slices.Clone(args[1:min(len(args), 2)]), "--help"), knownCommand(app, args[1:])
	}
	if err := knownCommand(app, args); err != nil {
		return nil, err
	}
	options, rest := split(app.Command(name).Flags, args[1:])
	arranged := append([]string{name}, options...)
	if len(rest) > 0 {
		arranged = append(append(arranged, "--"), rest...)
	}
	return arranged, nil
}

// misplacedOption refuses an option of a command that stands before it.
func misplacedOption(app *cli.App, args []string) error {
	option, _, _ := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	for _, command := range app.Commands {
		if option != "help" && option != "h" && slices.Contains(flagNames(command.Flags), option) {
			return usage("write it behind the command: margay "+command.Name+" --"+option+" …", "option --%s stands before the command", option)
		}
	}
	return nil
}

func knownCommand(app *cli.App, args []string) error {
	if len(args) == 0 || app.Command(args[0]) != nil {
		return nil
	}
	names := commandNames(app)
	help := "the commands are " + strings.Join(names, ", ")
	if near, ok := diag.Suggest(args[0], names); ok {
		help = "did you mean `margay " + near + "`?"
	} else if _, err := os.Stat(args[0]); err == nil {
		help = "to check that path, write `margay lint " + args[0] + "`"
	}
	return usage(help, "unknown command %q", args[0])
}

// split parts options, with their values, from arguments. Everything behind
// "--" is an argument.
func split(flags []cli.Flag, args []string) (options, rest []string) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return options, append(rest, args[i+1:]...)
		case len(arg) < 2 || arg[0] != '-':
			rest = append(rest, arg)
		case takesNext(flags, arg) && i+1 < len(args):
			options = append(options, arg, args[i+1])
			i++
		default:
			options = append(options, arg)
		}
	}
	return options, rest
}

// takesNext says whether an option's value is the next argument.
func takesNext(flags []cli.Flag, option string) bool {
	name := strings.TrimLeft(option, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range flags {
		if documented, ok := f.(cli.DocGenerationFlag); ok && slices.Contains(f.Names(), name) {
			return documented.TakesValue()
		}
	}
	return false
}
