package mime_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/linkmilter/linkmilter/mime"
)

// A message of one text part gets an HTML alternative. The text and its fields
// move into the first part unchanged.
func ExampleMessage_AddAlternative() {
	raw := strings.ReplaceAll(`From: a@example.org
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

Grüße
`, "\n", "\r\n")
	m := mime.Parse(context.Background(), []byte(raw), mime.Limits{})
	var plan mime.Plan
	for leaf := range m.Leaves() {
		text, err := m.Text(leaf)
		if err != nil {
			log.Fatal(err)
		}
		html := "<p>" + strings.TrimSpace(text) + "</p>"
		if err := m.AddAlternative(&plan, leaf, func(w io.Writer) error {
			_, err := io.WriteString(w, html)
			return err
		}); err != nil {
			log.Fatal(err)
		}
	}
	edited, _, err := m.Apply(plan)
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		log.Fatal(err) // send m.Raw instead
	}
	fmt.Fprint(os.Stdout, strings.ReplaceAll(string(edited), "\r\n", "\n"))
	// Output:
	// From: a@example.org
	// MIME-Version: 1.0
	// Content-Type: multipart/alternative; boundary="de0ad0bd806b45f898960607=_lm"
	// Content-Transfer-Encoding: 8bit
	//
	// --de0ad0bd806b45f898960607=_lm
	// Content-Type: text/plain; charset=utf-8
	// Content-Transfer-Encoding: 8bit
	//
	// Grüße
	//
	// --de0ad0bd806b45f898960607=_lm
	// Content-Type: text/html; charset=utf-8
	// Content-Transfer-Encoding: base64
	//
	// PHA+R3LDvMOfZTwvcD4=
	// --de0ad0bd806b45f898960607=_lm--
}

// Parse reports what makes a message ambiguous, and does not guess.
func ExampleParse() {
	m := mime.Parse(context.Background(), []byte("Content-Type: multipart/mixed; boundary=a; boundary=b\n\n--a\n\nhello\n--a--\n"), mime.Limits{})
	for _, reason := range m.Problems {
		fmt.Println(reason)
	}
	for leaf := range m.Leaves() {
		fmt.Println(leaf.Number, leaf.MediaType)
	}
	// Output:
	// duplicate-boundary
	// 1 text/plain
}
