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

// Reasons beside those of every protocol.
const (
	reasonNotRequested mailserver.Reason = "edit-not-requested" // the request did not ask for the edited message (edit=true)
	reasonCanceled     mailserver.Reason = "canceled"           // the client did not wait for the answer
)

// A summary is what the findings of an answer have in common.
type summary struct {
	Worst policy.Severity `json:"worst"`
	Codes []policy.Code   `json:"codes"` // each once, in the order of the records
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

// A checkedMessage is the answer about a message.
type checkedMessage struct {
	record.Origin
	Outcome string          `json:"outcome"`
	Reasons []report.Reason `json:"reasons"`
	summary
	record.Decision
	Records []record.Record `json:"records"`
	Message []byte          `json:"message,omitempty"` // in base64
}

// checkedLinks is the answer about links.
type checkedLinks struct {
	summary
	Records []record.Record `json:"records"`
}

// linksWanted describes the body of a request to check links.
const linksWanted = `{"links": ["https://example.com/"]}`

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
	var asked struct {
		Links []string `json:"links"`
	}
	start := time.Now()
	body, err := c.decode(&asked, linksWanted)
	if err != nil {
		return err
	}
	defer body.Free()
	answer := checkedLinks{Records: []record.Record{}}
	err = c.explained(asked.Links, len(body.Raw), func(x explain.Explanation, _ error) {
		answer.Records = append(answer.Records, recordOf(x))
	})
	if err != nil {
		return err
	}
	answer.summary = summaryOf(answer.Records)
	c.log.Info("links", "links", len(answer.Records), "worst", answer.Worst.String(), "findings", answer.Codes, "duration", time.Since(start))
	return c.answerWith(body, answer.Records, answer)
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
	collected, err := c.message()
	if err != nil {
		return err
	}
	defer collected.Free()
	r := &mailserver.Record{Start: time.Now(), QueueID: q.QueueID, Size: int64(len(collected.Raw))}
	if err := c.judge(r, q, collected.Raw); err != nil {
		return err
	}
	answer, err := c.answerTo(r, q, collected)
	c.Conclude(r, c.log)
	if err != nil {
		return err
	}
	return c.answerWith(collected, answer.Records, answer)
}

// judge gives the message to the filter.
func (c *call) judge(r *mailserver.Record, q query, raw []byte) error {
	granted, end := c.Work(r.Size)
	defer end()
	if granted < r.Size {
		return busy("no memory for another message (limits.memory): try again")
	}
	c.Decide(c.r.Context(), r, c.log, q.Envelope, raw)
	return nil
}

// answerTo returns the answer about the message of r, and notes in r what the client gets.
func (c *call) answerTo(r *mailserver.Record, q query, collected *mailserver.Collected) (*checkedMessage, error) {
	if r.Reason != "" {
		return nil, problemf(http.StatusInternalServerError, "linkmilter failed on this message: the log says how")
	}
	result := &r.Result
	f, _ := c.options.Judges()
	answer := &checkedMessage{
		Origin: record.OriginOf(&result.Report.Header), Outcome: result.Report.Outcome.String(), Reasons: append([]report.Reason{}, result.Report.Reasons...),
		Decision: record.DecisionOf(&result.Report), Records: record.All("", f, &result.Report),
	}
	answer.summary = summaryOf(answer.Records)
	switch {
	case c.r.Context().Err() != nil:
		r.Reason = reasonCanceled
	case q.edit:
		if !collected.Take(int64(cap(result.Edited))) {
			r.Reason = mailserver.ReasonMemory
			return nil, busy("no memory for the edited message (limits.memory): try again")
		}
		answer.Message = result.Message(collected.Raw)
		if result.Edited != nil {
			r.Edited, r.Tagged, r.Signed = !result.Plan.Empty(), result.EditsHeader(), result.Report.Signed != ""
		}
	case !result.Plan.Empty():
		r.Reason = reasonNotRequested
	}
	return answer, nil
}

// answerWith writes an answer that has records, in the memory for messages.
func (c *call) answerWith(collected *mailserver.Collected, records []record.Record, object any) error {
	if !collected.Take(sizeOf(records)) {
		return busy("no memory for the answer (limits.memory): try again")
	}
	return c.answer(object)
}

// recordSize is about the size in bytes of a record in JSON beside its texts.
const recordSize = 512

// sizeOf returns about the size of records in JSON.
func sizeOf(records []record.Record) (n int64) {
	for i := range records {
		r := &records[i]
		n += int64(recordSize + len(r.Text) + len(r.Href) + len(r.Display))
	}
	return n
}
