package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// The limits of one message, so that hostile mail cannot fill memory or disk.
const (
	maxLinks      = 20
	maxFindings   = 20 // findings of the message, and of each link
	maxRecipients = 20
	maxText       = 300      // bytes of one text
	maxBytes      = 16 << 10 // bytes of all links
)

// A Message has the facts that the history keeps about a message.
type Message struct {
	ID         ID              `json:"id"`
	Time       time.Time       `json:"time"`
	QueueID    string          `json:"queue_id"`
	MessageID  string          `json:"message_id"`
	Client     string          `json:"client"`
	Sender     string          `json:"sender"`
	Recipients []string        `json:"recipients"`
	Subject    string          `json:"subject,omitempty"` // only where the operator wants it
	Rule       string          `json:"rule"`
	Action     string          `json:"action"`
	Because    string          `json:"because"`
	NotDone    string          `json:"action_not_done"`
	Edited     bool            `json:"edited"`
	Worst      policy.Severity `json:"worst"`
	Links      []Link          `json:"links"`
	// Findings are the findings about the message itself.
	Findings []policy.Finding `json:"findings"`
	// Trial is the action that a rule on trial did not take.
	Trial string `json:"trial,omitempty"`
	// Marks are what operators said of findings, by their code: MarkRight or MarkWrong.
	Marks map[policy.Code]string `json:"marks,omitempty"`
	// Later says what operators did with the message in quarantine: "released by anna".
	Later string `json:"later,omitempty"`

	// Seen says that the message was not flagged and only its links are kept.
	Seen bool `json:"seen,omitempty"`

	// Changed says that the file has the message as it was.
	Changed bool `json:"-"`
}

// A Link is a link with findings.
type Link struct {
	Part        string           `json:"part"`
	Text        string           `json:"text"`
	ASCIIHost   string           `json:"ascii_host"`
	UnicodeHost string           `json:"unicode_host"`
	LooksLike   string           `json:"looks_like"`
	Findings    []policy.Finding `json:"findings"`
}

// newMessage returns the Message to keep, still without an ID, and whether the message is kept at
// all.
func newMessage(e *mailserver.Event, now time.Time) (Message, bool) {
	worst := e.Report.Worst()
	if worst < policy.SeverityMedium {
		return Message{}, false
	}
	m := Message{
		Time: now, QueueID: Bounded(e.QueueID), MessageID: Bounded(e.Report.Header.MessageID), Rule: e.Report.Rule,
		Action: e.Action.String(), Because: e.Report.Because, NotDone: string(e.ActionReason), Edited: e.Edited, Worst: worst,
		Findings: boundedFindings(e.Report.Findings),
	}
	if e.Report.DryRun {
		m.Trial = e.Report.Action.String()
	}
	for i := range e.Report.Links {
		if found := &e.Report.Links[i]; found.Verdict.Worst() >= policy.SeverityMedium && len(m.Links) < maxLinks {
			m.addLink(NewLink(found))
		}
	}
	m.setEnvelope(e)
	return m, true
}

// newSeen returns the Message to keep of a message that is not flagged: its envelope and its links,
// at first one for each host. It reports whether there are links.
func newSeen(e *mailserver.Event, now time.Time) (Message, bool) {
	m := Message{
		Time: now, QueueID: Bounded(e.QueueID), MessageID: Bounded(e.Report.Header.MessageID), Rule: e.Report.Rule,
		Action: e.Action.String(), Because: e.Report.Because, NotDone: string(e.ActionReason), Edited: e.Edited, Worst: e.Report.Worst(), Seen: true,
	}
	hosts, texts := make(map[string]bool), make(map[string]bool)
	for _, wantsHost := range []bool{true, false} {
		for i := range e.Report.Links {
			link := &e.Report.Links[i].Link
			host := link.ASCIIHost()
			if len(m.Links) >= maxLinks || link.Kind == engine.KindEmail || host == "" || texts[link.Text] || wantsHost && hosts[host] {
				continue
			}
			hosts[host], texts[link.Text] = true, true
			m.addLink(Link{Part: e.Report.Links[i].Part, Text: Bounded(link.Text), ASCIIHost: Bounded(host)})
		}
	}
	m.setEnvelope(e)
	return m, len(m.Links) > 0
}

// addLink adds a link, unless the links would become too long.
func (m *Message) addLink(l Link) {
	size := l.size()
	for i := range m.Links {
		size += m.Links[i].size()
	}
	if size <= maxBytes || len(m.Links) == 0 {
		m.Links = append(m.Links, l)
	}
}

// setEnvelope sets those parts of the envelope that the operator's configuration allows.
func (m *Message) setEnvelope(e *mailserver.Event) {
	env := e.Envelope
	if env == nil {
		return
	}
	if env.Client.IsValid() {
		m.Client = env.Client.String()
	}
	m.Sender = Bounded(e.Details.Address(env.Sender))
	for _, recipient := range env.Recipients[:min(len(env.Recipients), maxRecipients)] {
		if address := Bounded(e.Details.Address(recipient)); address != "" && !slices.Contains(m.Recipients, address) {
			m.Recipients = append(m.Recipients, address)
		}
	}
}

// NewLink returns the Link to keep of a link that was found.
func NewLink(found *report.Found) Link {
	l := Link{
		Part: found.Part, Text: Bounded(found.Link.Text),
		ASCIIHost: Bounded(found.Link.ASCIIHost()), UnicodeHost: Bounded(found.Link.UnicodeHost()),
		Findings: boundedFindings(found.Verdict.Findings),
	}
	for _, f := range found.Verdict.Findings {
		if name := report.Imitated(f); name != "" {
			l.LooksLike = Bounded(name)
			break
		}
	}
	return l
}

// size returns the bytes of all texts.
func (l *Link) size() int {
	n := len(l.Part) + len(l.Text) + len(l.ASCIIHost) + len(l.UnicodeHost) + len(l.LooksLike)
	for _, f := range l.Findings {
		n += len(f.Code) + len(f.Label) + len(f.Detail)
	}
	return n
}

func boundedFindings(findings []policy.Finding) []policy.Finding {
	var all []policy.Finding
	for _, f := range findings[:min(len(findings), maxFindings)] {
		f.Label, f.Detail = Bounded(f.Label), Bounded(f.Detail)
		all = append(all, f)
	}
	return all
}

// Bounded returns the beginning of a text without control characters, in memory of its own, so that
// the message is not kept in memory.
func Bounded(s string) string {
	if len(s) > maxText {
		s = s[:maxText] + "…"
	}
	return strings.Clone(printable.Text(s))
}

// An ID identifies a message permanently. Later messages have higher IDs: an ID begins with the
// time in microseconds. It ends with random bits, so that two processes may write one file.
type ID int64

// chanceBits is the number of random bits of an ID.
const chanceBits = 11

// String returns the ID as in URLs of the page: 16 hexadecimal digits.
func (id ID) String() string { return fmt.Sprintf("%016x", uint64(id)) }

// MarshalText writes the ID as String does, because many programs read numbers of JSON exactly only
// up to 2^53.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (id *ID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 63)
	if err != nil || ID(n).String() != string(text) {
		return fmt.Errorf("id %q: not valid (want 16 hexadecimal digits)", text)
	}
	*id = ID(n)
	return nil
}

// firstID returns the lowest ID of a time, or the lowest or highest ID if the time is out of range.
func firstID(t time.Time) ID {
	const farthest = 1<<(63-chanceBits) - 1
	return ID(min(max(t.Unix(), 0), farthest/1_000_000) * 1_000_000 << chanceBits)
}

// ids makes IDs. Several goroutines may use it.
type ids struct {
	mu   sync.Mutex
	last ID
}

// next returns an ID that is higher than all IDs before.
func (g *ids) next(now time.Time) ID {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = max(g.last+1, ID(now.UnixMicro())<<chanceBits|ID(rand.N(int64(1)<<chanceBits)))
	return g.last
}
