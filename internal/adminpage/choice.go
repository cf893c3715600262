package adminpage

import (
	"net/url"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/policy"
)

// choiceKeys are the parameters of a request that choose messages.
var choiceKeys = []string{"q", "code", "severity", "host", "rule", "action", "from", "to"}

// queryOf reads the query of a request. Values that it does not know choose all.
func queryOf(values url.Values) history.Query {
	q := history.Query{
		Text: values.Get("q"), Code: policy.Code(strings.TrimSpace(values.Get("code"))), Host: values.Get("host"),
		Rule: values.Get("rule"), Action: values.Get("action"),
		From: timeOf(values.Get("from")), To: timeOf(values.Get("to")),
	}
	if q.Severity.UnmarshalText([]byte(values.Get("severity"))) != nil {
		q.Severity = policy.SeverityNone
	}
	if q.Before.UnmarshalText([]byte(values.Get("before"))) != nil {
		q.Before = 0
	}
	if q.After.UnmarshalText([]byte(values.Get("after"))) != nil {
		q.After = 0
	}
	return q
}

// timeOf reads a time of this machine's zone, as browsers send it, or one with a zone. It
// returns the zero time for anything else.
func timeOf(text string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t
		}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// choiceOf returns the parameters that choose messages, and more.
func choiceOf(values url.Values, more ...string) string {
	chosen := url.Values{}
	for _, key := range choiceKeys {
		if v := values.Get(key); v != "" {
			chosen.Set(key, v)
		}
	}
	for i := 0; i+1 < len(more); i += 2 {
		chosen.Set(more[i], more[i+1])
	}
	return chosen.Encode()
}
