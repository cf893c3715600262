package calendar

// A Kind says how programs show a value.
type Kind uint8

// The kinds.
const (
	kindText    Kind = iota // a text
	KindURL                 // a URL that opens on a click
	KindHTML                // HTML
	KindAddress             // the URL or address of a person
	KindContent             // bytes of an attached file
	KindLabel               // the URL of a property that programs show with a label
	KindName                // the address of a vCard that programs show with the name of the card
)

// An Item is a value of a property, or of one of its parameters.
type Item struct {
	Kind  Kind
	Value string // unfolded, decoded and without escapes
	// Name is what programs show for a KindAddress: the common name; for a KindLabel: the
	// label; for a KindName: the name of the card; for a KindContent: the name of the file, if it has one.
	Name string
	// Type is the media type of a KindContent as written; "" for others, and where none is
	// declared.
	Type string
	// Start and End are the range of the property in the source, in bytes.
	Start, End int
}
