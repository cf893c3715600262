package linkify_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/test/linkify"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// TestNoLinkUnseen: if at least two programs link a text, detection returns it as a link, an
// address or a suspect, with the same host or one below it. If it returns another host, judging has
// a finding.
func TestNoLinkUnseen(t *testing.T) {
	n := long.Rows(100_000, 10_000)
	lines := linkify.Corpus(58, n)
	found := linkify.Find(t, lines)
	s := newSight(t)
	agreed, unseen := 0, 0
	for i, line := range lines {
		ours := s.scanner.Append(nil, line)
		for _, l := range found[i].Agreed() {
			if agreed++; s.sees(ours, line, l) {
				continue
			}
			if unseen++; unseen <= 50 {
				t.Errorf("%s: nothing has the host %s of %s; found %s", line, l.Host, line[l.Start:l.End], describe(ours))
			}
		}
	}
	t.Logf("%d lines, %d links of two programs, %d unseen", len(lines), agreed, unseen)
	if agreed < n/2 {
		t.Errorf("only %d links of two programs", agreed)
	}
}

// TestNoLookalikeUnseen: at least two programs link a look-alike behind another link. The link that
// detection returns there has a finding.
func TestNoLookalikeUnseen(t *testing.T) {
	n := long.Rows(20_000, 2000)
	names := []string{"paypa1.com", "goog1e.com"}
	lines := linkify.Joined(58, n, names)
	found := linkify.Find(t, lines)
	s := newSight(t)
	agreed, unseen := 0, 0
	for i, line := range lines {
		ours := s.scanner.Append(nil, line)
		for _, l := range found[i].Agreed() {
			if !slices.Contains(names, strings.TrimPrefix(l.Host, "www.")) {
				continue
			}
			flagged := func(o engine.Link) bool {
				return o.Start < l.End && l.Start < o.End && s.judge.Link(o).Worst() >= policy.SeverityMedium
			}
			if agreed++; !slices.ContainsFunc(ours, flagged) {
				if unseen++; unseen <= 50 {
					t.Errorf("%s: %s has no finding; found %s", line, line[l.Start:l.End], describe(ours))
				}
			}
		}
	}
	t.Logf("%d lines, %d look-alikes that two programs link, %d unseen", len(lines), agreed, unseen)
	if agreed < n/2 {
		t.Errorf("only %d look-alikes that two programs link", agreed)
	}
}

// A sight is what linkmilter sees and judges.
type sight struct {
	scanner *engine.Scanner
	judge   *policy.Judge
}

func newSight(tb testing.TB) sight {
	tb.Helper()
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		tb.Fatal(err)
	}
	judge, err := policy.New(policy.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return sight{scanner, judge}
}

// sees reports whether one of our links covers a link of another program: with a host of the same
// registered domain, or with a host that begins with that of the other and is judged with it.
func (s *sight) sees(ours []engine.Link, line string, l linkify.Link) bool {
	if !opens(l.Host) {
		touches := func(o engine.Link) bool { return o.Start < l.End && l.Start < o.End }
		return slices.ContainsFunc(ours, touches) || !isPlainHost(l.Host) || isLocalhost(line[l.Start:l.End])
	}
	registered, err := publicsuffix.EffectiveTLDPlusOne(l.Host)
	if err != nil {
		registered = l.Host
	}
	for i := range ours {
		o := &ours[i]
		if o.Start >= l.End || l.Start >= o.End {
			continue
		}
		host := strings.TrimSuffix(o.ASCIIHost(), ".")
		inside := l.Start >= o.Start+len(o.Head(len(o.Text)).Text) || o.Kind == engine.KindEmail
		switch {
		case host == l.Host, strings.HasSuffix("."+host, "."+registered), strings.HasPrefix(strings.ToLower(o.Components().Host), line[l.Start:l.End]+"."), strings.HasPrefix(host, l.Host+"."):
			return true
		case inside && o.Kind != engine.KindSuspect:
			return true // in a path or local-part, to programs that do not know the top-level domain
		case inside && strings.Contains(line[l.Start:l.End], "://"):
			return true // judged as a URL in a URL
		case o.Start > l.Start && endsBeyondASCII(line[l.Start:o.Start]):
			return true // in default mode, text and symbols before a host are not part of it
		case o.Start < l.Start && endsInSign(line[:l.Start]), l.End < o.End && beginsWithSign(line[l.End:]):
			return true // judged with the host
		case s.judge.Link(*o).Worst() >= policy.SeverityMedium:
			return true
		}
	}
	return false
}

// endsBeyondASCII reports whether a text ends beyond ASCII, but for hyphens.
func endsBeyondASCII(text string) bool {
	text = strings.TrimRight(text, "-")
	return text != "" && text[len(text)-1] >= utf8.RuneSelf
}

// endsInSign reports whether the last character of a text is a sign.
func endsInSign(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return isSign(r)
}

// beginsWithSign reports whether the first character of a text is a sign.
func beginsWithSign(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isSign(r)
}

// isSign reports whether r is beyond ASCII and not a letter, a mark or a decimal digit.
func isSign(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isPlainHost reports whether a host has only labels of ASCII that are not A-labels.
func isPlainHost(host string) bool {
	return strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" && !strings.Contains(host, "xn--")
}

// isLocalhost reports whether a link is the bare word localhost, which nobody has registered.
func isLocalhost(text string) bool { return strings.HasPrefix(strings.ToLower(text), "localhost") }

// opens reports whether a browser can open the host: an IP address, or a name below a
// top-level domain that exists, in which the domain that was registered is a name of
// letters, digits and hyphens.
func opens(host string) bool {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 || !tld.Builtin().Contains(labels[len(labels)-1]) {
		return false
	}
	registered := labels[len(labels)-2]
	return registered != "" && strings.Trim(registered, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func describe(links []engine.Link) string {
	if len(links) == 0 {
		return "nothing"
	}
	var b strings.Builder
	for _, l := range links {
		b.WriteString("[" + l.Kind.String() + " " + l.Text + " " + l.ASCIIHost() + "]")
	}
	return b.String()
}
