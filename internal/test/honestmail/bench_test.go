package honestmail

import "testing"

// BenchmarkHonestMail filters all messages.
func BenchmarkHonestMail(b *testing.B) {
	messages, err := All()
	if err != nil {
		b.Fatal(err)
	}
	f := newFilter(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range messages {
			f.Message(b.Context(), m.Envelope, m.Raw)
		}
	}
}
