package filter_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/policy"
)

// declaredReasons returns the values of all constants of a type Reason in a folder.
func declaredReasons(t *testing.T, folder string) []report.Reason {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(env.Root(t), folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all []report.Reason
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind := spec.Type
			if selector, ok := kind.(*ast.SelectorExpr); ok {
				kind = selector.Sel
			}
			if name, ok := kind.(*ast.Ident); !ok || name.Name != "Reason" {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, report.Reason(value))
			}
			return true
		})
	}
	return all
}

// TestEveryReasonIsClassified: every reason of this package is a guard or in the table of causes,
// and these have no other.
func TestEveryReasonIsClassified(t *testing.T) {
	declared := declaredReasons(t, "filter")
	if len(declared) < 40 {
		t.Fatalf("only %d reasons found", len(declared))
	}
	classified := filter.ClassifiedReasons()
	for _, reason := range declared {
		if !slices.Contains(classified, reason) {
			t.Errorf("reason %q is not classified", reason)
		}
	}
	for _, reason := range classified {
		if !slices.Contains(declared, reason) {
			t.Errorf("reason %q does not exist", reason)
		}
	}
}

// cutShort has messages whose sender makes linkmilter stop reading early, with the reason.
func cutShort() map[string]struct {
	raw    string
	reason report.Reason
} {
	type row = struct {
		raw    string
		reason report.Reason
	}
	const spoof = "See https://www.paypal.com/ please.\r\n"
	mixed := func(boundary string) string {
		return "Content-Type: multipart/mixed; boundary=" + boundary + "\r\n\r\n"
	}
	leaf := "Content-Type: text/plain\r\n\r\n" + spoof
	var nested strings.Builder
	nested.WriteString("MIME-Version: 1.0\r\n")
	for i := range 22 {
		nested.WriteString(mixed(fmt.Sprintf("b%d.", i)) + fmt.Sprintf("--b%d.\r\n", i))
	}
	head := "From: a@example.com\r\nMIME-Version: 1.0\r\n"
	html := head + "Content-Type: text/html\r\n\r\n"
	return map[string]row{
		"500 parts first":      {head + mixed("b") + strings.Repeat("--b\r\n\r\n\r\n", 501) + "--b\r\n" + leaf + "--b--\r\n", "too-many-parts"},
		"10,000 links first":   {head + "\r\n" + strings.Repeat("http://a.co/\r\n", 10_001) + spoof, "too-many-links"},
		"ambiguous HTML":       {html + spoof + strings.Repeat("<svg><style><b>", 1000), "html-too-complex"},
		"4.3 MB HTML comment":  {html + "<!--" + strings.Repeat("x\r\n", 4_300_000/3) + "-->" + spoof, "html-too-long"},
		"1.1 MB header fields": {strings.Repeat("X-Filler: 0123456789\r\n", 1_100_000/22) + head + "\r\n" + spoof, "header-too-large"},
		"22 nested multiparts": {nested.String() + leaf, "too-deep"},
		"piece of a message":   {head + "Content-Type: message/partial; id=x; number=1; total=2\r\n\r\n" + spoof, "message-partial"},
		"26 MB":                {head + "\r\n" + strings.Repeat(strings.Repeat("x", 1000)+"\r\n", 27_000) + spoof, "message-too-large"},
		"malformed header":     {"From: a@example.com\r\nnonsense\r\nMIME-Version: 1.0\r\n\r\n" + spoof, "malformed-header"},
		"blank header line":    {"From: a@example.com\r\n \t\r\nMIME-Version: 1.0\r\n\r\n" + spoof, "early-header-end"},
		"space before colon":   {"From: a@example.com\r\nMIME-Version : 1.0\r\n\r\n" + spoof, "early-header-end"},
		"field after a CR":     {head + "X: a\rContent-Type: text/html\r\n\r\n" + spoof, "cr-line-end"},
		"open quote":           {head + "Content-Type: multipart/mixed; boundary=\"b\r\n\r\n--b\r\n" + leaf + "--b--\r\n", "malformed-multipart"},
		"unknown encoding":     {head + "Content-Transfer-Encoding: x-gzip\r\n\r\n" + spoof, "unknown-encoding"},
		"NUL in the header":    {head + "X: a\x00b\r\n\r\n" + spoof, "nul"},
		"NUL in the text":      {head + "\r\na\x00b" + spoof, "nul"},
		"no boundary":          {head + "Content-Type: multipart/mixed\r\n\r\n--b\r\n" + leaf + "--b--\r\n", "missing-boundary"},
		"encoded boundary":     {head + "Content-Type: multipart/mixed; boundary*=us-ascii''b\r\n\r\n--b\r\n" + leaf + "--b--\r\n", "extended-parameter"},
		"long boundary":        {head + mixed(strings.Repeat("b", 71)) + "--" + strings.Repeat("b", 71) + "\r\n" + leaf + "--" + strings.Repeat("b", 71) + "--\r\n", "invalid-boundary"},
		"two boundaries":       {head + "Content-Type: multipart/mixed; boundary=b; boundary=c\r\n\r\n--b\r\n" + leaf + "--b--\r\n", "duplicate-boundary"},
		"two types":            {head + "Content-Type: text/plain\r\nContent-Type: image/png\r\n\r\n" + spoof, "duplicate-content-type"},
		"two encodings":        {head + "Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64\r\n\r\n" + spoof, "duplicate-transfer-encoding"},
		"two dispositions":     {head + "Content-Disposition: inline\r\nContent-Disposition: attachment\r\n\r\n" + spoof, "duplicate-content-disposition"},
		"two parameters":       {head + "Content-Type: text/plain; charset=us-ascii; charset=utf-8\r\n\r\n" + spoof, "duplicate-parameter"},
		"boundary reused":      {head + mixed("b") + "--b\r\n" + mixed("b") + "--b\r\n" + leaf + "--b--\r\n", "reused-boundary"},
		"delimiter with tail":  {head + mixed("b") + "--b\r\n" + leaf + "--bx\r\n" + leaf + "--b--\r\n", "ambiguous-delimiter"},
		"part after the end":   {head + mixed("b") + "--b\r\n" + leaf + "--b--\r\n--b\r\n" + leaf, "delimiter-after-close"},
		"mbox line":            {"From a@example.com Thu Jan  1 00:00:00 1970\r\n" + head + "\r\n" + spoof, "mbox-from-line"},
		"long link":            {head + "\r\nhttps://www.example.com/" + strings.Repeat("a", 20_000) + "\r\n" + spoof, "link-too-long"},
	}
}

// TestCutShortIsTagged: under the built-in rules, mail from outside is tagged for each reason with
// which an attacker keeps a part unread.
func TestCutShortIsTagged(t *testing.T) {
	f := newFilter(t, filter.Options{})
	missing := make(map[report.Reason]bool)
	for _, reason := range slices.Concat(declaredReasons(t, "filter"), declaredReasons(t, "mime")) {
		missing[reason] = filter.Chosen(reason)
	}
	for name, test := range cutShort() {
		t.Run(name, func(t *testing.T) {
			result := f.Message(t.Context(), stranger, []byte(test.raw))
			delete(missing, test.reason)
			r := result.Report
			if !slices.Contains(r.Reasons, test.reason) {
				t.Errorf("reasons %v, not %s", r.Reasons, test.reason)
			}
			if r.Action != rule.ActionTag || !tagged(r) || r.Worst() < policy.SeverityMedium {
				t.Errorf("action %s, tagged %v, worst %s", r.Action, tagged(r), r.Worst())
			}
			if got := fieldsOf(result.Message([]byte(test.raw))); len(got) == 0 && test.reason != "header-too-large" {
				t.Error("no field says so")
			}
		})
	}
	for _, how := range []report.Reason{"deadline", "panic"} {
		delete(missing, how) // no message alone has them
	}
	for reason, is := range missing {
		if is {
			t.Errorf("no message for %s", reason)
		}
	}
}

// slips has messages with an error of form, with the reason. In each, a flagged link must be found.
func slips() map[string]struct {
	raw    string
	reason report.Reason
} {
	type row = struct {
		raw    string
		reason report.Reason
	}
	const spoof = "See https://www.pаypal.com/ please.\r\n"
	const mixed = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
	const leaf = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + spoof
	const head = "From: a@example.com\r\nMIME-Version: 1.0\r\n"
	const encoded = "U2VlIGh0dHBzOi8vd3d3LnBheXBhMS5jb20vIHBsZWFzZS4" // paypa1.com
	rows := map[string]row{
		"other MIME version":         {"From: a@example.com\r\nMIME-Version: 2.0\r\n" + leaf, "mime-version"},
		"MIME version twice":         {"MIME-Version: 1.0\r\n" + head + leaf, "repeated-field"},
		"type twice":                 {head + "Content-Type: text/plain; charset=utf-8\r\n" + leaf, "repeated-field"},
		"CR behind a field":          {head + "X: y\r\r\n" + leaf, "bare-cr"},
		"CR CR LF":                   {strings.ReplaceAll(head+leaf, "\r\n", "\r\r\n"), "bare-cr"},
		"CR between words":           {head + leaf + "a\rb\r\n", "bare-cr"},
		"CR in a host":               {head + strings.Replace(leaf, "paypal", "pay\rpal", 1) + "https://www.pay\rpa1.com/", "bare-cr"},
		"encoded CR at a line end":   {head + "Content-Transfer-Encoding: quoted-printable\r\n\r\nhttps://www.paypa1.com/ =0D\r\n", "bare-cr"},
		"encoded CR in HTML":         {head + "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>=0D\r\n<a href=3D\"https://www.paypa1.com/\">x</a>=0D\r\n", "bare-cr"},
		"CR before hyphens":          {head + mixed + "--b\r\n" + leaf + "a\r-- \r\n--b--\r\n", "bare-cr"},
		"ESC":                        {head + leaf + "a\x1b[0m\r\n", "c0-control"},
		"backspace":                  {head + leaf + "teh\b\bhe\r\n", "c0-control"},
		"backspace in a host":        {head + leaf + "https://www.pay\bpa1.com/\r\n", "c0-control"},
		"blank line ends the header": {head + strings.Replace(leaf, "\r\n\r\n", "\r\n \r\n\r\n", 1), "blank-header-line"},
		"space before a colon":       {head + strings.Replace(leaf, "\r\n\r\n", "\r\nX-Mailer : y\r\n\r\n", 1), "space-before-colon"},
		"junk behind a type":         {head + strings.Replace(leaf, "utf-8", "utf-8 x", 1), "malformed-content-type"},
		"type without semicolon":     {head + "Content-Type: text/html charset=utf-8\r\n\r\n<a href=\"https://www.paypa1.com/\">x</a>", "malformed-content-type"},
		"no delimiter":               {head + mixed + spoof, "missing-delimiter"},
		"no close delimiter":         {head + mixed + "--b\r\n" + leaf, "missing-close-delimiter"},
		"close delimiter with tail":  {head + mixed + "--b\r\n" + leaf + "--b--</html>\r\n", "alike-delimiter"},
		"boundary of a boundary":     {head + mixed + "--b\r\n" + strings.Replace(mixed, "=b", "=b2", 1) + "--b2\r\n" + leaf + "--b2--\r\n--b--\r\n", "alike-delimiter"},
		"encoded multipart":          {head + "Content-Transfer-Encoding: quoted-printable\r\n" + mixed + "--b\r\n" + leaf + "--b--\r\n", "encoded-multipart"},
		"links encoded twice":        {head + "Content-Transfer-Encoding: quoted-printable\r\n" + mixed + "--b\r\n\r\nhttps://www.pay=70a1.com/\r\n--b--\r\n", "encoded-multipart"},
		"base64 without padding":     {head + "Content-Transfer-Encoding: base64\r\n\r\n" + encoded + "\r\n", "invalid-base64"},
		"a footer behind base64":     {head + "Content-Transfer-Encoding: base64\r\n\r\n" + encoded + "=\r\n--\r\nA list\r\n", "invalid-base64"},
		"not base64":                 {head + strings.Replace(leaf, "8bit", "base64", 1), "invalid-base64"},
		"bare equals sign":           {head + strings.Replace(leaf, "8bit", "quoted-printable", 1) + "a = b\r\n", "invalid-quoted-printable"},
	}
	for _, encoding := range []string{"8-bit", "8bits", "8bit+", "8 bit", "8bit;"} {
		rows["encoding "+encoding] = row{head + strings.Replace(leaf, "8bit", encoding, 1), "misspelt-encoding"}
	}
	for _, encoding := range []string{"base64;", "base-64", "\"base64\"x"} {
		rows["encoding "+encoding] = row{head + "Content-Transfer-Encoding: " + encoding + "\r\n\r\n" + encoded + "=\r\n", "misspelt-encoding"}
	}
	return rows
}

// TestSlipsAreRead: if linkmilter judges all that programs show, an error of form is low, and the
// outcome is complete.
func TestSlipsAreRead(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, test := range slips() {
		t.Run(name, func(t *testing.T) {
			r := f.Message(t.Context(), stranger, []byte(test.raw)).Report
			if r.Outcome != report.OutcomeComplete || r.Failure != "" || len(r.Reasons) > 0 {
				t.Errorf("outcome %s, reasons %v", r.Outcome, r.Reasons)
			}
			said := false
			for _, finding := range r.Findings {
				said = said || finding.Code == report.CodeMalformed && strings.Contains(finding.Detail, string(test.reason))
				if finding.Severity > policy.SeverityLow || finding.Code == report.CodePartial || finding.Code == report.CodeUnreadable {
					t.Errorf("finding %+v", finding)
				}
			}
			if !said {
				t.Errorf("findings %+v, none says %s", r.Findings, test.reason)
			}
			if r.Worst() < policy.SeverityMedium {
				t.Errorf("the flagged link was not found: %v", placed(r))
			}
		})
	}
}

// TestDeadlineIsMedium: a message that the deadline cuts short has a medium finding.
func TestDeadlineIsMedium(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	r := newFilter(t, filter.Options{}).Message(ctx, stranger, []byte(plain)).Report
	if r.Worst() != policy.SeverityMedium || r.Action != rule.ActionTag || r.Failure != "deadline" {
		t.Errorf("worst %s, action %s: %s", r.Worst(), r.Action, r)
	}
}

// TestHonestMailIsNotTagged: reasons that honest mail has are low, and cause no tag.
func TestHonestMailIsNotTagged(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, raw := range []string{
		unreadableMessage,
		partialMessage,
		"From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n",
		"From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n",
		"From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: message/external-body; access-type=URL\r\n\r\nContent-Type: text/plain\r\n\r\n",
		"From: a@example.com\r\nMIME-Version: 1.0\r\n\r\nGr\xc3\xbc\xc3\x9fe\r\n",
		"From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\x93Hi\x94\r\n",
	} {
		r := f.Message(t.Context(), stranger, []byte(raw)).Report
		if r.Worst() >= policy.SeverityMedium || r.Action != rule.ActionNone || r.Failure != "" {
			t.Errorf("worst %s, action %s, %s:\n%s", r.Worst(), r.Action, r, raw)
		}
	}
}

// TestOnlyBrokenSamplesAreCutShort: of the sample messages, only malformed ones have a reason that
// an attacker can choose. A multipart without a part is malformed (RFC 2046 §5.1.1).
func TestOnlyBrokenSamplesAreCutShort(t *testing.T) {
	f := newFilter(t, filter.Options{})
	chosen := 0
	for _, s := range samples(t) {
		for _, reason := range f.Scan(s.raw).Reasons {
			if !filter.Chosen(reason) {
				continue
			}
			if chosen++; !strings.HasPrefix(s.name, "broken-") && s.name != "keep-empty-multipart" && s.name != "guard-message-partial" {
				t.Errorf("%s: %s", s.name, reason)
			}
		}
	}
	if t.Logf("%d reasons", chosen); chosen < 20 {
		t.Errorf("only %d samples are cut short", chosen)
	}
}

// TestConfiguredSeverityOfReading: a configured severity replaces those of all reasons.
func TestConfiguredSeverityOfReading(t *testing.T) {
	for _, severity := range []policy.Severity{policy.SeverityNone, policy.SeverityInfo, policy.SeverityLow, policy.SeverityMedium, policy.SeverityHigh} {
		options := filter.Options{Policy: policy.Options{Severities: map[policy.Code]policy.Severity{
			report.CodePartial: severity, report.CodeUnreadable: severity,
		}}}
		f := newFilter(t, options)
		for _, raw := range []string{unreadableMessage, partialMessage, chosenMessage} {
			if got := f.Message(t.Context(), stranger, []byte(raw)).Report; got.Worst() != severity ||
				(got.Action == rule.ActionTag) != (severity >= policy.SeverityMedium) {
				t.Errorf("%s configured: worst %s, action %s", severity, got.Worst(), got.Action)
			}
		}
	}
}
