// Package htmltoken reads tokens of HTML at offsets of a source, as [html.Tokenizer] reads
// them, at a fraction of the cost.
package htmltoken
