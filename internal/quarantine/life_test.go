package quarantine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/engine"
)

// age gives a message another time.
func age(t *testing.T, f *Folder, name string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(filepath.Join(f.path, "new", name), at, at); err != nil {
		t.Fatal(err)
	}
}

// namesOf returns the names of messages.
func namesOf(list []Message) string {
	var all []string
	for _, m := range list {
		all = append(all, m.Name)
	}
	return strings.Join(all, " ")
}

// TestExpire: messages are deleted by age, and the oldest ones if all together are too large.
func TestExpire(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Now()
	size := int64(len(marked + held))
	for _, test := range []struct {
		keep Retention
		want string // what is deleted
	}{
		{Retention{}, ""},
		{Retention{Age: 31 * day}, ""},
		{Retention{Age: 9 * day}, "1.mx 2.mx"},
		{Retention{Size: 4 * size}, ""},
		{Retention{Size: 4*size - 1}, "1.mx"},
		{Retention{Age: 9 * day, Size: size}, "1.mx 2.mx 3.mx"},
		{Retention{Size: 1}, "1.mx 2.mx 3.mx 4.mx"},
	} {
		f := fill(t, map[string][]string{"1.mx": {"a@example.org"}, "2.mx": {"a@example.org"}, "3.mx": {"a@example.org"}, "4.mx": {"a@example.org"}})
		for name, days := range map[string]time.Duration{"1.mx": 30, "2.mx": 20, "3.mx": 8, "4.mx": 1} {
			age(t, f, name, now.Add(-days*day))
		}
		deleted, err := f.Expire(test.keep, now)
		if got := namesOf(deleted); got != test.want || err != nil {
			t.Errorf("%+v: deleted %q, want %q, %v", test.keep, got, test.want, err)
		}
		if left := len(files(t, f)); left != 2*(4-len(deleted)) { // each with its envelope
			t.Errorf("%+v: %d files are left", test.keep, left)
		}
	}
}

// TestSelect: a filter selects the messages that fulfil all its conditions.
func TestSelect(t *testing.T) {
	now := time.Now()
	f := fill(t, map[string][]string{"1.mx": {"anna@example.org"}, "2.mx": {"bert@example.com", "carl@sub.example.org"}, "3.mx": {"dora@example.net"}})
	const finding = "X-Linkmilter-Finding: mx.example.com; code=lookalike; severity=high;\r\n label=%\"a; code=userinfo\"\r\n"
	content := strings.Replace(marked+held, "\r\n\r\n", "\r\n"+finding+strings.Replace(finding, "mx.example.com; code=lookalike", "other.example; code=partial", 1)+"\r\n", 1)
	if err := os.WriteFile(filepath.Join(f.path, "new", "3.mx"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	age(t, f, "1.mx", now.Add(-48*time.Hour))
	age(t, f, "2.mx", now.Add(-time.Hour))
	for _, test := range []struct {
		which Filter
		want  string
	}{
		{Filter{}, "1.mx 2.mx 3.mx"},
		{Filter{Before: now.Add(-24 * time.Hour)}, "1.mx"},
		{Filter{Code: "lookalike"}, "3.mx"},
		{Filter{Code: "userinfo"}, ""},
		{Filter{Code: "partial"}, ""},
		{Filter{To: []string{"@example.org", ".example.org"}}, "1.mx 2.mx"},
		{Filter{To: []string{"@example.org"}, Before: now.Add(-72 * time.Hour)}, ""},
		{Filter{From: []string{"@example.net"}}, "1.mx 2.mx 3.mx"},
		{Filter{From: []string{"eve@example.com"}}, ""},
	} {
		list, err := f.Select(test.which)
		if got := namesOf(list); got != test.want || err != nil {
			t.Errorf("%+v: %q, want %q, %v", test.which, got, test.want, err)
		}
	}
}

// TestReleasedIsNotFiledAgain: a released message has neither linkmilter's tags nor the text before
// its subject, and is otherwise unchanged.
func TestReleasedIsNotFiledAgain(t *testing.T) {
	const tags = "X-Linkmilter: mx.example.com; action=quarantine; worst=high;\r\n rule=others\r\n" +
		"X-Linkmilter-Finding: mx.example.com; code=lookalike;\r\n\thost=\"a.example\"\r\n"
	const foreign = "X-Linkmilter: other.example; worst=none\r\nX-Linkmilter-Finding: other.example; code=partial\r\n"
	const body = "\r\nSubject: [x] in the body\r\nX-Linkmilter: mx.example.com; worst=high\r\n"
	for before, after := range map[string]string{
		"Subject: [x] Hello\r\n":                           "Subject: Hello\r\n",
		"subject: Hello [x]\r\n":                           "subject: Hello [x]\r\n",
		"Subject: [x] =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n":     "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n",
		"Subject: =?utf-8?q?=5Bx=5D_Gr=C3=BC=C3=9Fe?=\r\n": "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n",
		"Subject: [x] of\r\n several lines\r\nX: \xff\r\n": "Subject: of\r\n several lines\r\nX: \xff\r\n",
	} {
		got := released([]byte("From: a@example.net\r\n"+foreign+before+tags+body), []string{"", "[x]"})
		if want := "From: a@example.net\r\n" + foreign + after + body; string(got) != want {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
	for _, whole := range []string{"", "no header", "X-Linkmilter: a; worst=high\r\n", "A: b\r\n\r\n"} {
		if got := released([]byte(whole), nil); string(got) != whole {
			t.Errorf("%q became %q", whole, got)
		}
	}
}

// TestDigestHasNoLinks: no program finds anything to open in a digest, whatever the sender wrote.
func TestDigestHasNoLinks(t *testing.T) {
	h := &hop{}
	next := h.serve(t, false)
	f := fill(t, map[string][]string{"1700000000.M1.mx.example.com": {"anna@example.org", "bert@example.net"}})
	subject := "Subject: pay at https://pаypal.com/ or www.evil.example, mailto:eve@evil.example // http://1.2.3.4/\r\n X-Fake: a\r\n"
	content := strings.Replace(marked+held, "Subject:", subject+"X-Old:", 1)
	if err := os.WriteFile(filepath.Join(f.path, "new", "1700000000.M1.mx.example.com"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	digests, err := f.Digests([]string{"postmaster@example.org"}, []string{"@example.org"}, Digest{From: "postmaster@example.org", Host: "mx.example.org", Since: now.Add(-time.Hour), Now: now})
	if err != nil || len(digests) != 2 || digests[1].To != "anna@example.org" {
		t.Fatal(err, digests)
	}
	for _, d := range digests {
		for _, link := range scanner.FindAllString(d.Text(), -1) {
			t.Errorf("a link: %s\n%s", link, d.Text())
		}
		if !strings.Contains(d.Text(), "evil[.]example") || strings.Contains(d.Text(), "bert") {
			t.Errorf("%s", d.Text())
		}
		if name := d.Messages[0].Name; !strings.Contains(d.Text(), plain(name)) || Undo(plain(name)) != name {
			t.Errorf("name %q in %s", name, d.Text())
		}
		if sent, err := Send(t.Context(), next, "mx.example.org", []Digest{d}); err != nil || !sent[0] {
			t.Fatal(err)
		}
	}
	if !slices.Equal(h.to, []string{"anna@example.org"}) || h.from != "" || !strings.Contains(h.content, "Auto-Submitted: auto-generated\r\n") {
		t.Errorf("sent to %q from %q:\n%s", h.to, h.from, h.content)
	}
	digests, err = f.Digests([]string{"postmaster@example.org"}, nil, Digest{Since: now.Add(time.Hour)})
	if err != nil || len(digests) > 0 {
		t.Errorf("%v, %d digests without messages", err, len(digests))
	}
}
