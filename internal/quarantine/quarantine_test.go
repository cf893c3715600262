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
	"syscall"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/contentfilter"
)

const (
	marked = "X-Linkmilter-Quarantined: mx.example.com;\r\n id=4Xq1;\r\n from=<eve@example.net>;\r\n recipients=2\r\n"
	held   = "From: eve@example.net\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nX-Linkmilter: other.example; worst=none\r\nX-Linkmilter: mx.example.com; action=quarantine; worst=high\r\n\r\nText\r\n..\r\nmit ü\r\n"
)

// untagged is the message held as release sends it.
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
	for name := range messages {
		if err := os.WriteFile(filepath.Join(path, "new", name), []byte(marked+held), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	for name, recipients := range messages {
		if err := f.writeEnvelope(name, Envelope{"eve@example.net", recipients}); err != nil {
			t.Fatal(err)
		}
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

// TestList: the list describes a message without its recipients, also if a mail program moved it.
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
	taken   []string // the recipients of all messages
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
	s.taken = append(s.taken, s.to...)
	return nil
}

func (s *hopSession) Reset()      { s.to = nil }
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
		if err := s.Serve(l); err != nil && !errors.Is(err, smtp.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		s.Close()
		l.Close() // Serve may not have begun
		<-done
	})
	return contentfilter.NextHop{Address: l.Addr().String(), LMTP: lmtp}
}

// TestRelease: all recipients get the message without our field, and it leaves the quarantine.
// Recipients that the next hop refuses stay in the envelope.
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
		left, err := f.readEnvelope("1.mx")
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

// TestNotReleased: a message that the next hop refuses stays as it is.
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
		envelope, err := f.readEnvelope("1.mx")
		if err != nil || len(envelope.Recipients) != 2 || !slices.Equal(before, files(t, f)) {
			t.Errorf("%s: %+v, %v, files %q", name, envelope, err, files(t, f))
		}
	}
}

// TestBrokenEnvelope: a message whose envelope cannot be read is not released.
func TestBrokenEnvelope(t *testing.T) {
	for _, content := range []string{"", "from=<a@example.org>\n", "to=<a@example.org>\n", "from=<>\nbcc=<a@example.org>\n", "from=<>\n\n"} {
		f := fill(t, map[string][]string{"1.mx": {"a@example.org"}})
		if err := os.WriteFile(filepath.Join(f.path, "1.mx.envelope"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Release(t.Context(), contentfilter.NextHop{Address: "127.0.0.1:1"}, "mx.example.com", "1.mx"); err == nil || !strings.Contains(err.Error(), "envelope") {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// TestQuarantineOpensRegularFilesOnly: through a link in the quarantine, no other file is read or
// written. A named pipe does not block.
func TestQuarantineOpensRegularFilesOnly(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("from=<>\nto=<secret@example.org>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]func(f *Folder, path string) error{
		"link":             func(_ *Folder, path string) error { return os.Symlink(secret, path) },
		"link to message":  func(f *Folder, path string) error { return os.Symlink(filepath.Join(f.path, "new", "2.mx"), path) },
		"relative link":    func(_ *Folder, path string) error { return os.Symlink("../new/2.mx", path) },
		"link to a device": func(_ *Folder, path string) error { return os.Symlink("/dev/zero", path) },
		"link to nothing":  func(_ *Folder, path string) error { return os.Symlink("nothing", path) },
		"link to itself":   func(_ *Folder, path string) error { return os.Symlink(filepath.Base(path), path) },
		"named pipe":       func(_ *Folder, path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder":           func(_ *Folder, path string) error { return os.Mkdir(path, 0o700) },
		"socket": func(_ *Folder, path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { l.Close() })
			}
			return err
		},
	}
	for kind, make := range kinds {
		for _, at := range []string{"new/1.mx", "cur/1.mx:2,S", "1.mx.envelope"} {
			f := fill(t, map[string][]string{"1.mx": {"a@example.org"}, "2.mx": {"b@example.org"}})
			path := filepath.Join(f.path, at)
			before := filepath.Join(f.path, "new", "1.mx")
			if at == "1.mx.envelope" {
				before = path
			}
			if err := os.Remove(before); err != nil {
				t.Fatal(err)
			}
			if err := make(f, path); err != nil {
				t.Fatal(err)
			}
			list, err := f.List()
			if err != nil || at != "1.mx.envelope" && len(list) != 1 {
				t.Errorf("%s at %s: listed %+v, %v", kind, at, list, err)
			}
			if got, err := f.Read("1.mx"); at != "1.mx.envelope" && err == nil {
				t.Errorf("%s at %s: read %q", kind, at, got)
			}
			h := &hop{}
			if err := f.Release(t.Context(), h.serve(t, false), "mx.example.com", "1.mx"); err == nil || h.content != "" {
				t.Errorf("%s at %s: released %q, %v", kind, at, h.content, err)
			}
		}
	}
}

// TestEnvelopeIsNotWrittenThroughLink: if the envelope is a link, a new envelope replaces the link,
// and the file behind it stays.
func TestEnvelopeIsNotWrittenThroughLink(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("stays"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := fill(t, map[string][]string{"1.mx": {"a@example.org", "b@example.org"}})
	if err := os.Symlink(other, filepath.Join(f.path, "1.mx.envelope.next")); err != nil {
		t.Fatal(err)
	}
	h := &hop{refuses: []string{"b@example.org"}}
	if err := f.Release(t.Context(), h.serve(t, false), "mx.example.com", "1.mx"); err == nil || !strings.Contains(err.Error(), "1 recipients left") {
		t.Errorf("%v", err)
	}
	left, err := f.readEnvelope("1.mx")
	content, _ := os.ReadFile(other)
	if err != nil || !slices.Equal(left.Recipients, h.refuses) || string(content) != "stays" {
		t.Errorf("left %+v, %v; the other file has %q", left, err, content)
	}
}

// TestFolderOfQuarantineIsNoLink: if a folder of the Maildir is a link, nothing of the other folder
// is listed. A named pipe in its place does not block.
func TestFolderOfQuarantineIsNoLink(t *testing.T) {
	other := fill(t, map[string][]string{"1.mx": {"a@example.org"}})
	for name, make := range map[string]func(path string) error{
		"link":       func(path string) error { return os.Symlink(filepath.Join(other.path, "new"), path) },
		"named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		path := t.TempDir()
		if err := make(filepath.Join(path, "new")); err != nil {
			t.Fatal(err)
		}
		if f, err := Open(path); err == nil {
			t.Errorf("%s: opened %q", name, f.path)
		}
	}
}

// counted counts the bytes that were read.
type counted struct {
	r io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// TestListReadsHeadersOnly: a list of large messages does not read them. The end of a header is found
// wherever it lies.
func TestListReadsHeadersOnly(t *testing.T) {
	for _, length := range []int{0, 1, headerChunk - 30, headerChunk - 12, headerChunk - 11, headerChunk - 10, headerChunk, 3 * headerChunk} {
		header := "Subject: " + strings.Repeat("x", length) + "\r\n\r\n"
		c := &counted{r: strings.NewReader(header + strings.Repeat("body\r\n\r\n", 1<<20))}
		m, err := readHeader(c)
		if err != nil || len(m.Root.Fields) != 1 || len(m.Body(m.Root)) != 0 || c.n > len(header)+headerChunk {
			t.Errorf("%d: %v, %d fields, %d bytes read", length, err, len(m.Root.Fields), c.n)
		}
	}
	if _, err := readHeader(strings.NewReader("")); err != nil {
		t.Error(err)
	}
}
