package htmlpart

import "strings"

// quotes are what a quotation has before it and after it (CSS Content §3.1).
type quotes struct {
	open, close string
	unsure      bool // programs may show others: those of a quotation within, or of another rule
}

// quotesOf reads a value of quotes. It returns none for those that cannot be in a URL.
func quotesOf(value string) (q quotes) {
	isComputed := strings.Contains(strings.ToLower(value), "var(")
	if all := contentOf(value); !hasLetters(all) && !strings.ContainsAny(all, ".:/") && !isComputed {
		return q
	}
	for _, quote := range [...]*string{&q.open, &q.close} {
		i := strings.IndexAny(value, `"'`)
		if i < 0 {
			break
		}
		*quote, value, _ = strings.Cut(value[i+1:], value[i:i+1])
	}
	q.unsure = isComputed || strings.ContainsAny(value, `"'`)
	return q
}

// withQuotes returns a generated text with the quotes of its element; nil for those of ordinary
// texts.
func withQuotes(text string, q *quotes) string {
	if !strings.ContainsAny(text, openQuoteMark+closeQuoteMark) {
		return text
	}
	if q == nil {
		q = new(quotes)
	}
	return strings.NewReplacer(openQuoteMark, q.open, closeQuoteMark, q.close).Replace(text)
}
