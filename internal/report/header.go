package report

// A Header has the fields by which people know a message. Each value is that of the
// first field of its name, unfolded and cut after 1 KiB; it may hold any text, and
// bytes that are not UTF-8. It is empty where the message lacks the field.
type Header struct {
	MessageID string
	Date      string // as in the field (RFC 5322 §3.3)
	From      string // encoded words (RFC 2047) decoded
	Subject   string // likewise
}

// FieldSummary is the header field in which linkmilter sums up a report.
const FieldSummary = "X-Linkmilter"
