package htmlpart

import (
	"context"
	"strings"
	"testing"
)

// TestLabelsWithTexts: a label whose rest is a text is read once.
func TestLabelsWithTexts(t *testing.T) {
	source := "</script><button><label>" + strings.Repeat("<script>", maxAround)
	r := newReader(t.Context(), source, len(source), func(Item, error) bool { return true })
	r.buttons = true
	asked := 0
	r.ctx = &countingContext{t.Context(), &asked}
	const labels = maxLabelled / maxAround
	for range 2 * labels {
		r.labelled(&attributes{}, place{len(source) - maxAround, len(source) - maxAround})
	}
	if most := 4 * maxLabelled / (checkEvery / 4); asked > most {
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

// TestManyLabels: a form may have many labels.
func TestManyLabels(t *testing.T) {
	source := `<form action="https://example.com/">` + strings.Repeat(`<label><input type=radio name=a> 5</label>`, 200) + "<button>Send</button></form>"
	for _, err := range Read(t.Context(), source, len(source)) {
		if err != nil {
			t.Error(err)
		}
	}
}
