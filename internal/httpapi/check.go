package httpapi

import (
	"mime"
	"net/http"
	"time"

	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// Reasons that only this protocol has.
const (
	reasonNotRequested mailserver.Reason = "edit-not-requested" // the request did not ask for the edited message (edit=true)
	reasonCanceled     mailserver.Reason = "canceled"           // the client did not wait for the answer
)

// A summary summarises the findings of an answer.
type summary struct {
	Worst policy.Severity `json:"worst"`
	Codes []policy.Code   `json:"codes"` // each code once, in the order of the records
}

// summaryOf summarises the findings of records.
func summaryOf(records []record.Record) summary {
	s := summary{Codes: []policy.Code{}}
	known := make(map[policy.Code]bool)
	for i := range records {
		s.Worst = max(s.Worst, records[i].Worst())
		for _, f := range records[i].Findings {
			if !known[f.Code] {
				known[f.Code] = true
				s.Codes = append(s.Codes, f.Code)
			}
		}
	}
	return s
}

// checkedLinks is the answer about links, without their records.
type checkedLinks struct {
	summary
	Unread int `json:"unread"` // number of texts that are not links and so were not judged
}

// A checkedMessage is the answer about a message, without its records.
type checkedMessage struct {
	record.Origin
	Outcome string          `json:"outcome"`
	Reasons []report.Reason `json:"reasons"`
	summary
	record.Decision

	records []record.Record
	message []byte // the edited message; nil if it was not asked for
}

// check checks a message or links.
func (c *call) check() error {
	given := c.r.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(given)
	switch {
	case err == nil && (kind == "message/rfc822" || kind == "message/global"):
		return c.checkMessage()
	case err == nil && kind == typeJSON:
		return c.checkLinks()
	}
	return problemf(http.StatusUnsupportedMediaType, "Content-Type %q: not supported (want message/rfc822 for a message, or application/json for links)", given).closing()
}

func (c *call) checkLinks() error {
	if c.r.URL.RawQuery != "" {
		return problemf(http.StatusBadRequest, "parameters apply to messages alone (want none with links)")
	}
	start := time.Now()
	var answer checkedLinks
	var records []record.Record
	body, err := c.explained("links", func(x explain.Explanation, _ error) {
		if x.Kind == explain.KindText {
			x = explain.Explanation{Input: x.Input, Kind: explain.KindNone} // no link was judged
		}
		records = append(records, recordOf(x))
		if x.Kind == explain.KindNone {
			answer.Unread++
		}
	})
	if err != nil {
		return err
	}
	defer body.Free()
	answer.summary = summaryOf(records)
	c.log.Info("links", "links", len(records), "unread", answer.Unread, "worst", answer.Worst.String(), "findings", answer.Codes, "duration", time.Since(start))
	return answerList(c, answer, "records", records, nil)
}

// recordOf returns the record of a link by itself.
func recordOf(x explain.Explanation) record.Record {
	r := record.New("", report.Found{Link: x.Link, Verdict: x.Verdict, Href: x.Link.Href(), Display: x.Display})
	r.Kind, r.Text, r.Offset, r.Length = x.Kind, x.Input, 0, len(x.Input)
	return r
}

func (c *call) checkMessage() error {
	q, err := readQuery(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	q.Envelope.Host = c.options.Host
	collected, err := c.message()
	if err != nil {
		return err
	}
	defer collected.Free()
	answer, err := c.judge(q, collected)
	if err != nil {
		return err
	}
	return answerList(c, answer, "records", answer.records, answer.message)
}

// judge gives the message to the filter and returns the answer. Afterwards the memory of the report
// is free for other requests.
func (c *call) judge(q query, collected *mailserver.Collected) (*checkedMessage, error) {
	r := &mailserver.Record{Start: time.Now(), QueueID: q.QueueID, Size: int64(len(collected.Raw))}
	end, err := c.work(len(collected.Raw), 0)
	if err != nil {
		return nil, err
	}
	defer end()
	c.Decide(c.r.Context(), r, c.log, q.Envelope, collected.Raw)
	answer, err := c.answerTo(r, q, collected)
	c.Conclude(r, c.log)
	return answer, err
}

// answerTo returns the answer about the message of r, and records in r what the client gets.
func (c *call) answerTo(r *mailserver.Record, q query, collected *mailserver.Collected) (*checkedMessage, error) {
	if r.Reason != "" {
		return nil, problemf(http.StatusInternalServerError, "linkmilter failed on this message: the log says how")
	}
	result := &r.Result
	if !collected.Take(int64(len(result.Report.Links))*recordSize + int64(cap(result.Edited))) {
		r.Reason = mailserver.ReasonMemory
		return nil, busy("no memory for the answer (limits.memory): try again")
	}
	f, _ := c.options.Judges()
	answer := &checkedMessage{
		Origin: record.OriginOf(&result.Report.Header), Outcome: result.Report.Outcome.String(), Reasons: append([]report.Reason{}, result.Report.Reasons...),
		Decision: record.DecisionOf(&result.Report), records: record.Append(nil, "", f, &result.Report),
	}
	answer.summary = summaryOf(answer.records)
	switch {
	case c.r.Context().Err() != nil:
		r.Reason = reasonCanceled
	case q.edit:
		answer.message = result.Message(collected.Raw)
		if result.Edited != nil {
			r.Edited, r.Tagged, r.Signed = !result.Plan.Empty(), result.EditsHeader(), result.Report.Signed != ""
		}
	case !result.Plan.Empty():
		r.Reason = reasonNotRequested
	}
	return answer, nil
}
