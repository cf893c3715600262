// Package record writes what was found in a message or a text as records for other
// programs: one for each link, and for each finding about the message itself. The names
// of their fields in JSON are a contract. The command scan prints records, and the HTTP
// API answers with them.
package record

import (
	"net/mail"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A Record is about one link, or about the message itself ([OfMessage]). Part names the place as in
// [report.Found]; offset and length are in bytes of the text there, in UTF-8.
type Record struct {
	File        string           `json:"file"`
	Part        string           `json:"part"`
	Offset      int              `json:"offset"`
	Length      int              `json:"length"`
	Kind        string           `json:"kind"`
	Text        string           `json:"text"`
	Href        string           `json:"href"`
	Display     string           `json:"display"`
	ASCIIHost   string           `json:"ascii_host"`
	UnicodeHost string           `json:"unicode_host"`
	Findings    []policy.Finding `json:"findings"`
}

// Worst returns the highest severity among the findings.
func (r *Record) Worst() policy.Severity {
	worst := policy.SeverityNone
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// KindMessage is the kind of a record that is about a message and not about a link.
const KindMessage = "message"

// New returns the record of a link in a file.
func New(file string, found report.Found) Record {
	findings := found.Verdict.Findings
	if findings == nil {
		findings = []policy.Finding{}
	}
	return Record{
		File:        file,
		Part:        found.Part,
		Offset:      found.Link.Start,
		Length:      found.Link.End - found.Link.Start,
		Kind:        found.Link.Kind.String(),
		Text:        found.Link.Text,
		Href:        found.Href,
		Display:     found.Display,
		ASCIIHost:   found.Link.ASCIIHost(),
		UnicodeHost: found.Link.UnicodeHost(),
		Findings:    findings,
	}
}

// OfMessage returns the findings of f about a message itself. Each place that
// was not read has a record: part is the number of the part, "" for the whole
// message. Detail and severity are those of its reason. Fields other than file,
// part, kind and findings are empty.
func OfMessage(file string, f *filter.Filter, r *report.Report) []Record {
	var all []Record
	add := func(part string, finding policy.Finding) {
		all = append(all, Record{File: file, Part: part, Kind: KindMessage, Findings: []policy.Finding{finding}})
	}
	for _, finding := range r.Findings {
		switch finding.Code {
		case report.CodePartial, report.CodeUnreadable:
			for _, u := range notReadPlaces(r) {
				add(u.part, policy.Finding{Code: finding.Code, Severity: f.ReadingSeverity(finding.Code, u.reason), Detail: string(u.reason)})
			}
		case report.CodeForgedField:
			add("header:"+report.FieldSummary, finding)
		default:
			add("", finding)
		}
	}
	return all
}

// notReadPlace is a place that was not read to its end, and why.
type notReadPlace struct {
	part   string
	reason report.Reason
}

// notReadPlaces returns the parts that were not read, in order, and then the
// reasons that do not belong to a part.
func notReadPlaces(r *report.Report) []notReadPlace {
	var places []notReadPlace
	known := make(map[report.Reason]bool)
	for _, p := range r.Parts {
		if p.Reason != "" {
			places = append(places, notReadPlace{p.Number, p.Reason})
			known[p.Reason] = true
		}
	}
	for _, reason := range r.Reasons {
		if !known[reason] {
			places = append(places, notReadPlace{"", reason})
		}
	}
	return places
}

// Append appends the records of a message in a file to all: those of [OfMessage], then one for each
// link. The result is not nil.
func Append(all []Record, file string, f *filter.Filter, r *report.Report) []Record {
	if all == nil {
		all = []Record{}
	}
	all = slices.Grow(append(all, OfMessage(file, f, r)...), len(r.Links))
	for i := range r.Links {
		all = append(all, New(file, r.Links[i]))
	}
	return all
}

// An Origin names the message of a record. Date is in RFC 3339, or as in the message if it cannot
// be read.
type Origin struct {
	MessageID string `json:"message_id"`
	From      string `json:"from"`
	Subject   string `json:"subject"`
	Date      string `json:"date"`
}

// OriginOf returns the origin of a message with that header.
func OriginOf(h *report.Header) Origin {
	o := Origin{MessageID: h.MessageID, From: h.From, Subject: h.Subject, Date: h.Date}
	if date := DateOf(h); !date.IsZero() {
		o.Date = date.Format(time.RFC3339)
	}
	return o
}

// commonDate is the form of most dates. It is tried first, as net/mail takes twenty
// times as long.
const commonDate = "Mon, 2 Jan 2006 15:04:05 -0700"

// DateOf reads the date of a message (RFC 5322 §3.3). If it cannot read the date, it returns the
// zero time.
func DateOf(h *report.Header) time.Time {
	if h.Date == "" {
		return time.Time{}
	}
	if date, err := time.Parse(commonDate, h.Date); err == nil {
		return date
	}
	if date, err := mail.ParseDate(h.Date); err == nil {
		return date
	}
	return time.Time{}
}

// InMessage is a record with the origin of its message; nil for a plain text.
type InMessage struct {
	Record
	*Origin
}

// A Decision is what the rules do with a message.
type Decision struct {
	Rule    string `json:"rule"`
	Action  string `json:"action"`
	Because string `json:"because"`
	Edited  bool   `json:"edited"`
	NotDone string `json:"not_done"`
	DryRun  bool   `json:"dry_run"`
}

// DecisionOf returns the decision about the message of a report.
func DecisionOf(r *report.Report) Decision {
	return Decision{r.Rule, r.Action.String(), r.Because, r.Edited, string(r.NotDone), r.DryRun}
}
