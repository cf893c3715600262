package quarantine

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/contentfilter"
)

const (
	marked = "X-Linkmilter-Quarantined: mx.example.com;\r\n id=4Xq1;\r\n from=<eve@example.net>;\r\n recipients=2\r\n"
	held   = "From: eve@example.net\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nX-Linkmilter: other.example; worst=none\r\nX-Linkmilter: mx.example.com; action=quarantine; worst=high\r\n\r\nText\r\n..\r\nmit ü\r\n"
)

// untagged is held as it is released.
var untagged = strings.Replace(held, "X-Linkmilter: mx.example.com; action=quarantine; worst=high\r\n", "", 1)

// fill makes a quarantine with messages, by name, each with its recipients.
func fill(t *testing.T, messages map[string][]string) *Folder {
	t.Helper()
	path := t.TempDir()
	for _, folder := range []string{"tmp", "new", "cur"} {
		if err := os.Mkdir(filepath.Join(path, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, recipients := range messages {
		if err := os.WriteFile(filepath.Join(path, "new", name), []byte(marked+held), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := writeEnvelope(filepath.Join(path, name+".envelope"), Envelope{"eve@example.net", recipients}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// files returns the names of all files of a quarantine.
func files(t *testing.T, f *Folder) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(f.path, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, path[len(f.path)+1:])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestList: a message is described without its recipients, also where a mail program moved
// it.
func TestList(t *testing.T) {
	f := fill(t, map[string][]string{"1.mx": {"a@example.org", "b@example.org"}, "2.mx": {"c@example.org"}})
	if err := os.Rename(filepath.Join(f.path, "new", "2.mx"), filepath.Join(f.path, "cur", "2.mx:2,S")); err != nil {
		t.Fatal(err)
	}
	list, err := f.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	slices.SortFunc(list, func(a, b Message) int { return strings.Compare(a.Name, b.Name) })
	want := Message{Name: "1.mx", Time: list[0].Time, Size: int64(len(marked + held)), QueueID: "4Xq1", Sender: "eve@example.net", Recipients: 2, Subject: "Grüße", Worst: "high"}
	if diff := cmp.Diff(want, list[0]); diff != "" {
		t.Error(diff)
	}
	if list[1].Name != "2.mx" {
		t.Errorf("name %q", list[1].Name)
	}
	for _, name := range []string{"1.mx", "2.mx"} {
		if got, err := f.Read(name); string(got) != held || err != nil {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

// TestNames: only names of messages in quarantine are accepted.
func TestNames(t *testing.T) {
	f := fill(t, map[string][]string{"1.mx": {"a@example.org"}})
	for _, name := range []string{"", ".", "..", "../1.mx.envelope", "new/1.mx", "/etc/passwd", "2.mx", ".hidden"} {
		if _, err := f.Read(name); err == nil {
			t.Errorf("read %q", name)
		}
		if err := f.Delete(name); err == nil {
			t.Errorf("deleted %q", name)
		}
	}
	if err := f.Delete("1.mx"); err != nil || len(files(t, f)) > 0 {
		t.Errorf("%v, left %q", err, files(t, f))
	}
	if _, err := Open(filepath.Join(f.path, "none")); err == nil {
		t.Error("opened a folder that does not exist")
	}
}

// hop is a next hop that refuses some recipients.
type hop struct {
	mu      sync.Mutex // guards the rest
	refuses []string
	data    error // the reply to each message
	from    string
	to      []string
	content string
}

type hopSession struct {
	*hop
	to []string
}

func (h *hop) NewSession(*smtp.Conn) (smtp.Session, error) { return &hopSession{hop: h}, nil }

func (s *hopSession) Mail(from string, _ *smtp.MailOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = from
	return nil
}

func (s *hopSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.refuses, to) {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "<" + to + "> unknown"}
	}
	s.to = append(s.to, to)
	return nil
}

func (s *hopSession) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	if err == nil {
		err = s.data
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hop.to, s.content = s.to, string(content)
	return nil
}

func (*hopSession) Reset()        {}
func (*hopSession) Logout() error { return nil }

// serve starts the next hop and returns how to reach it.
func (h *hop) serve(t *testing.T, lmtp bool) contentfilter.NextHop {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := smtp.NewServer(h)
	s.Domain, s.LMTP, s.AllowInsecureAuth, s.EnableSMTPUTF8 = "hop.example", lmtp, true, true
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.Serve(l); err != nil && !errors.Is(err, smtp.ErrServerClosed) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { s.Close(); <-done })
	return contentfilter.NextHop{Address: l.Addr().String(), LMTP: lmtp}
}

// TestRelease: all recipients get the message without the mark, and it leaves the
// quarantine. Those that the next hop refuses stay in the envelope.
func TestRelease(t *testing.T) {
	all := []string{"a@example.org", "b@example.org", "c@example.org"}
	for _, lmtp := range []bool{false, true} {
		h := &hop{refuses: []string{"b@example.org"}}
		to := h.serve(t, lmtp)
		f := fill(t, map[string][]string{"1.mx": all})
		err := f.Release(t.Context(), to, "mx.example.com", "1.mx")
		if err == nil || !strings.Contains(err.Error(), "1 recipients left") || strings.Contains(err.Error(), "b@example.org") {
			t.Errorf("lmtp %t: %v", lmtp, err)
		}
		h.mu.Lock()
		if h.from != "eve@example.net" || !slices.Equal(h.to, []string{"a@example.org", "c@example.org"}) || h.content != untagged {
			t.Errorf("lmtp %t: from %q to %q\n%s", lmtp, h.from, h.to, h.content)
		}
		left, err := readEnvelope(f.envelopePath("1.mx"))
		if err != nil || left.Sender != "eve@example.net" || !slices.Equal(left.Recipients, h.refuses) {
			t.Errorf("lmtp %t: left %+v, %v", lmtp, left, err)
		}
		h.refuses = nil
		h.mu.Unlock()
		if err := f.Release(t.Context(), to, "mx.example.com", "1.mx"); err != nil || len(files(t, f)) > 0 {
			t.Errorf("lmtp %t: %v, left %q", lmtp, err, files(t, f))
		}
	}
}

// TestNotReleased: a message that the next hop does not take stays whole.
func TestNotReleased(t *testing.T) {
	for name, h := range map[string]*hop{
		"refused":            {data: &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "no"}},
		"unknown recipients": {refuses: []string{"a@example.org", "b@example.org"}},
		"down":               nil,
	} {
		f := fill(t, map[string][]string{"1.mx": {"a@example.org", "b@example.org"}})
		before := files(t, f)
		to := contentfilter.NextHop{Address: "127.0.0.1:1"}
		if h != nil {
			to = h.serve(t, false)
		}
		if err := f.Release(t.Context(), to, "mx.example.com", "1.mx"); err == nil {
			t.Errorf("%s: released", name)
		}
		envelope, err := readEnvelope(f.envelopePath("1.mx"))
		if err != nil || len(envelope.Recipients) != 2 || !slices.Equal(before, files(t, f)) {
			t.Errorf("%s: %+v, %v, files %q", name, envelope, err, files(t, f))
		}
	}
}

// TestBrokenEnvelope: a message whose envelope cannot be read is not released.
func TestBrokenEnvelope(t *testing.T) {
	for _, content := range []string{"", "from=<a@example.org>\n", "to=<a@example.org>\n", "from=<>\nbcc=<a@example.org>\n", "from=<>\n\n"} {
		f := fill(t, map[string][]string{"1.mx": {"a@example.org"}})
		if err := os.WriteFile(f.envelopePath("1.mx"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Release(t.Context(), contentfilter.NextHop{Address: "127.0.0.1:1"}, "mx.example.com", "1.mx"); err == nil || !strings.Contains(err.Error(), "envelope") {
			t.Errorf("%q: %v", content, err)
		}
	}
}
