package adminpage

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/policy"
)

// exportTime is how long a client may take to read an export.
const exportTime = 10 * time.Minute

// export calls write for all messages that a request chooses. If an export fails, the connection
// ends, so that nobody takes a part for the whole.
func (p *Page) export(w http.ResponseWriter, r *http.Request, write func(*history.Message) error) {
	// The response recorders of tests have no deadline, which is no error.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(exportTime))
	for m, err := range p.options.History.All(r.Context(), queryOf(r.URL.Query())) {
		if err == nil {
			err = write(&m)
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

func (p *Page) serveJSON(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	separator := "[\n"
	p.export(w, r, func(m *history.Message) error {
		document, err := json.Marshal(m)
		if err == nil {
			_, err = io.WriteString(w, separator+string(document))
		}
		separator = ",\n"
		return err
	})
	if separator == "[\n" {
		_, _ = io.WriteString(w, "[") // the client is gone otherwise
	}
	_, _ = io.WriteString(w, "]\n")
}

// columns are the columns of the export as CSV, which has a line for each finding.
var columns = []string{"id", "time", "queue_id", "message_id", "client", "sender", "recipients", "rule", "action", "worst", "text", "ascii_host", "unicode_host", "looks_like", "code", "severity", "detail"}

func (p *Page) serveCSV(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="findings.csv"`)
	out := csv.NewWriter(w)
	_ = out.Write(columns) // Flush has the error
	p.export(w, r, func(m *history.Message) error {
		writeLines(out, m, history.Link{}, m.Findings)
		for _, l := range m.Links {
			writeLines(out, m, l, l.Findings)
		}
		return out.Error()
	})
	out.Flush()
}

// writeLines writes a line for each finding about a link, or about the message.
func writeLines(out *csv.Writer, m *history.Message, l history.Link, findings []policy.Finding) {
	for _, f := range findings {
		line := []string{
			m.ID.String(), m.Time.Format(time.RFC3339), m.QueueID, m.MessageID, m.Client, m.Sender, strings.Join(m.Recipients, " "), m.Rule, m.Action, m.Worst.String(),
			l.Text, l.ASCIIHost, l.UnicodeHost, l.LooksLike, string(f.Code), f.Severity.String(), f.Detail,
		}
		for i, value := range line {
			line[i] = printable.Cell(value)
		}
		_ = out.Write(line) // Error has it
	}
}
