package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/test/dkim"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/test/manual"
)

// foreignPrograms are the programs of others that the documents run.
var foreignPrograms = strings.Fields(`apt-get base64 cd chgrp chmod chown cp curl dpkg echo env git go grep install jq kubectl mkdir npm openssl podman postcat postconf
	postfix postqueue postsuper printf rm rpm sed sendmail setpriv spamassassin swaks systemctl tar time useradd`)

// TestCommandsOfManual: each command of linkmilter in the documents has its flags and
// arguments, each target of make exists, and other programs are known ones.
func TestCommandsOfManual(t *testing.T) {
	ours := 0
	for _, d := range manual.All(t) {
		check := func(line int, args []string, complete bool) {
			if err := checkCommand(t, args, complete); err != nil {
				t.Errorf("%s:%d: %q: %v", d.Path, line, args, err)
			}
			if filepath.Base(args[0]) == "linkmilter" {
				ours++
			}
		}
		for _, block := range d.Blocks("sh", "console") {
			for _, args := range shellCommands(block) {
				check(block.Line, args, true)
			}
		}
		for _, code := range d.Code() {
			if strings.HasPrefix(code.Text, "linkmilter ") || strings.HasPrefix(code.Text, "make ") {
				for _, args := range shellCommands(manual.Block{Text: code.Text}) {
					check(code.Line, args, false)
				}
			}
		}
	}
	if ours < 40 {
		t.Errorf("only %d commands of linkmilter found", ours)
	}
}

// checkCommand returns what is wrong with a command, without running it. It checks arguments only
// if the command is complete.
func checkCommand(t *testing.T, args []string, complete bool) error {
	t.Helper()
	switch name := filepath.Base(args[0]); {
	case strings.HasPrefix(name, "linkmilter"):
		root := newRoot()
		root.InitDefaultHelpCmd()
		cmd, rest, err := root.Find(args[1:])
		if err != nil {
			return err
		}
		if err := cmd.ParseFlags(rest); err != nil && complete {
			return err
		}
		if complete {
			return cmd.ValidateArgs(cmd.Flags().Args())
		}
		return nil
	case name == "make":
		makefile, err := os.ReadFile(filepath.Join(env.Root(t), "Makefile"))
		if err != nil {
			return err
		}
		for _, target := range args[1:] {
			if !strings.Contains(target, "=") && !strings.Contains(string(makefile), "\n"+target+":") {
				return fmt.Errorf("no target %s", target)
			}
		}
		return nil
	case strings.HasPrefix(args[0], "scripts/"):
		_, err := os.Stat(filepath.Join(env.Root(t), filepath.FromSlash(args[0])))
		return err
	case name == "install":
		for _, file := range args[1:] {
			if strings.HasPrefix(file, "systemd/") || strings.HasPrefix(file, "docs/") || strings.HasPrefix(file, "config") {
				if _, err := os.Stat(filepath.Join(env.Root(t), filepath.FromSlash(file))); err != nil {
					return err
				}
			}
		}
		return nil
	case slices.Contains(foreignPrograms, name):
		return nil
	}
	return fmt.Errorf("unknown program")
}

// shellCommands returns the commands of a block: what the shell would run, without
// redirections, comments and documents that follow a command.
func shellCommands(block manual.Block) [][]string {
	var commands [][]string
	end := "" // of a document
	for line := range strings.Lines(block.Text) {
		line = strings.TrimRight(line, "\n")
		if end != "" {
			if line == end {
				end = ""
			}
			continue
		}
		if block.Language == "console" {
			var command bool
			if line, command = strings.CutPrefix(line, "$ "); !command || strings.HasPrefix(line, "cat ") {
				continue
			}
		}
		if _, word, found := strings.Cut(line, "<<"); found {
			end = strings.Trim(word, "'")
		}
		commands = append(commands, shellWords(line)...)
	}
	return commands
}

var shellToken = regexp.MustCompile(`'[^']*'|"[^"]*"|&&|[|;]|<<\S+|[<>]+|[^\s'"|;<>&]+`)

// shellWords splits a line into commands and their words.
func shellWords(line string) [][]string {
	line, _, _ = strings.Cut(line, " #")
	commands := [][]string{nil}
	redirected := false
	for _, token := range shellToken.FindAllString(strings.TrimPrefix(line, "# "), -1) {
		last := len(commands) - 1
		switch {
		case token == "&&" || token == "|" || token == ";":
			commands = append(commands, nil)
		case strings.HasPrefix(token, "<<"):
		case token[0] == '<' || token[0] == '>':
			redirected = true
		case redirected:
			redirected = false
		case commands[last] == nil && regexp.MustCompile(`^[A-Z_]+=`).MatchString(token): // a variable
		default:
			commands[last] = append(commands[last], strings.Trim(token, `'"`))
		}
	}
	return slices.DeleteFunc(commands, func(args []string) bool { return args == nil })
}

func TestShellWords(t *testing.T) {
	got := shellWords(`A=1 a 'b c' < in > out | d "e" && f; g  # h`)
	want := [][]string{{"a", "b c"}, {"d", "e"}, {"f"}, {"g"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFlagsOfManual: each flag that a text names belongs to a command.
func TestFlagsOfManual(t *testing.T) {
	known := map[string]bool{"--mail-rcpt": true, "--version": true} // of curl, and of the root
	for _, c := range leaves(newRoot()) {
		for _, word := range strings.Fields(c.LocalFlags().FlagUsages()) {
			known[strings.TrimRight(word, ",")] = true
		}
	}
	for _, d := range manual.All(t) {
		for _, code := range d.Code() {
			if !strings.HasPrefix(code.Text, "--") && !strings.HasPrefix(code.Text, "linkmilter ") {
				continue
			}
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(code.Text, -1) {
				if !known[flag] {
					t.Errorf("%s:%d: no command has the flag %s", d.Path, code.Line, flag)
				}
			}
		}
	}
}

// TestConsoleOfManual: each session prints what its document says. If it prints a file, the file
// has that content.
func TestConsoleOfManual(t *testing.T) {
	shell := env.Command(t, "sh")
	total := 0
	for _, d := range manual.All(t) {
		for _, block := range d.Blocks("console") {
			total++
			folder := t.TempDir()
			for _, step := range strings.Split("\n"+block.Text, "\n$ ")[1:] {
				command, want, _ := strings.Cut(strings.TrimSuffix(step, "\n"), "\n")
				if name, ok := strings.CutPrefix(command, "cat "); ok {
					if err := os.WriteFile(filepath.Join(folder, name), []byte(want+"\n"), 0o600); err != nil {
						t.Fatal(err)
					}
					continue
				}
				cmd := exec.Command(shell, "-c", command)
				cmd.Dir = folder
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Errorf("%s:%d: %s: %v", d.Path, block.Line, command, err)
				}
				if diff := cmp.Diff(want, strings.TrimSuffix(string(out), "\n")); diff != "" {
					t.Errorf("%s:%d: %s (-document +program):\n%s", d.Path, block.Line, command, diff)
				}
			}
		}
	}
	if total == 0 {
		t.Error("no sessions found")
	}
}

// TestGoOfReadme: the README's lines of Go compile and run.
func TestGoOfReadme(t *testing.T) {
	const want = `url https://de.wikipedia.org/wiki/M%C3%BCnchen
  opens https://de.wikipedia.org/wiki/M%C3%BCnchen
  reads https://de.wikipedia.org/wiki/München
email info@example.com
  opens mailto:info@example.com
  reads info@example.com
`
	if diff := cmp.Diff(want, runGo(t, "README.md", "fmt", "log", "github.com/linkmilter/linkmilter/engine")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGoOfLibrary: the lines of Go for users of the library compile and run.
func TestGoOfLibrary(t *testing.T) {
	const want = `[example.com/größe info@example.com]
See <http://example.com/gr%C3%B6%C3%9Fe>, or write to <mailto:info@example.com>.
Tom &amp; Ann: <a href="http://example.com/" rel="nofollow ugc">example.com</a>
www.paypa1.com high
lookalike paypa1 looks like paypal.com but is another site
example.com none
`
	got := runGo(t, "docs/library.md", "fmt", "log", "os", "github.com/linkmilter/linkmilter/engine", "github.com/linkmilter/linkmilter/engine/linkify", "github.com/linkmilter/linkmilter/policy")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// runGo runs the first Go block of a document as a program, and returns its output. Later blocks
// are single lines, which the examples of the packages run.
func runGo(t *testing.T, document string, imports ...string) string {
	t.Helper()
	root := env.Root(t)
	blocks := manual.Read(t, document).Blocks("go")
	if len(blocks) == 0 {
		t.Fatal("no block of Go")
	}
	folder := t.TempDir()
	source := filepath.Join(folder, "main.go")
	text := "package main\n\nimport (\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n\nfunc main() {\n" + blocks[0].Text + "}\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// The module sees the file as one of its own; nothing is written there.
	program := filepath.Join(root, "internal", "readme", "main.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {program: source}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-overlay", filepath.Join(folder, "overlay.json"), "./internal/readme")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestConfigurationsOfManual: each configuration in the documents is valid.
func TestConfigurationsOfManual(t *testing.T) {
	total := 0
	key := filepath.Join(t.TempDir(), "key.pem")
	dkim.WriteKey(t, key)
	for _, d := range manual.All(t) {
		for _, block := range d.Blocks("toml") {
			total++
			text := block.Text
			if strings.Contains(text, "auth = [") && !strings.Contains(text, "authserv_ids") {
				text = "header.authserv_ids = [\"mx.example.com\"]\n" + text
			}
			text = regexp.MustCompile(`file = "/.*\.pem"`).ReplaceAllString(text, fmt.Sprintf("file = %q", key))
			if _, err := config.Parse(d.Path, []byte(text)); err != nil {
				t.Errorf("%s:%d: %v", d.Path, block.Line, err)
			}
		}
	}
	if total < 8 {
		t.Errorf("only %d configurations found", total)
	}
}

// TestKeysOfManual: each key that a text names exists.
func TestKeysOfManual(t *testing.T) {
	tables := map[string][]string{} // their keys, with dots below
	collectKeys(reflect.TypeFor[config.File](), "", tables)
	all := map[string]bool{}
	for _, keys := range tables {
		for _, key := range keys {
			all[key] = true
		}
	}
	dotted := regexp.MustCompile(`^([a-z_]+)\.([a-z_.]+)$`)
	table := regexp.MustCompile(`^\[+([a-z_.]+)\]+$`)
	assignment := regexp.MustCompile(`^([a-z_.]+) = `)
	total := 0
	for _, d := range manual.All(t) {
		for _, code := range d.Code() {
			switch {
			case table.MatchString(code.Text):
				total++
				if name := table.FindStringSubmatch(code.Text)[1]; tables[name] == nil {
					t.Errorf("%s:%d: no table %s", d.Path, code.Line, code.Text)
				}
			case dotted.MatchString(code.Text):
				match := dotted.FindStringSubmatch(code.Text)
				if keys := tables[match[1]]; keys != nil {
					total++
					if !slices.Contains(keys, match[2]) && tables[code.Text] == nil {
						t.Errorf("%s:%d: no key %s", d.Path, code.Line, code.Text)
					}
				}
			case assignment.MatchString(code.Text):
				total++
				name := assignment.FindStringSubmatch(code.Text)[1]
				_, last, _ := strings.Cut(name, ".")
				if !all[name] && !all[last] && !foreignSettings[name] {
					t.Errorf("%s:%d: no key %s", d.Path, code.Line, name)
				}
			}
		}
	}
	if total < 60 {
		t.Errorf("only %d keys found", total)
	}
}

// foreignSettings are settings of other programs, and codes that policy.severity takes.
var foreignSettings = map[string]bool{"sieve_extensions": true, "milter_default_action": true}

// collectKeys collects the keys of a table and of the tables below it.
func collectKeys(table reflect.Type, name string, tables map[string][]string) {
	for i := range table.NumField() {
		field := table.Field(i)
		key := field.Tag.Get("toml")
		if key == "" {
			continue
		}
		tables[name] = append(tables[name], key)
		kind := field.Type
		if kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		switch {
		case kind.Kind() == reflect.Map:
			tables[strings.TrimPrefix(name+"."+key, ".")] = []string{}
		case kind.Kind() == reflect.Struct && hasKeys(kind):
			below := strings.TrimPrefix(name+"."+key, ".")
			collectKeys(kind, below, tables)
			for _, inner := range tables[below] {
				if name != "" {
					tables[name] = append(tables[name], key+"."+inner)
				}
			}
		}
	}
}

// hasKeys reports whether a struct is a table of the configuration.
func hasKeys(table reflect.Type) bool {
	for i := range table.NumField() {
		if table.Field(i).Tag.Get("toml") != "" {
			return true
		}
	}
	return false
}

// TestTagsOfManual: linkmilter writes the fields that the documents show, and the recipes for other
// programs match them.
func TestTagsOfManual(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"c.toml": "[header]\nid = \"mx.example.com\"\n",
		"m.eml":  "From: a@example.org\nSubject: x\n\nhttps://www.xn--pypal-4ve.com/\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("linkmilter", "rewrite", "--config", "c.toml", "--rule", "others", "m.eml")
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, tags, _ := strings.Cut(string(out), "Subject: x\n")
	tags, _, _ = strings.Cut(tags, "\n\n")
	summary, _, _ := strings.Cut(strings.ReplaceAll(tags, "\n ", " "), "\n")
	_, value, _ := strings.Cut(summary, ": ")
	samples, recipes := 0, 0
	for _, d := range manual.All(t) {
		for _, block := range d.Blocks("mail") {
			samples++
			if diff := cmp.Diff(tags+"\n", block.Text); diff != "" {
				t.Errorf("%s:%d: (-program +document):\n%s", d.Path, block.Line, diff)
			}
		}
		for _, block := range d.Blocks("postfix", "sieve", "spamassassin", "lua") {
			for pattern, subject := range recipePatterns(block, summary, value) {
				recipes++
				if !regexp.MustCompile(pattern).MatchString(subject) {
					t.Errorf("%s:%d: %s does not match %q", d.Path, block.Line, pattern, subject)
				}
			}
		}
	}
	if samples < 1 || recipes < 5 {
		t.Errorf("%d samples and %d recipes found", samples, recipes)
	}
}

// recipePatterns returns the patterns of a recipe for the field X-Linkmilter, as regular
// expressions, with the text that each is compared with: the field, or its value alone.
func recipePatterns(block manual.Block, field, value string) map[string]string {
	patterns := map[string]string{}
	for _, match := range regexp.MustCompile(`/(\^X-Linkmilter.*;)/`).FindAllStringSubmatch(block.Text, -1) {
		patterns[match[1]] = field
	}
	for _, match := range regexp.MustCompile(`X-Linkmilter ?=~? ?/(.*;)/`).FindAllStringSubmatch(block.Text, -1) {
		patterns[strings.ReplaceAll(match[1], `\\`, `\`)] = value
	}
	for _, match := range regexp.MustCompile(`:matches "X-Linkmilter" "(.*)"`).FindAllStringSubmatch(block.Text, -1) {
		patterns["^"+strings.ReplaceAll(regexp.QuoteMeta(match[1]), `\*`, ".*")+"$"] = value
	}
	return patterns
}

// TestSwitchOfEdits: the command that switches edits off changes the example configuration
// and that of a new installation so that no rule edits, and nothing else.
func TestSwitchOfEdits(t *testing.T) {
	for name, want := range map[string][2]string{
		"config.example.toml":             {"edit = \"any\"", "edit = \"never\""},
		"deploy/packages/linkmilter.toml": {"builtin_rules = true\n", "builtin_rules = true\n\n[service]\nedit = \"never\"\n"},
	} {
		t.Run(name, func(t *testing.T) { switchesEdits(t, name, want[0], want[1]) })
	}
}

func switchesEdits(t *testing.T, name, before, after string) {
	path := filepath.Join(t.TempDir(), "linkmilter.toml")
	example, err := os.ReadFile(filepath.Join(env.Root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, example, 0o600); err != nil {
		t.Fatal(err)
	}
	block := manual.Read(t, "docs/install.md").Below(t, "## Switch edits off", "sh")
	command, _, _ := strings.Cut(block.Text, "systemctl")
	if out, err := exec.Command(env.Command(t, "sh"), "-c", strings.ReplaceAll(command, "/etc/linkmilter.toml", path)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if file.Service.Edit != rule.EditNever {
		t.Errorf("service.edit is %v", file.Service.Edit)
	}
	changed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(string(example), before, after, 1); string(changed) != want {
		t.Errorf("more changed (-want +got):\n%s", cmp.Diff(want, string(changed)))
	}
}
