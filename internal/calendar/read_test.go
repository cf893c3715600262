package calendar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// itemsOf describes the items of a source.
func itemsOf(source string) []string {
	kinds := [...]string{kindText: "text", KindURL: "url", KindHTML: "html", KindAddress: "address", KindContent: "content", KindLabel: "label", KindName: "name"}
	var all []string
	for item := range Read(context.Background(), source) {
		line := kinds[item.Kind] + " " + item.Value
		if item.Name != "" {
			line += " of " + item.Name
		}
		all = append(all, line)
		if item.Type != "" {
			all = append(all, line+" ("+item.Type+")")
		}
	}
	return all
}

func TestRead(t *testing.T) {
	const crlf = "\r\n"
	for _, test := range []struct{ name, source, want string }{
		{"text", "SUMMARY:Meeting", "text Meeting"},
		{"folded", "DESCRIPTION:See http://pay" + crlf + " pal.example/" + crlf + "\tx", "text See http://paypal.example/x"},
		{"folded by LF", "DESCRIPTION:See http://pay\n pal.example/\nSUMMARY:x", "text See http://paypal.example/"},
		{"folded by CR", "DESCRIPTION:See http://pay\r pal.example/\rSUMMARY:x", "text See http://paypal.example/"},
		{"escaped", `LOCATION:a\, b\; c\\d\nhttp:\/\/a.example`, "text a, b; c\\d\nhttp://a.example"},
		{"URL", "URL:https://a.example/", "url https://a.example/"},
		{"group", "item1.URL:https://a.example/", "url https://a.example/"},
		{"label", "item1.URL:https://a.example/" + crlf + "X:y" + crlf + "item1.X-ABLabel:b.example", "label https://a.example/ of b.example"},
		{"label before", "A.x-ablabel:b.example" + crlf + "a.url;type=x:https://a.example/", "label https://a.example/ of b.example"},
		{"label of two", "a.URL:https://a.example/" + crlf + "a.URL:https://b.example/" + crlf + "BEGIN:x" + crlf + "a.X-ABLabel:c.example", "label https://a.example/ of c.example"},
		{"label in quoted-printable", "a.X-ABLABEL;ENCODING=QUOTED-PRINTABLE:b=2Eexample" + crlf + "a.URL:https://a.example/", "label https://a.example/ of b.example"},
		{"lower case", "url;value=uri:https://a.example/", "url https://a.example/"},
		{"other property with a URL", "X-MEETING;VALUE=URI:https://a.example/", "url https://a.example/"},
		{"unknown property", "X-ANYTHING:https://a.example/", "text https://a.example/"},
		{"HTML", "X-ALT-DESC;FMTTYPE=text/html:<a href=\"https://a.example/\">x</a>", "html <a href=\"https://a.example/\">x</a>"},
		{"HTML in a text", "DESCRIPTION:<b>x</b>", "html <b>x</b>"},
		{"ALTREP", "DESCRIPTION;ALTREP=\"https://a.example/;x:y\":z", "url https://a.example/;x:y"},
		{"data", "DESCRIPTION;ALTREP=\"data:text/html,%3Cb%3E\":z", "content <b>"},
		{"data in base64", "ATTACH:data:text/html;base64,PGI+", "content <b>"},
		{"attached", "ATTACH;ENCODING=BASE64;VALUE=BINARY:PGI" + crlf + " +", "content <b>"},
		{"attached without folding", "PHOTO;BASE64:" + crlf + "PGI" + crlf + "+" + crlf + crlf + "X:y", "content <b>"},
		{"attached type", "ATTACH;FMTTYPE=text/html;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=a.html:PGI+", "content <b> of a.html (text/html)"},
		{"data with a type", "ATTACH;FILENAME=\"b.ics\":data:text/calendar;charset=utf-8,x", "content x of b.ics (text/calendar)"},
		{"label as parameter", "CONFERENCE;VALUE=URI;LABEL=\"b.example\":https://a.example/", "label https://a.example/ of b.example"},
		{"title", "X-MEETING;VALUE=URI;X-TITLE=b.example:https://a.example/", "label https://a.example/ of b.example"},
		{"type of the user", "URL;TYPE=b.example:https://a.example/", "label https://a.example/ of b.example"},
		{"type without a name", "URL;b.example:https://a.example/", "label https://a.example/ of b.example"},
		{"user of a profile", "X-SOCIALPROFILE;type=x;x-user=b.example:https://a.example/", "label https://a.example/ of b.example"},
		{"name of a user", "SOCIALPROFILE;USERNAME=\"b.example\":https://a.example/", "label https://a.example/ of b.example"},
		{"label of an address", "item1.EMAIL:x@a.example" + crlf + "item1.X-ABLabel:y@b.example", "label x@a.example of y@b.example"},
		{"label of a place", "LOCATION;ALTREP=\"https://a.example/\":b.example\\, c", "label https://a.example/ of b.example, c"},
		{"encoding behind a quoted colon", "NOTE;X=\"a:b\";ENCODING=QUOTED-PRINTABLE:a=3Db", "text a=b"},
		{"encoding in quotes", "ATTACH;ENCODING=\"b\";VALUE=BINARY:PGI+", "content <b>"},
		{"encoding with spaces", "ATTACH ; ENCODING = B ; VALUE=BINARY:PGI+", "content <b>"},
		{"other address", "ATTENDEE;CN=Pay;EMAIL=x@a.example:invalid:nomail", "address x@a.example of Pay"},
		{"name of another property", "X-SENDER;CN=Pay:mailto:x@a.example", "address mailto:x@a.example of Pay"},
		{"soft line break", "NOTE;QUOTED-PRINTABLE:a=" + crlf + " =3Db", "text a=b"},
		{"folded escape", "NOTE;QUOTED-PRINTABLE:a=" + crlf + " 3Db", "text a=b"},
		{"organizer", "ORGANIZER;CN=\"Pay, Pal\":mailto:x@a.example", "address mailto:x@a.example of Pay, Pal"},
		{"address", "EMAIL;TYPE=work:x@a.example", "address x@a.example"},
		{"quoted-printable", "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=iso-8859-1:=FCber=0D=0Ahttp=" + crlf + "://a.example", "text über\r\nhttp://a.example"},
		{"bare quoted-printable", "NOTE;QUOTED-PRINTABLE:a=3Db", "text a=b"},
		{"word of another parameter", "NOTE;X=\"base64\":http://a.example", "text http://a.example"},
		{"not a property", "http", "text http"},
		{"quote without an end", "NOTE;X=\"y:http://a.example", "text http://a.example"},
		{"caret", "NOTE;X=a^^b^nc^'d:z", "text a^b\nc\"d"},
	} {
		for _, source := range []string{test.source, "BEGIN:VCALENDAR" + crlf + test.source + crlf + "END:VCALENDAR" + crlf} {
			if got := itemsOf(source); !slices.Contains(got, test.want) {
				t.Errorf("%s: %q, without %q", test.name, got, test.want)
			}
		}
	}
}

// TestLabelsOfGroups: a label belongs to the properties of its group in the same card. Too many
// labels are an error.
func TestLabelsOfGroups(t *testing.T) {
	groups := "BEGIN:VCARD\r\n"
	for i := range 2 * maxGroups {
		groups += fmt.Sprintf("i%d.X-ABLabel:b\r\n", i)
	}
	for _, source := range []string{
		"BEGIN:VCARD\r\na.URL:https://a.example/\r\nEND:VCARD\r\nBEGIN:VCARD\r\na.X-ABLabel:b\r\nEND:VCARD", "a.URL:https://a.example/\r\nb.X-ABLabel:b", "URL:https://a.example/\r\nX-ABLabel:b",
	} {
		if got := itemsOf(source); strings.Contains(strings.Join(got, "\n"), "label ") {
			t.Errorf("%.99s: %q", source, got)
		}
	}
	var many strings.Builder
	for i := range maxInGroup + 1 {
		fmt.Fprintf(&many, "a.X-ABLabel:b%d\r\n", i)
	}
	for _, source := range []string{groups, many.String()} {
		var last error
		for _, err := range Read(t.Context(), source) {
			last = err
		}
		if !errors.Is(last, ErrTooManyLabels) {
			t.Errorf("%.99s: %v", source, last)
		}
	}
}

// TestNamesOfCards: a name belongs to the addresses in its card. Too many names are an error.
func TestNamesOfCards(t *testing.T) {
	for source, want := range map[string]string{
		"BEGIN:VCARD\r\nFN:Anna\r\nEMAIL:a@a.example\r\nEND:VCARD":                                                "name a@a.example of Anna",
		"BEGIN:VCARD\r\nitem1.EMAIL;TYPE=work:a@a.example\r\nEMAIL:b@a.example\r\nfn:Anna":                        "name a@a.example of Anna, name b@a.example of Anna",
		"BEGIN:VCARD\r\nFN;ENCODING=QUOTED-PRINTABLE:=41nna\r\nEMAIL:a@a.example\r\nEND:VCARD":                    "name a@a.example of Anna, name a@a.example of =41nna",
		"BEGIN:VCARD\r\nFN:a@A.example\r\nEMAIL:a@a.example\r\nEMAIL:b@a.example\r\nEND:VCARD":                    "",
		"BEGIN:VCARD\r\nFN:Anna\r\nEND:VCARD\r\nBEGIN:VCARD\r\nEMAIL:a@a.example\r\nEND:VCARD":                    "",
		"BEGIN:VCARD\r\nFN:Anna\r\nBEGIN:VCARD\r\nFN:Bert\r\nEMAIL:b@a.example\r\nEND:VCARD\r\nEMAIL:a@a.example": "name b@a.example of Bert",
	} {
		got := slices.DeleteFunc(itemsOf(source), func(item string) bool { return !strings.HasPrefix(item, "name ") })
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
	for _, property := range []string{"FN:%d\r\n", "EMAIL:%d@a.example\r\n"} {
		var many strings.Builder
		for i := range maxAddresses + 1 {
			fmt.Fprintf(&many, property, i)
		}
		var last error
		for _, err := range Read(t.Context(), many.String()) {
			last = err
		}
		if !errors.Is(last, ErrTooManyLabels) {
			t.Errorf("%s: %v", property, last)
		}
	}
}

// TestManyParameters: parameters beyond the limit are read together, and the error says so.
func TestManyParameters(t *testing.T) {
	source := "NOTE" + strings.Repeat(";X=y", 2*maxParameters) + ";ALTREP=\"http://a.example/\":z"
	if got := itemsOf(source); !strings.Contains(strings.Join(got, "\n"), "http://a.example/") {
		t.Errorf("%q", got)
	}
	for n, want := range map[int]error{maxParameters: nil, maxParameters + 2: ErrTooManyLabels} {
		var last error
		for _, err := range Read(t.Context(), "URL"+strings.Repeat(";X=y", n)+":http://a.example/") {
			last = err
		}
		if !errors.Is(last, want) {
			t.Errorf("%d parameters: %v", n, last)
		}
	}
}

// TestReadEnds with the context and with the caller.
func TestReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	source := strings.Repeat("NOTE:x\r\n", 100_000)
	items := 0
	for _, err := range Read(ctx, source) {
		if items++; err != nil && items > checkEvery {
			t.Errorf("%d items after the end", items)
		}
	}
	if items == 100_000 {
		t.Error("read to the end")
	}
	for range Read(context.Background(), source) {
		break
	}
}

// TestWholeCharactersEnd: the search for folds stops when the context ends.
func TestWholeCharactersEnd(t *testing.T) {
	source := []byte(strings.Repeat("x\r\n", meter.Every) + "\xc3\r\n \xa4")
	if got := WithWholeCharacters(meter.New(t.Context()), source); !bytes.HasSuffix(got, []byte("\u00e4")) {
		t.Errorf("%q", got[len(got)-9:])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := WithWholeCharacters(meter.New(ctx), source); !bytes.Equal(got, source) {
		t.Error("read to the end")
	}
}

// checkItems checks properties of the items of any source: their ranges are in the source and in
// order. The text is no longer than all readings of its charset can be, with three bytes for a
// byte.
func checkItems(t *testing.T, source string) (items []Item) {
	t.Helper()
	start, size := 0, 0
	for item, err := range Read(context.Background(), source) {
		if errors.Is(err, ErrTooManyLabels) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if item.Kind == KindName { // behind the rest of its card
			start = min(start, item.Start)
		}
		if item.Start < start || item.End > len(source) || item.Start >= item.End || item.Value == "" {
			t.Fatalf("item %+v of %d bytes after %d", item, len(source), start)
		}
		start = item.Start
		size += len(item.Value)
		items = append(items, item)
	}
	const readings = 30 // as in package charset
	if size > 3*readings*len(source)+100 {
		t.Fatalf("%d bytes of %d", size, len(source))
	}
	return items
}

// has reports whether a value of the items contains a text.
func has(items []Item, text string) bool {
	return slices.ContainsFunc(items, func(item Item) bool { return strings.Contains(item.Value, text) })
}

// folded returns a line with a line break after every n bytes.
func folded(line string, n int) string {
	var b strings.Builder
	for len(line) > n {
		b.WriteString(line[:n] + "\r\n ")
		line = line[n:]
	}
	return b.String() + line + "\r\n"
}

// FuzzCalendar: in any iCalendar, a link in a property is found, wherever the property is folded.
func FuzzCalendar(f *testing.F) {
	const planted = "http://paypa1.com/login"
	for _, head := range []string{"DESCRIPTION:", "URL:", "X-FOO;X=\"y:z\";A=b:", "ATTENDEE;CN=x:"} {
		f.Add("BEGIN:VCALENDAR\r\n", head, 20, "END:VCALENDAR")
		f.Add("X;ENCODING=BASE64:YQ==\r\n\r\n", head, 75, " x")
	}
	f.Add("BEGIN:VCARD\r\nEMAIL:a@b.example\r\n", "FN:", 20, "Anna\r\nEND:VCARD\r\nNOTE:x")
	f.Fuzz(func(t *testing.T, before, head string, fold int, after string) {
		checkItems(t, before+head+after)
		name, _, ok := strings.Cut(head, ":")
		if !ok || strings.ContainsAny(head, "\"\r\n \t\\=") || strings.TrimSpace(name) == "" || strings.HasPrefix(name, ".") {
			return
		}
		source := "BEGIN:VCALENDAR\r\n" + folded(head+planted, max(1, fold%200+1)) + "END:VCALENDAR\r\n"
		if !has(checkItems(t, source), planted) {
			t.Errorf("not found in %q: %q", source, itemsOf(source))
		}
	})
}

// FuzzVCard: in any vCard 2.1, a link in quoted-printable is found, wherever soft line breaks are
// and whatever bytes are escaped.
func FuzzVCard(f *testing.F) {
	const planted = "http://paypa1.com/login"
	for _, charset := range []string{"utf-8", "iso-8859-1", "x-unknown", "shift_jis", ""} {
		f.Add(charset, uint64(5), 10, "=D0=B0")
		f.Add(charset, uint64(0), 3, "=FC")
	}
	f.Fuzz(func(t *testing.T, charset string, escaped uint64, fold int, before string) {
		if strings.ContainsAny(charset, "\r\n:;\"") || strings.ContainsAny(before, "\r\n") {
			return
		}
		var b strings.Builder
		b.WriteString("NOTE;CHARSET=" + charset + ";ENCODING=QUOTED-PRINTABLE:" + before + " ")
		for i := range len(planted) {
			if fold = max(1, fold%50); i%fold == fold-1 {
				b.WriteString("=\r\n")
			}
			if escaped>>(i%64)&1 == 1 {
				fmt.Fprintf(&b, "=%02X", planted[i])
			} else {
				b.WriteByte(planted[i])
			}
		}
		source := "BEGIN:VCARD\r\n" + b.String() + "\r\nEND:VCARD\r\n"
		items := checkItems(t, source)
		if charset == "utf-8" && !strings.HasSuffix(before, "=") && !has(items, planted) {
			t.Errorf("not found in %q: %q", source, itemsOf(source))
		}
		checkItems(t, before)
	})
}

// TestFileOnce: a file with two declared encodings is passed on once; else each file inside it
// would be read four times.
func TestFileOnce(t *testing.T) {
	const property = "ATTACH;ENCODING=BASE64;FILENAME=a.ics:: eDp5\r\n"
	files := 0
	for _, item := range itemsOf(property + property) {
		if item == "content x:y of a.ics" {
			files++
		}
	}
	if files != 2 {
		t.Errorf("%d files, want one of each property", files)
	}
}
