package mailserver

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
)

// Addresses says how much of the addresses of an envelope the log has.
type Addresses string

// The choices. The zero value is AddressesNone.
const (
	AddressesFull   Addresses = "full"
	AddressesDomain Addresses = "domain" // the part after the @
	AddressesNone   Addresses = "none"
)

// Details say what the log line of a message has in addition to codes and counts.
type Details struct {
	Addresses Addresses
	URLs      bool // the flagged URLs, defanged
}

// Bounds of one line of the log. A message of many recipients or links must not fill
// it.
const (
	maxHosts      = 20
	maxURLs       = 5
	maxURL        = 200 // bytes
	maxRecipients = 20
	maxMessageID  = 250
)

// appendEnvelope appends who sent the message to whom.
func (d Details) appendEnvelope(attrs []slog.Attr, env *envelope.Envelope) []slog.Attr {
	if env == nil {
		return attrs
	}
	if env.Client.IsValid() {
		attrs = append(attrs, slog.String("client", env.Client.String()))
	}
	if env.Helo != "" {
		attrs = append(attrs, slog.String("helo", Safe(env.Helo)))
	}
	if d.Addresses != AddressesFull && d.Addresses != AddressesDomain {
		return attrs
	}
	attrs = append(attrs, slog.String("sender", d.Address(env.Sender)))
	var recipients []string
	for _, recipient := range env.Recipients {
		if address := d.Address(recipient); !slices.Contains(recipients, address) && len(recipients) < maxRecipients {
			recipients = append(recipients, address)
		}
	}
	if len(recipients) > 0 {
		attrs = append(attrs, slog.Any("recipients", recipients))
	}
	if len(env.Recipients) > 1 {
		attrs = append(attrs, slog.Int("recipient_count", len(env.Recipients)))
	}
	return attrs
}

// Address returns the part of an address that the operator's configuration allows, fit for a log
// line.
func (d Details) Address(address string) string {
	if d.Addresses != AddressesFull && d.Addresses != AddressesDomain {
		return ""
	}
	if at := strings.LastIndexByte(address, '@'); d.Addresses == AddressesDomain {
		address = address[at+1:]
		if at < 0 && address != "" {
			address = "local" // a local name without a domain says who it is
		}
	}
	return Safe(address)
}

// appendFlagged appends the codes of the findings, the hosts of flagged links, and the names
// that hosts, texts of links and senders imitate. Hosts are in A-labels, which cannot look like
// another host.
func (d Details) appendFlagged(attrs []slog.Attr, r *report.Report) []slog.Attr {
	var codes, hosts, urls, imitated unique
	for i := range r.Findings {
		codes.add(string(r.Findings[i].Code), len(r.Findings))
	}
	for i := range r.Links {
		found := &r.Links[i]
		for _, f := range found.Verdict.Findings {
			codes.add(string(f.Code), maxCodes)
			imitated.add(Safe(report.Imitated(f)), maxHosts)
		}
		if found.Flagged {
			hosts.add(Safe(found.Link.ASCIIHost()), maxHosts)
			if d.URLs {
				urls.add(defanged(found), maxURLs)
			}
		}
	}
	for _, list := range []struct {
		key  string
		list unique
	}{{"findings", codes}, {"hosts", hosts}, {"looks_like", imitated}, {"urls", urls}} {
		if len(list.list) > 0 {
			attrs = append(attrs, slog.Any(list.key, []string(list.list)))
		}
	}
	return attrs
}

// maxCodes is larger than the number of codes.
const maxCodes = 100

// defanged returns the URL that a link opens in a form that no program makes a link of.
func defanged(found *report.Found) string {
	url := found.Href
	if url == "" {
		url = found.Link.Text
	}
	if len(url) > maxURL {
		url = url[:maxURL] + "..."
	}
	return safeUpTo(defanger.Replace(url), 2*maxURL)
}

var defanger = strings.NewReplacer("http://", "hxxp://", "https://", "hxxps://", "ftp://", "fxp://", ".", "[.]", "@", "[@]", "mailto:", "mailto[:]")

// unique is a list of different texts.
type unique []string

// add adds a text, unless it is empty or known, or the list has most texts.
func (u *unique) add(text string, most int) {
	if text != "" && len(*u) < most && !slices.Contains(*u, text) {
		*u = append(*u, text)
	}
}
