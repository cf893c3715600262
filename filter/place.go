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

// Found.Part of header fields. They are constants, so that naming the fields of
// every message takes no memory.
const (
	headerFrom    = headerPrefix + "From"
	headerSender  = headerPrefix + "Sender"
	headerReplyTo = headerPrefix + "Reply-To"
	headerSubject = headerPrefix + "Subject"

	headerPrefix = "header:"
)

// headerPart returns Found.Part of a header field, given as that of the message;
// number is that of the attached message that the header belongs to, empty for the
// message itself.
func headerPart(number, field string) string {
	if number == "" {
		return field
	}
	return number + "/" + field
}
