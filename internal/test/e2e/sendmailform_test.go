//go:build linux

package e2e

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/mailauth"
)

// TestSendmailKeeps asks a real Sendmail whether it keeps the forms of addresses that linkmilter
// expects it to keep. It sends lists of addresses in all forms that people and programs write, as
// many as fit into the header of a few messages.
func TestSendmailKeeps(t *testing.T) {
	t.Parallel()
	server := StartSendmail(t, Listener{Name: "plain"})
	relaxedForm, simpleForm := signerOf(t, "relaxed"), signerOf(t, "simple")
	kept, changed, total := 0, 0, 0
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, 8))
		var fields []string
		for range 120 {
			name := pick(random, "To", "Cc", "From", "Reply-To", "Sender")
			fields = append(fields, name+":"+addressList(random))
		}
		message := strings.Join(fields, "\r\n") + "\r\nSubject: x\r\n\r\nbody\r\n"
		got := deliver(t, server, "plain", Envelope{}, []byte(message))
		// Fields with the same name keep their order.
		arrived := map[string][]string{}
		for _, field := range got.Header {
			name, value, _ := strings.Cut(field, ":")
			arrived[name] = append(arrived[name], strings.TrimSuffix(value, "\n"))
		}
		for _, field := range fields {
			name, sent, _ := strings.Cut(field, ":")
			if len(arrived[name]) == 0 {
				t.Fatalf("seed %d: a %s is missing of\n%s", seed, name, message)
			}
			value := arrived[name][0]
			arrived[name] = arrived[name][1:]
			total++
			same := strings.ReplaceAll(sent, "\r\n", "\n") == value
			relaxed := slices.Equal(strings.Fields(sent), strings.Fields(value))
			if !relaxed {
				changed++
			}
			if relaxedForm.SurvivesSendmail(name, sent) {
				kept++
				if !relaxed {
					t.Errorf("%s:%q became %q", name, sent, value)
				}
			}
			if simpleForm.SurvivesSendmail(name, sent) && !same {
				t.Errorf("%s:%q became %q, not the same to the byte", name, sent, value)
			}
		}
	}
	t.Logf("%d fields: %d are taken for kept, %d were changed", total, kept, changed)
	if kept < total*3/10 || changed < total/10 {
		t.Errorf("%d fields, of which %d count as kept and %d were changed: too few to tell", total, kept, changed)
	}
}

// signerOf returns a signer of the fields that the test sends, in a canonicalization.
func signerOf(t *testing.T, form string) *mailauth.Signer {
	t.Helper()
	signer, err := mailauth.NewSigner(mailauth.SignerOptions{
		Headers: []string{"To", "Cc", "From", "Reply-To", "Sender"}, Canonicalization: form + "/relaxed",
	})
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

func pick(random *rand.Rand, choices ...string) string { return choices[random.IntN(len(choices))] }

// addressList returns a list of addresses as the value of a field, mostly well-formed.
func addressList(random *rand.Rand) string {
	n := 1
	if random.IntN(3) == 0 {
		n = 1 + random.IntN(8)
	}
	boxes := make([]string, n)
	for i := range boxes {
		boxes[i] = mailbox(random)
	}
	separator := ", "
	if random.IntN(3) == 0 {
		separator = pick(random, ",", ",\r\n ", ",\r\n\t", ",  ", " , ", ",\r\n   ", ", , ")
	}
	return pick(random, " ", " ", " ", " ", "", "  ", "\t", "\r\n ") + strings.Join(boxes, separator) +
		pick(random, "", "", "", "", "", " ")
}

func mailbox(random *rand.Rand) string {
	local := pick(random, "anna", "ben.c", "d+e", "f_g-h", "i=j", "o'brien", "k/l", "r#s", strings.Repeat("x", 30), "jürgen", "अनिता", "花子.x", "\xC4")
	domain := pick(random, "example.org", "Example.NET", "a.b.example.com", "xn--bcher-kva.example", "ex-ample.org")
	switch random.IntN(10) {
	case 0:
		return pick(random, "anna@example.org (Anna)", "< anna@example.org >", "@x.example:anna@example.org", "anna @example.org", "ben")
	case 1:
		local = pick(random, "m!n", "p%q", "t..u", `"v w"`)
	case 2:
		domain = pick(random, "example.org.", "example", "[192.0.2.1]", "localhost")
	}
	address := local + "@" + domain
	switch random.IntN(4) {
	case 0:
		return address
	case 1:
		return "<" + address + ">"
	}
	return phrase(random) + pick(random, " ", " ", " ", "", "  ", "\r\n ") + "<" + address + ">"
}

// phrase makes the name before an address.
func phrase(random *rand.Rand) string {
	words := make([]string, 1+random.IntN(3))
	for i := range words {
		words[i] = pick(random, "Anna", "Ben", "D-E", "F_G", "H/I", "&", "J!", "100%", "#1", "$2",
			"=?utf-8?Q?J=C3=BCrgen?=", "=?utf-8?B?SsO8cmdlbg==?=", `"M, N"`, `"O. P"`, `"Q \"R\" S"`, `"T\\U"`, `"V  W"`,
			"Jürgen", "अनिता", "花子", "Ελένη", `"دانا, ليلى"`, `"สมชาย"`, `"지민 \"花\""`, "\xC4\xD6", "\"\xB1\xE9\"", "\x80\x9F\xFF")
		switch random.IntN(10) {
		case 0:
			words[i] = pick(random, "C.", "O'Neill", "Dr.", "[K]", "(L)", "=?utf-8?Q?J._B?=", "a@b", "X:", "Y;", `Z\`)
		case 1:
			words[i] = `"` + strings.Repeat("long ", random.IntN(60)) + `"`
		}
	}
	return strings.Join(words, pick(random, " ", " ", " ", "  ", "\r\n "))
}
