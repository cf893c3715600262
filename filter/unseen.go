package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/filter/unseen"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// maxUnseenKept is the number of unseen texts of each severity that a report keeps.
const maxUnseenKept = 64

// noteUnseen notes what a text of a part hides. place returns the range of the source that a range of
// the text comes from. Only the first reading of a part counts: in a wrong charset, letters look like
// soft hyphens.
func (c *collector) noteUnseen(part, text string, place func(start, end int) (int, int)) {
	if c.again != nil || c.guess {
		return
	}
	var room [8]report.Unseen
	for _, u := range unseen.Append(room[:0], text) {
		u.Start, u.End = place(u.Start, u.End)
		c.addUnseen(part, u)
	}
}

// noteTexts returns what notes what the texts of HTML hide; nil in further readings of a part.
func (h *htmlReading) noteTexts() func(*page.Text) {
	if h.again != nil || h.guess {
		return nil
	}
	return func(t *page.Text) {
		place := func(start, end int) (int, int) {
			start, end, _ = t.Source(start, end)
			return start, end
		}
		var u report.Unseen
		var ok bool
		switch t.Veil {
		case page.Hidden:
			u, ok = unseen.Hidden(t.Text)
		case page.Faint, page.Comment:
			u, ok = unseen.Prompt(t.Text)
		}
		if ok {
			u.Start, u.End = t.Start, t.End
			h.addUnseen(h.part.Number, u)
		}
		h.noteUnseen(h.part.Number, t.Text, place)
	}
}

// addUnseen adds an unseen text of a part, unless there are many.
func (c *collector) addUnseen(part string, u report.Unseen) {
	same := 0
	for i := range c.unseen {
		if c.unseen[i].Severity == u.Severity {
			same++
		}
	}
	if same >= maxUnseenKept {
		return
	}
	u.Part, u.Says = part, strings.Clone(u.Says)
	c.unseen = append(c.unseen, u)
}

// deceives reports whether the message hides what only deception hides.
func (r *reading) deceives() bool {
	for i := range r.unseen {
		if r.unseen[i].Severity >= policy.SeverityMedium {
			return true
		}
	}
	return false
}

// unseenVariant returns what the unseen texts of a message are, and where: the worst first.
func unseenVariant(r *reading) (v variant, where string, more int) {
	worst := &r.unseen[0]
	for i := range r.unseen {
		if r.unseen[i].Severity > worst.Severity {
			worst = &r.unseen[i]
		}
	}
	for i := range r.unseen {
		if r.unseen[i].Severity == worst.Severity {
			more++
		}
	}
	v = unseenFiller
	if worst.Severity >= policy.SeverityMedium {
		v = unseenDeception
	}
	return v, unseenWords[worst.Kind] + ", in " + worst.Part, more
}

// unseenWords say what the kinds of unseen texts are.
var unseenWords = map[string]string{
	"filler": "invisible characters that say nothing", "break": "invisible characters in a word", "tags": "tag characters that spell a text",
	"selectors": "variation selectors that carry data", "bits": "invisible characters that carry data", "split": "a word that invisible characters split",
	"mark": "marks of another script on the letters of a word", "order": "Bidi controls that show words in another order",
	report.UnseenHidden: "hidden text of HTML that is longer than a preview", report.UnseenPrompt: "hidden text of HTML that speaks to a program",
}
