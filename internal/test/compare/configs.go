package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A rewriteWay is a configuration and a rule of it to rewrite messages with.
type rewriteWay struct{ config, rule string }

func (w rewriteWay) flags() []string {
	var flags []string
	if w.config != "" {
		flags = append(flags, "--config", w.config)
	}
	if w.rule != "" {
		flags = append(flags, "--rule", w.rule)
	}
	return flags
}

// head begins the configurations: an id makes the output the same on every machine.
const head = "[header]\nid = \"mx.example.com\"\nother_ids = [\"mx2.example.com\"]\nauthserv_ids = [\"mx.example.com\"]\n"

// rewriteConfigs are rules called "t", and what stands before them.
var rewriteConfigs = []struct{ name, before, rule string }{
	{"readable", "", `plain = "readable"` + "\n" + `html = "never"` + "\n" + `when.authenticated = true` + "\n" + `trusted = true`},
	{"readable-always", "", `plain = "readable"` + "\n" + `html = "always"`},
	{"needed", "", `html = "needed"` + "\n" + `plain = "readable"` + "\n" + `flagged = "unlink"` + "\n" + `on.medium = "tag"`},
	{"always-unlink", "", `html = "always"` + "\n" + `flagged = "unlink"`},
	{"always-link", "", `html = "always"` + "\n" + `flagged = "link"` + "\n" + `on.info = "tag"`},
	{"always-defang", "", `html = "always"` + "\n" + `flagged = "defang"` + "\n" + `on.low = "tag"`},
	{"plain-defang", "", `html = "never"` + "\n" + `plain = "readable"` + "\n" + `flagged = "defang"`},
	{"signed-edit", "", `html = "always"` + "\n" + `signed = "edit"` + "\n" + `flagged = "defang"` + "\n" + `when.authenticated = true` + "\n" + `trusted = true`},
	{"signed-edit-tag", "", `plain = "readable"` + "\n" + `signed = "edit"` + "\n" + `on.info = "tag"` + "\n" + `if_not_editable = "tag"`},
	{"tag-all", "", `on.info = "tag"` + "\n" + `on.partial = "tag"` + "\n" + `on.unreadable = "tag"`},
	{"quarantine", "", `html = "always"` + "\n" + `if_not_editable = "quarantine"` + "\n" + `on.high = "quarantine"` + "\n" + `on.unreadable = "quarantine"`},
	{"reject", "", `html = "needed"` + "\n" + `if_not_editable = "reject"` + "\n" + `on.medium = "discard"` + "\n" + `on.high = "reject"` + "\n" + `on.partial = "tempfail"`},
	{"tempfail", "", `on.low = "tempfail"` + "\n" + `on.high = "discard"` + "\n" + `on.unreadable = "reject"`},
	{"dry-run", "", `html = "always"` + "\n" + `on.info = "tag"` + "\n" + `dry_run = true`},
	{
		"limits", "[limits]\nmessage = 4096\ntext = 512\nresult = 6000\ngrowth = 1500\nheader = 1500\nparts = 4\ndepth = 2\nlinks = 3\n",
		`html = "always"` + "\n" + `plain = "readable"` + "\n" + `on.partial = "tag"` + "\n" + `on.unreadable = "tag"` + "\n" + `on.info = "tag"`,
	},
	{"judging", judgingPolicy, `html = "always"` + "\n" + `on.info = "tag"` + "\n" + `flagged = "defang"`},
	{"when", "", `when.header = { "Subject" = "*a*" }` + "\n" + `when.sender = ["@example.com"]` + "\n" + `when.auth = ["dkim=pass"]` + "\n" + `on.info = "tag"`},
}

const judgingPolicy = `[policy]
protected = ["example.com", "paypal.com", "bücher.example", "bank-of-example.org"]
allow = ["allowed.example.net", ".below.example.net"]
never_link = ["node.js", "*.py", "report.*"]
join_lines = true
severity = { over-escaped = "none", userinfo = "low", partial = "medium", unknown-tld = "high" }
`

// rewriteWays writes the configurations and returns the ways to rewrite: without
// any, with the built-in rules, and with each configuration.
func (w *writer) rewriteWays() []rewriteWay {
	ways := []rewriteWay{{}, {rule: "others"}, {rule: "local"}}
	for _, c := range rewriteConfigs {
		path := filepath.Join(configFolder, c.name+".toml")
		w.write(path, []byte(head+c.before+"[[rule]]\nname = \"t\"\n"+c.rule+"\n"))
		ways = append(ways, rewriteWay{path, "t"})
	}
	return append(ways, rewriteWay{config: "configs/when.toml"}, rewriteWay{config: "configs/judging.toml"})
}

// badValues are values that keys of the example are given in turn.
var badValues = []string{`"nonsense"`, `-1`, `true`, `[]`, `"a\u001bb\u0000c"`}

// checkConfigs returns configurations: those above, those of the repository, and the example
// with one key at a time set to something else.
func (w *writer) checkConfigs(repo string) []item {
	var all []item
	for _, c := range rewriteConfigs {
		all = append(all, item{name: filepath.Join(configFolder, c.name+".toml")})
	}
	bad, err := filepath.Glob(filepath.Join(repo, "internal/config/testdata/*/*.toml"))
	w.err = errors.Join(w.err, err)
	for _, path := range bad {
		raw, err := os.ReadFile(path)
		w.err = errors.Join(w.err, err)
		all = append(all, w.file("config/"+filepath.Base(path), raw))
	}
	example, err := os.ReadFile(filepath.Join(repo, "config.example.toml"))
	w.err = errors.Join(w.err, err)
	lines := strings.SplitAfter(string(example), "\n")
	for i, line := range lines {
		key, _, found := strings.Cut(strings.TrimPrefix(line, "# "), " = ")
		if !found || strings.Contains(strings.TrimSpace(key), " ") {
			continue
		}
		value := badValues[i%len(badValues)]
		changed := strings.Join(lines[:i], "") + strings.TrimSpace(key) + " = " + value + "\n" + strings.Join(lines[i+1:], "")
		all = append(all, w.file(fmt.Sprintf("config/example-%03d.toml", i), []byte(changed)))
	}
	others := map[string]string{
		"whole": string(example), "bom": bom + string(example), "empty": "", "nul": "\x00", "twice": string(example) + string(example),
		"misspelt": strings.ReplaceAll(string(example), "html", "htlm"), "crlf": strings.ReplaceAll(string(example), "\n", "\r\n"),
		"cut": string(example[:len(example)/2]), "latin": "# gr\xf6\xdfe\n" + string(example), "escape": "\x1b[31m = 1\n",
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		all = append(all, w.file("config/other-"+name+".toml", []byte(others[name])))
	}
	return all
}
