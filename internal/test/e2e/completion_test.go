//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// completions are words that a shell completes a line to, for each line.
var completions = map[string][]string{
	"linkmilter quar":            {"quarantine"},
	"linkmilter quarantine ":     {"delete", "digest", "list", "release", "show"},
	"linkmilter rewrite --rule ": {"authenticated", "local", "others"},
	"linkmilter rewrite --config sample-configuration.toml --rule in": {"inbound"},
	"linkmilter scan --format s":                                      {"sarif", "summary"},
	"linkmilter scan --fail-on ":                                      {"high", "info", "low", "medium"},
	"linkmilter check-config sample-co":                               {"sample-configuration.toml"},
}

// TestCompletions asks each shell to complete lines by the script that linkmilter writes for
// it.
func TestCompletions(t *testing.T) {
	t.Parallel()
	bash := func(t *testing.T, dir, line string) *exec.Cmd {
		rules := unpackPackages(t, "bash-completion")
		script := `source "$1"; source <(linkmilter completion bash)
COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9; read -ra COMP_WORDS <<< "$2"
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); __start_linkmilter; printf '%s\n' "${COMPREPLY[@]}"`
		return exec.Command(env.Command(t, "bash"), "--norc", "-c", script, "bash", rules.path("usr/share/bash-completion/bash_completion"), line)
	}
	fish := func(t *testing.T, dir, line string) *exec.Cmd {
		shell := unpackPackages(t, "fish", "fish-common")
		cmd := exec.Command(shell.path("usr/bin/fish"), "--no-config", "-c", "linkmilter completion fish | source; complete -C $argv[1]", line)
		cmd.Env = []string{"LD_LIBRARY_PATH=" + shell.libraryPath(), "HOME=" + dir, "XDG_DATA_DIRS=" + shell.path("usr/share")}
		return cmd
	}
	// The functions of zsh's own that the script calls print what it offers.
	zsh := func(t *testing.T, dir, line string) *exec.Cmd {
		shell := unpackPackages(t, "zsh", "zsh-common")
		modules, err := filepath.Glob(shell.path("usr/lib/*/zsh/*"))
		if err != nil || len(modules) != 1 {
			t.Fatal(modules, err)
		}
		script := `module_path=($MODULES)
compdef() { : }
_describe() { local -a all=("${(@P)2}"); print -l -- "${(M@)all:#${words[-1]}*}" }
_arguments() { [[ $1 == *toml* ]] && print -l -- ${words[-1]}*.toml(N) || print -l -- ${words[-1]}*(N) }
eval "$(linkmilter completion zsh)"
words=(${(z)1}); [[ $1 == *" " ]] && words+=("")
CURRENT=${#words} BUFFER=$1; _linkmilter`
		cmd := exec.Command(shell.path("bin/zsh"), "-f", "-c", script, "zsh", line)
		cmd.Env = []string{"LD_LIBRARY_PATH=" + shell.libraryPath(), "MODULES=" + modules[0]}
		return cmd
	}
	for name, shell := range map[string]func(t *testing.T, dir, line string) *exec.Cmd{"bash": bash, "fish": fish, "zsh": zsh} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := tempDir(t)
			writeFile(t, filepath.Join(dir, "sample-configuration.toml"), "[[rule]]\nname = \"inbound\"\n", 0o644)
			writeFile(t, filepath.Join(dir, "sample-code"), "", 0o644)
			for line, want := range completions {
				cmd := shell(t, dir, line)
				cmd.Dir = dir
				cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(Binary(t))+":"+os.Getenv("PATH"), "LC_ALL=C.UTF-8")
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%q: %v\n%s%s", line, err, out, stderrOf(err))
				}
				var got []string
				for l := range strings.Lines(string(out)) {
					// Shells show a description behind the word.
					word, _, _ := strings.Cut(strings.TrimSpace(l), "\t")
					word, _, _ = strings.Cut(word, ":")
					if word = strings.TrimSpace(strings.SplitN(word, " (", 2)[0]); word != "" {
						got = append(got, strings.Fields(word)[0])
					}
				}
				// The script for fish does not filter files by their names.
				got = slices.DeleteFunc(got, func(word string) bool { return name == "fish" && word == "sample-code" })
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("%q: %q, want %q", line, got, want)
				}
			}
		})
	}
}
