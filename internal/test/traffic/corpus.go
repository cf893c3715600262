//go:build unix

package traffic

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"sync"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// A Message is a message with its number, and with what linkmilter makes of it. Send and
// the account use it; it does not change.
type Message struct {
	Mail
	ID   string
	want []byte // after the filter
}

// Changed reports whether the filter changes the message.
func (m *Message) Changed() bool { return !bytes.Equal(m.Raw, m.want) }

// A Corpus has messages. All goroutines may use it.
type Corpus struct {
	filter    *filter.Filter
	templates []template
}

// template is a message with the number 0.
type template struct {
	mail Mail
	once sync.Once
	want []byte
	at   int // offset of the field with the number in want
	err  error
}

// Sizes of the corpus.
const (
	templates = 500
	minSize   = 1 << 10
	maxSize   = 10 << 20
)

// NewCorpus returns the mixed corpus of a seed. f is a filter with the options of the
// linkmilter that gets the messages.
func NewCorpus(f *filter.Filter, seed uint64) *Corpus {
	r := rand.New(rand.NewPCG(seed, 0))
	all := make([]Mail, templates)
	for i := range all {
		// Of ten neighbours in size six have no links, three do, one is hostile.
		kind := []Kind{Plain, HTML, Plain, Linked, Plain, HTML, Plain, Hostile, Plain, Plain}[i%10]
		all[i] = Compose(kind, sizeAt((float64(i)+r.Float64())/templates), r)
	}
	all[templates-1] = Compose(Plain, maxSize, r)
	return NewCorpusOf(f, all...)
}

// sizeAt returns the size below which a share of the messages is.
func sizeAt(share float64) int {
	shares := []float64{0, 0.85, 0.97, 0.997, 1}
	for i := 1; i < len(shares); i++ {
		if share < shares[i] {
			// Sizes grow tenfold from each share to the next.
			part := (share - shares[i-1]) / (shares[i] - shares[i-1])
			return int(minSize * math.Pow(10, float64(i-1)+part))
		}
	}
	return maxSize
}

// NewCorpusOf returns a corpus of copies of the messages given.
func NewCorpusOf(f *filter.Filter, all ...Mail) *Corpus {
	c := &Corpus{filter: f, templates: make([]template, len(all))}
	for i, m := range all {
		m.Raw = append([]byte(field(0)), m.Raw...)
		c.templates[i].mail = m
	}
	return c
}

// field returns the field with a number. All have the same length.
func field(n uint64) string { return idField + ": " + number(n) + "\r\n" }

func number(n uint64) string { return fmt.Sprintf("%016x", n) }

// Message returns message n. It asks the filter once for each message of which this is a
// copy, so it may take a while.
func (c *Corpus) Message(n uint64) (*Message, error) {
	t := &c.templates[rand.New(rand.NewPCG(n, 1)).IntN(len(c.templates))]
	t.once.Do(func() { t.filter(c.filter) })
	if t.err != nil {
		return nil, t.err
	}
	m := &Message{Mail: t.mail, ID: number(n)}
	m.Raw = bytes.Clone(t.mail.Raw)
	copy(m.Raw, field(n))
	m.want = bytes.Clone(t.want)
	copy(m.want[t.at:], field(n))
	return m, nil
}

// filter notes what the filter makes of the message.
func (t *template) filter(f *filter.Filter) {
	env := envelope.Envelope{
		Sender: sender, Recipients: []string{recipient}, Client: netip.MustParseAddr(t.mail.client()),
		Host: Host,
	}
	result := f.Message(context.Background(), env, t.mail.Raw)
	if result.Action > rule.ActionTag {
		t.err = fmt.Errorf("the filter wants %v: use rules that let all messages go on", result.Action)
		return
	}
	t.want = result.Message(t.mail.Raw)
	if t.at = bytes.Index(t.want, []byte(field(0))); t.at < 0 {
		t.err = fmt.Errorf("the filter changed the field %s", idField)
	}
}
