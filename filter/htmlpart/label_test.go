package htmlpart

import (
	"context"
	"strings"
	"testing"
)

// TestLabelsWithTexts: a label whose rest is a text is read once.
func TestLabelsWithTexts(t *testing.T) {
	label := "<label>" + strings.Repeat("<script>", maxAround/len("<script>"))
	source := "</script><button>" + strings.Repeat(label, maxLabelled)
	r := newReader(t.Context(), source, len(source), func(Item, error) bool { return true })
	r.buttons = true
	asked := 0
	r.ctx = &countingContext{t.Context(), &asked}
	for range maxLabelled {
		r.labelled(&attributes{}, place{len(source) - maxAround, len(source) - maxAround})
	}
	if most := 4 * maxLabelled * maxAround / (checkEvery / 4); asked > most {
		t.Errorf("the context was asked %d times, at most %d", asked, most)
	}
}

// countingContext counts how often it is asked.
type countingContext struct {
	context.Context
	asked *int
}

func (c *countingContext) Err() error {
	*c.asked++
	return c.Context.Err()
}
