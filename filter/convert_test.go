package filter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/test/letters"
	"github.com/linkmilter/linkmilter/mime"
)

// TestConvertKeepsTexts: a message that was only converted has the same parts, texts and header
// fields, except for the transfer encoding.
func TestConvertKeepsTexts(t *testing.T) {
	f := newFilter(t, filter.Options{Signer: signerFor(t, mailauth.EightBitConvert, "example.com")})
	plain := newFilter(t, filter.Options{Signer: signerFor(t, mailauth.EightBitSign, "example.com")})
	converted := 0
	for _, letter := range letters.All(t, "example.com") {
		if plain.Message(context.Background(), localUser(), letter.Message).Report.Edited || ascii.Is(letter.Message) {
			continue
		}
		result := f.Message(context.Background(), localUser(), letter.Message)
		if !result.Report.Edited {
			continue
		}
		converted++
		before, after := textsOf(t, letter.Message), textsOf(t, result.Message(letter.Message))
		if before != after {
			t.Errorf("%s: texts differ:\n%s\n%s", letter.Name, before, after)
		}
	}
	t.Logf("%d converted", converted)
	if converted < 10 {
		t.Errorf("only %d messages converted", converted)
	}
}

// textsOf returns the header fields of a message, without transfer encoding and signatures, and its
// texts with their media types.
func textsOf(t *testing.T, raw []byte) string {
	t.Helper()
	m := mime.Parse(context.Background(), raw, mime.Limits{})
	var b strings.Builder
	for _, field := range m.Root.Fields {
		switch strings.ToLower(field.Name) {
		case "content-transfer-encoding", "dkim-signature":
			continue
		}
		b.Write(m.RawField(field))
	}
	for leaf := range m.Leaves() {
		text, err := m.Text(leaf)
		if err != nil {
			text = string(m.Body(leaf))
		}
		b.WriteString("\n" + leaf.MediaType + "\n" + text)
	}
	return b.String()
}
