package filter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/mime"
)

// tagAll tags for every finding.
var tagAll = rule.On{Info: rule.ActionTag, Unreadable: rule.ActionTag, Partial: rule.ActionTag}

// TestNameInTags: the id in tags is the operator's, else that of the mail server, else a general
// one. In mail from outside, fields with that id are forged.
func TestNameInTags(t *testing.T) {
	for _, test := range []struct{ id, host, want string }{
		{"", "", "linkmilter"},
		{"", "MX.Example.org", "mx.example.org"},
		{"", "not a host", "linkmilter"},
		{"", "[192.0.2.1]", "linkmilter"},
		{"mail.example.net", "mx.example.org", "mail.example.net"},
		{"mail.example.net", "", "mail.example.net"},
	} {
		f := newFilter(t, filter.Options{ID: test.id, OtherIDs: []string{"mx2.example.org"}, Rules: []rule.Rule{{Name: "r", On: tagAll}}})
		env := stranger
		env.Host = test.host
		raw := "X-Linkmilter: " + test.want + "; worst=none\r\nX-Linkmilter: mx2.example.org; worst=none\r\nX-Linkmilter: other.example; worst=none\r\n" + highMessage
		result := f.Message(context.Background(), env, []byte(raw))
		fields := fieldsOf(result.Message([]byte(raw)))
		if result.Report.Forged != 2 || len(fields) < 2 || !strings.HasPrefix(fields[1], "X-Linkmilter: "+test.want+"; action=tag") {
			t.Errorf("id %q, host %q: %d forged, fields %q", test.id, test.host, result.Report.Forged, fields)
		}
	}
}

func TestTags(t *testing.T) {
	needTables(t)
	const eightBit = "utf-8\r\nContent-Transfer-Encoding: 8bit"
	for _, test := range []struct {
		name    string
		rule    rule.Rule
		message string
		want    []string
	}{
		{"nothing found", rule.Rule{On: tagAll}, plain, nil},
		{"not asked for", rule.Rule{}, highMessage, nil},
		{
			"a lookalike",
			rule.Rule{On: tagAll},
			highMessage,
			[]string{
				"X-Linkmilter: mx.example.org; action=tag; worst=high; findings=1; outcome=complete; rule=r",
				`X-Linkmilter-Finding: mx.example.org; code=lookalike; severity=high; host="paypa1.com"; label="paypa1"; detail="looks like paypal.com but is another site"`,
			},
		},
		{
			"the same host thrice, the worst first",
			rule.Rule{On: tagAll},
			text("http://192.0.2.1/ https://paypa1.com/a https://paypa1.com/b http://paypa1.com\r\n"),
			[]string{
				"X-Linkmilter: mx.example.org; action=tag; worst=high; findings=2; outcome=complete; rule=r",
				`X-Linkmilter-Finding: mx.example.org; code=lookalike; severity=high; host="paypa1.com"; label="paypa1"; detail="looks like paypal.com but is another site"`,
				`X-Linkmilter-Finding: mx.example.org; code=ip-host; severity=low; host="192.0.2.1"; label="192.0.2.1"; detail="is an IP address in place of a name"`,
			},
		},
		{
			"letters beyond ASCII",
			rule.Rule{On: tagAll},
			strings.Replace(text("https://p\u0430ypal.com/\r\n"), "us-ascii", eightBit, 1),
			[]string{
				"X-Linkmilter: mx.example.org; action=tag; worst=high; findings=2; outcome=complete; rule=r",
				`X-Linkmilter-Finding: mx.example.org; code=mixed-script; severity=high; host="xn--pypal-4ve.com"; label=%"p%d0%b0ypal"; detail="mixes letters of alphabets that do not go together: Cyrillic, Latin"`,
				`X-Linkmilter-Finding: mx.example.org; code=lookalike; severity=high; host="xn--pypal-4ve.com"; label=%"p%d0%b0ypal"; detail="looks like paypal.com but is another site"`,
			},
		},
		{
			"unreadable",
			rule.Rule{On: tagAll},
			unreadableMessage,
			[]string{
				"X-Linkmilter: mx.example.org; action=tag; worst=low; findings=1; outcome=unread; reason=unknown-charset; rule=r",
				`X-Linkmilter-Finding: mx.example.org; code=unreadable; severity=low; detail="unknown-charset"`,
			},
		},
		{
			"not editable",
			rule.Rule{HTML: rule.HTMLNeeded, IfNotEditable: rule.ActionTag},
			with("DKIM-Signature: v=1"),
			[]string{"X-Linkmilter: mx.example.org; action=tag; worst=none; findings=0; outcome=complete; not-edited=dkim-signed; rule=r"},
		},
		{
			"quarantined",
			rule.Rule{On: rule.On{High: rule.ActionQuarantine}},
			highMessage,
			[]string{
				"X-Linkmilter: mx.example.org; action=quarantine; worst=high; findings=1; outcome=complete; rule=r",
				`X-Linkmilter-Finding: mx.example.org; code=lookalike; severity=high; host="paypa1.com"; label="paypa1"; detail="looks like paypal.com but is another site"`,
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.rule.Name = "r"
			f := newFilter(t, filter.Options{ID: "MX.example.org", Rules: []rule.Rule{test.rule}})
			result := f.Message(context.Background(), stranger, []byte(test.message))
			got := fieldsOf(result.Message([]byte(test.message)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
			for _, field := range got {
				_, value, _ := strings.Cut(field, ": ")
				if err := checkStructured(value); err != nil {
					t.Errorf("%s: %v", field, err)
				}
			}
		})
	}
}

// TestTagsAreFewAndShort: for hundreds of findings about very long names, the filter writes ten
// fields, and the summary has the number of all.
func TestTagsAreFewAndShort(t *testing.T) {
	var body strings.Builder
	for i := range 500 {
		fmt.Fprintf(&body, "http://%s.p\u0430ypal%d.example/\u0430x\r\n", strings.Repeat("x", i%60+1), i)
	}
	raw := []byte(strings.Replace(text(body.String()), "us-ascii", "utf-8\r\nContent-Transfer-Encoding: 8bit", 1))
	chosen := rule.Rule{Name: "r", On: tagAll}
	result := check(t, "many", newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}), stranger, raw)
	got := fieldsOf(result.Edited)
	if len(got) != 11 || !strings.Contains(got[0], "; findings=1") {
		t.Errorf("%d fields: %.200q", len(got), got)
	}
	for _, field := range got {
		if _, value, _ := strings.Cut(field, ": "); checkStructured(value) != nil || len(field) > 2000 {
			t.Errorf("field of %d bytes: %s", len(field), field)
		}
	}
}

// TestEveryRuleOnEverySample: under each rule, a second pass changes nothing, whatever the first
// one edited, tagged and removed.
func TestEveryRuleOnEverySample(t *testing.T) {
	listed, edited := 0, 0
	var rules []rule.Rule
	for _, html := range []rule.HTML{rule.HTMLNever, rule.HTMLNeeded, rule.HTMLAlways} {
		for _, flagged := range []rule.Flagged{rule.FlaggedUnlink, rule.FlaggedLink, rule.FlaggedDefang} {
			chosen := rule.Rule{Name: "r", HTML: html, Flagged: flagged, On: tagAll}
			rules = append(rules, chosen)
			chosen.Trusted, chosen.When.Daemon = true, []string{"d"}
			chosen.EditSigned = true
			rules = append(rules, chosen)
			chosen.Plain = rule.PlainReadable
			rules = append(rules, chosen)
		}
	}
	env := stranger
	env.Daemon = "d"
	for _, chosen := range rules {
		f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}})
		for _, s := range samples(t) {
			name := fmt.Sprintf("%s (html %d, plain %d, flagged %d, trusted %v)", s.name, chosen.HTML, chosen.Plain, chosen.Flagged, chosen.Trusted)
			result := check(t, name, f, env, s.raw)
			if tagged(result.Report) {
				listed++
			}
			if result.Report.Edited {
				edited++
			}
		}
	}
	t.Logf("%d tagged, %d edited", listed, edited)
	if listed < 200 || edited < 200 {
		t.Errorf("%d tagged, %d edited: too few to call it tested", listed, edited)
	}
}

// checkStructured returns an error for a text that is no item with parameters (RFC 9651 §3.3). It
// follows the parsing algorithms of §4.2.3.
func checkStructured(s string) error {
	rest := strings.TrimLeft(s, abc+"0123456789.-_*:/!#$%&'+^`|~")
	if rest == s {
		return fmt.Errorf("no token at %.20q", s)
	}
	for rest != "" {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, ";"); !ok {
			return fmt.Errorf("no parameter at %.20q", rest)
		}
		key, value, ok := strings.Cut(strings.TrimLeft(rest, " "), "=")
		if !ok || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789_-.*") != "" {
			return fmt.Errorf("key %.20q", key)
		}
		n := bareItem(value)
		if n == 0 {
			return fmt.Errorf("%s: no value at %.40q", key, value)
		}
		rest = value[n:]
	}
	return nil
}

const abc = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// bareItem returns the length of the integer, token, string or display string
// that s begins with, or 0.
func bareItem(s string) int {
	token := func(s string) int { return len(s) - len(strings.TrimLeft(s, abc+"0123456789.-_*:/!#$%&'+^`|~")) }
	switch {
	case s == "":
		return 0
	case strings.HasPrefix(s, `%"`):
		for i := 2; i < len(s); i++ {
			switch c := s[i]; {
			case c == '"':
				return i + 1
			case c < ' ' || c > '~':
				return 0
			case c == '%':
				if i+2 >= len(s) || strings.Trim(s[i+1:i+3], "0123456789abcdef") != "" {
					return 0
				}
				i += 2
			}
		}
		return 0
	case s[0] == '"':
		for i := 1; i < len(s); i++ {
			switch c := s[i]; {
			case c == '"':
				return i + 1
			case c < ' ' || c > '~':
				return 0
			case c == '\\':
				if i++; i == len(s) || s[i] != '"' && s[i] != '\\' {
					return 0
				}
			}
		}
		return 0
	case '0' <= s[0] && s[0] <= '9':
		return len(s) - len(strings.TrimLeft(s, "0123456789"))
	case strings.ContainsRune(abc+"*", rune(s[0])):
		return token(s)
	}
	return 0
}

// FuzzHeaderFields puts any bytes into the header of a message with findings, and any text into a
// link. The filter writes ASCII in short, well-formed lines, with at most 64 edits, and nothing
// twice (I1, I2, I5, I8).
func FuzzHeaderFields(f *testing.F) {
	for _, header := range []string{
		"", forgedField + "\r\n", strings.Repeat(forgedField+"\r\n", 70), "X-Linkmilter:\r\n mx.example.org\r\n", "X-Linkmilter-Opt-Out: yes\r\n",
		"DKIM-Signature: v=1\r\n", "Content-Description: x\r\n", "X-Linkmilter-Finding: mx.example.org; code=\"\r\n", "X Y: z\r\n", "Subject: =?utf-8?q?=?=\r\n",
		strings.Repeat("Content-Description: x\r\n", 60),
	} {
		f.Add(header, "https://p\u0430ypal.example/")
	}
	f.Add("", "http://a\"b\\c%.example@192.0.2.1/\u0430x")
	rules := []rule.Rule{
		{Name: "trusted", When: rule.When{Authenticated: new(true)}, Trusted: true, HTML: rule.HTMLAlways, Flagged: rule.FlaggedDefang, On: tagAll},
		{Name: "others", On: tagAll},
	}
	filters := newFilter(f, filter.Options{ID: "mx.example.org", Rules: rules})
	f.Fuzz(func(t *testing.T, header, link string) {
		raw := []byte(header + strings.Replace(text("See "+link+" and https://paypa1.com/\r\n"), "us-ascii", "utf-8\r\nContent-Transfer-Encoding: 8bit", 1))
		for _, env := range []envelope.Envelope{stranger, localUser()} {
			result := check(t, "fuzzed", filters, env, raw)
			for _, e := range result.HeaderEdits {
				if e.Op != mime.OpAdd {
					continue
				}
				if err := checkStructured(e.Value); err != nil {
					t.Errorf("%s: %s: %v", e.Name, e.Value, err)
				}
			}
		}
	})
}
