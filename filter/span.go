package filter

// A span is a piece of a text: text[start:end].
type span struct{ start, end int }
