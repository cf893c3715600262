//go:build unix

package traffic

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/mta"
	"github.com/linkmilter/linkmilter/milter"
)

func newFilter(tb testing.TB) *filter.Filter {
	tb.Helper()
	f, err := filter.New(filter.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func listen(tb testing.TB) net.Listener {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	return l
}

// startMilter returns the address of a milter.
func startMilter(tb testing.TB, f mailserver.Filter) string {
	tb.Helper()
	s, err := milter.NewServer(milter.Options{Options: mailserver.Options{Filter: f, Log: slog.New(slog.DiscardHandler)}})
	if err != nil {
		tb.Fatal(err)
	}
	l := listen(tb)
	go s.Serve(l)
	tb.Cleanup(func() { s.Shutdown(context.Background()) })
	return l.Addr().String()
}

// startContentFilter returns the address of a content filter in front of a sink.
func startContentFilter(tb testing.TB, f mailserver.Filter, a *Account) string {
	tb.Helper()
	sink, next, l := NewSink(a), listen(tb), listen(tb)
	go sink.Serve(next)
	tb.Cleanup(func() { sink.Close() })
	s, err := contentfilter.NewServer(contentfilter.Options{
		Options: mailserver.Options{Filter: f, Log: slog.New(slog.DiscardHandler)},
		NextHop: contentfilter.NextHop{Address: next.Addr().String()}, Name: Host,
	})
	if err != nil {
		tb.Fatal(err)
	}
	go s.Serve(l)
	tb.Cleanup(func() { s.Shutdown(context.Background()) })
	return l.Addr().String()
}

// sendAll sends messages one after the other.
func sendAll(tb testing.TB, send func(context.Context, *Message) error, c *Corpus, n int) {
	tb.Helper()
	for i := range n {
		m, err := c.Message(uint64(i))
		if err != nil {
			tb.Fatal(err)
		}
		if err := send(tb.Context(), m); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestBothWays: by milter and by SMTP, all messages arrive as the filter edits them.
func TestBothWays(t *testing.T) {
	f := newFilter(t)
	corpus, messages := NewCorpus(f, 1), 300
	if testing.Short() {
		messages = 100
	}
	for name, newSender := range map[string]func(*Account) (func(context.Context, *Message) error, func()){
		"milter": func(a *Account) (func(context.Context, *Message) error, func()) {
			s := &Milter{Milter: mta.Milter{Network: "tcp", Address: startMilter(t, f), Host: Host}, Account: a}
			return s.Send, s.Close
		},
		"smtp": func(a *Account) (func(context.Context, *Message) error, func()) {
			s := &SMTP{Address: startContentFilter(t, f, a), Account: a}
			return s.Send, s.Close
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := NewAccount()
			send, end := newSender(a)
			defer end()
			sendAll(t, send, corpus, messages)
			got := a.Close()
			t.Logf("%+v", got)
			if !got.OK() || got.Sent != messages || got.Filtered+got.Same != messages || got.Filtered < messages/5 || len(a.open) > 0 {
				t.Errorf("%+v, %d open\n%s", got, len(a.open), strings.Join(a.Problems(), "\n"))
			}
		})
	}
}

// breaking changes each message in a way that the account has to notice.
type breaking struct{ f *filter.Filter }

func (b breaking) Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
	return b.f.Message(ctx, env, bytes.ReplaceAll(raw, []byte("wikipedia"), []byte("wikipedla")))
}

// TestDamageIsNoticed: the account notices a filter that damages messages.
func TestDamageIsNoticed(t *testing.T) {
	f := newFilter(t)
	text := compose("text/plain", "See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE for more.\r\n"+strings.Repeat("Some words of ordinary text.\r\n", 100))
	corpus := NewCorpusOf(f, Mail{Raw: text, Trusted: true})
	m, err := corpus.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Changed() {
		t.Fatal("the filter does not edit the message")
	}
	a := NewAccount()
	s := &Milter{Milter: mta.Milter{Network: "tcp", Address: startMilter(t, breaking{f}), Host: Host}, Account: a}
	defer s.Close()
	sendAll(t, s.Send, corpus, 3)
	if got := a.Close(); got.Damaged != 3 || got.OK() {
		t.Errorf("%+v", got)
	}
}

// The account knows what became of each message.
func TestAccount(t *testing.T) {
	m := &Message{Mail: Mail{Raw: []byte(field(7) + "Subject: x\r\n\r\nbody\r\n")}, ID: number(7)}
	m.want = append([]byte("X-Linkmilter: a\r\n"), m.Raw...)
	tagged := append([]byte("X-Linkmilter: b;\r\n c=d\r\n"), m.Raw...)
	for _, c := range []struct {
		name  string
		story func(a *Account)
		want  Totals
	}{
		{"as the filter makes it", func(a *Account) { a.arrived(m.want); a.accepted(m) }, Totals{Sent: 1, Filtered: 1}},
		{"as it was", func(a *Account) { a.arrived(m.Raw); a.accepted(m) }, Totals{Sent: 1, Original: 1}},
		{"as it was, with other tags", func(a *Account) { a.arrived(tagged); a.accepted(m) }, Totals{Sent: 1, Original: 1}},
		{"accepted first", func(a *Account) { a.accepted(m); a.arrived(m.want) }, Totals{Sent: 1, Filtered: 1}},
		{"lost", func(a *Account) { a.accepted(m) }, Totals{Sent: 1, Lost: 1}},
		{"refused", func(a *Account) { a.refused(m, "550") }, Totals{Sent: 1, Lost: 1}},
		{"not yet sent", func(*Account) {}, Totals{Unsettled: 1}},
		{"abandoned", func(a *Account) { a.failed(m, false); a.abandoned(m) }, Totals{Retries: 1}},
		{"damaged", func(a *Account) { a.arrived(m.Raw[:len(m.Raw)-2]); a.accepted(m) }, Totals{Sent: 1, Damaged: 1}},
		{"without its number", func(a *Account) { a.arrived(m.Raw[30:]) }, Totals{Damaged: 1, Unsettled: 1}},
		{"doubled", func(a *Account) { a.arrived(m.want); a.accepted(m); a.arrived(m.want) }, Totals{Sent: 1, Filtered: 1, Doubled: 1}},
		{"doubled before the reply", func(a *Account) { a.arrived(m.want); a.arrived(m.want); a.accepted(m) }, Totals{Sent: 1, Filtered: 1, Doubled: 1}},
		{"repeated", func(a *Account) { a.arrived(m.want); a.failed(m, true); a.arrived(m.want); a.accepted(m) }, Totals{Sent: 1, Filtered: 1, Retries: 1, Repeated: 1}},
		{"repeated once too often", func(a *Account) {
			a.arrived(m.want)
			a.failed(m, true)
			a.arrived(m.want)
			a.arrived(m.want)
			a.accepted(m)
		}, Totals{Sent: 1, Filtered: 1, Retries: 1, Repeated: 1, Doubled: 1}},
		{"tried again, arrived once", func(a *Account) { a.failed(m, true); a.arrived(m.want); a.accepted(m) }, Totals{Sent: 1, Filtered: 1, Retries: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := NewAccount()
			a.begin(m)
			c.story(a)
			if got := a.Close(); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if problems := a.Problems(); len(problems) != c.want.Lost+c.want.Damaged+c.want.Doubled {
				t.Errorf("problems %q", problems)
			}
		})
	}
}

// The corpus is what it says, and the same each time.
func TestCorpus(t *testing.T) {
	f := newFilter(t)
	corpus, again := NewCorpus(f, 5), NewCorpus(f, 5)
	other := NewCorpus(f, 6)
	largest, small, differ := 0, 0, 0
	for i := range corpus.templates {
		raw := corpus.templates[i].mail.Raw
		if !bytes.Equal(raw, again.templates[i].mail.Raw) {
			t.Fatalf("message %d differs with the same seed", i)
		}
		if !bytes.Equal(raw, other.templates[i].mail.Raw) {
			differ++
		}
		largest = max(largest, len(raw))
		if len(raw) < 12<<10 {
			small++
		}
		if len(raw) < 500 {
			t.Errorf("message %d has %d bytes", i, len(raw))
		}
	}
	t.Logf("largest %d bytes, %d of %d small", largest, small, len(corpus.templates))
	if largest < maxSize-1000 || largest > maxSize+1000 || small < len(corpus.templates)*7/10 || differ < len(corpus.templates)*9/10 {
		t.Errorf("largest %d bytes, %d small, %d differ by seed", largest, small, differ)
	}
}
