package filter

// A Place says what kind of text a link stands in.
type Place uint8

// The places.
const (
	PlaceText     Place = iota // a text/plain part, or the text given to [Filter.Text]
	PlaceHTMLLink              // an attribute of HTML whose URL opens on a click
	PlaceHTMLText              // a text of HTML beside the links
	PlaceHeader                // a field of the header of the message or of an attached one
	PlaceEnvelope              // the envelope sender
)

// String returns "text", "html-link", "html-text", "header" or "envelope".
func (p Place) String() string {
	switch p {
	case PlaceHTMLLink:
		return "html-link"
	case PlaceHTMLText:
		return "html-text"
	case PlaceHeader:
		return "header"
	case PlaceEnvelope:
		return "envelope"
	}
	return "text"
}

// envelopeSender is Found.Part of the envelope sender.
const envelopeSender = "envelope:sender"

// headerPrefix begins Found.Part of a header field of the message itself.
const (
	headerPrefix  = "header:"
	headerSubject = headerPrefix + "Subject"
)

// headerPart returns Found.Part of a header field: part, if it is of the message
// itself; else number is that of the attached message that it belongs to.
func headerPart(number, part string) string {
	if number == "" {
		return part
	}
	return number + "/" + part
}
