package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// evidence supports the findings about one label of the host, or
// one word of the rest of a link.
type evidence struct {
	text       string
	isLabel    bool
	label      hostLabel // of a host
	findings   []policy.Finding
	suspicious []character
	collides   string // what it looks like: a protected domain, or a word in ASCII
}

// suspects reports whether a code point is suspicious.
func (e *evidence) suspects(r rune) bool {
	return slices.ContainsFunc(e.suspicious, func(c character) bool { return c.code == r })
}

// evidenceOf returns the evidence about each label of the host, in order, and
// then about each other text that a finding names.
func evidenceOf(x explain.Explanation) []evidence {
	var all []evidence
	of := map[string][]policy.Finding{}
	for _, f := range x.Verdict.Findings {
		of[f.Label] = append(of[f.Label], f)
	}
	for _, l := range labelsOf(x.Link) {
		e := evidence{text: l.unicode, isLabel: true, label: l, findings: of[l.unicode]}
		e.gather(l.characters)
		e.collides = collision(e)
		all = append(all, e)
		delete(of, l.unicode)
	}
	for _, f := range x.Verdict.Findings {
		findings, ok := of[f.Label]
		if !ok {
			continue
		}
		delete(of, f.Label)
		e := evidence{text: f.Label, findings: findings}
		e.label.level = uts39.LevelOf(f.Label)
		var characters []character
		for _, r := range f.Label {
			if r >= 0x80 {
				characters = append(characters, characterOf(r))
			}
		}
		e.gather(characters)
		all = append(all, e)
	}
	return all
}

// gather collects the suspicious characters of the text, and those that findings
// name. The latter may be missing in the text, for example because it escapes them.
func (e *evidence) gather(characters []character) {
	if len(e.findings) == 0 {
		return
	}
	named := map[rune]bool{}
	for _, f := range e.findings {
		for _, code := range codePoint.FindAllStringSubmatch(f.Detail, -1) {
			r, err := strconv.ParseUint(code[1], 16, 32)
			if err != nil || r < 0x80 {
				continue
			}
			named[rune(r)] = true
			if !strings.ContainsRune(e.text, rune(r)) {
				characters = append(characters, characterOf(rune(r)))
			}
		}
	}
	for _, c := range characters {
		if (named[c.code] || e.isSuspicious(c)) && !e.suspects(c.code) {
			e.suspicious = append(e.suspicious, c)
		}
	}
}

// codePoint finds the code points that the detail of a finding names.
var codePoint = regexp.MustCompile(`\bU\+([0-9A-F]{4,6})\b`)

// isSuspicious reports whether a character may be the cause of a finding: it is not
// for identifiers, is not Latin in a mixture with Latin, looks like ASCII, or turns
// one name into a look-alike of another.
func (e *evidence) isSuspicious(c character) bool {
	mixed := e.label.level >= uts39.ModeratelyRestrictive && c.script != ucd.ScriptLatn && !unicode.Is(unicode.Common, c.code)
	return !c.allowed || mixed || c.looksLike != "" || e.has(policy.CodeLookalike)
}

func (e *evidence) has(code policy.Code) bool {
	return slices.ContainsFunc(e.findings, func(f policy.Finding) bool { return f.Code == code })
}

// collision returns the name that a label looks like: the domain that a finding
// names, or else its reading in ASCII, or "".
func collision(e evidence) string {
	for _, f := range e.findings {
		if name := report.Imitated(f); name != "" {
			return name
		}
	}
	if len(e.suspicious) == 0 {
		return ""
	}
	reading := []byte{}
	for _, r := range e.text {
		if r < 0x80 {
			reading = append(reading, byte(r))
			continue
		}
		like := characterOf(r).looksLike
		if like == "" {
			return ""
		}
		reading = append(reading, like...)
	}
	if string(reading) == e.text {
		return ""
	}
	return string(reading)
}
