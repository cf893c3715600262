package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/lists"
)

// writeList writes a file of lines and returns its path.
func writeList(t *testing.T, name, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestListFiles: lists of the service and of a rule can name files, whose lines they take.
func TestListFiles(t *testing.T) {
	block := writeList(t, "block", "\ufeff# bad hosts\r\n\r\nbad.example.net\t 2999-12-31 # since May\r\n.worse.example.net\r\n")
	domains := writeList(t, "domains", "kestrelbank.com\nbücher.example")
	document := `
[policy]
protected = ["example.com", "file:` + domains + `"]
block = ["file:` + block + `", "evil.example.net"]
brands_file = "` + domains + `"
[[rule]]
name = "tenant"
block = ["file:` + block + `"]
allow = ["good.example.net"]
protected = ["tenant.example"]
`
	file, err := Parse("lists", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	o := file.Filter(nil)
	blocked := []string{"bad.example.net 2999-12-31", ".worse.example.net"}
	for _, test := range []struct {
		name      string
		got, want []string
	}{
		{"protected", o.Policy.Protected, []string{"example.com", "kestrelbank.com", "bücher.example"}},
		{"block", o.Policy.Block, append(blocked, "evil.example.net")},
		{"brands", o.Policy.Brands, []string{"kestrelbank.com", "bücher.example"}},
		{"rule block", o.Rules[0].Block, blocked},
		{"rule allow", o.Rules[0].Allow, []string{"good.example.net"}},
		{"rule protected", o.Rules[0].Protected, []string{"tenant.example"}},
	} {
		if !reflect.DeepEqual(test.got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
	if err := os.WriteFile(block, []byte("other.example.net"), 0o600); err != nil {
		t.Fatal(err)
	}
	after, err := Parse("lists", []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Changes(file, after), []string{"file:" + block}; !reflect.DeepEqual(got, want) {
		t.Errorf("changes %q, want %q", got, want)
	}
}

// TestListFileProblems: errors name the file and the line. Dates in the past are warnings.
func TestListFileProblems(t *testing.T) {
	bad := writeList(t, "bad", "example.net\nhttps://example.net/\nexample.net 31.12.2027\n"+strings.Repeat("a b\n", 20))
	old := writeList(t, "old", "new.example.net\nold.example.net 2020-01-31\n")
	for _, test := range []struct{ key, value, want string }{
		{"block", `["file:` + bad + `"]`, `policy.block[0]: file "` + bad + `", line 2: pattern "https://example.net/": not a domain (want "example.net")`},
		{"block", `["file:` + bad + `"]`, `file "` + bad + `", line 3: pattern "example.net 31.12.2027": date not valid (want example.com 2027-01-31)`},
		{"protected", `["example.com", "file:` + bad + `"]`, `policy.protected[1]: file "` + bad + `", line 2: pattern "https://example.net/": not a domain (want "example.net")`},
		{"brands_file", `"` + bad + `"`, `policy.brands_file: file "` + bad + `", line 2: `},
		{"allow", `["file:list"]`, `policy.allow[0]: path "list": not absolute (want one that begins with /)`},
		{"allow", `["file:/none/list"]`, `policy.allow[0]: open /none/list: no such file`},
		{"allow", `["old.example.net 2020-01-31"]`, `policy.allow[0]: line "old.example.net 2020-01-31": no effect since the date is over`},
		{"block", `["file:` + old + `"]`, `policy.block[0]: file "` + old + `": line "old.example.net 2020-01-31" has no effect since the date is over`},
	} {
		path := writeList(t, "config.toml", "[policy]\n"+test.key+" = "+test.value+"\n")
		review, err := Check(path)
		if review == nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, p := range review.Warnings {
			all.WriteString(p.String() + "\n")
		}
		if err != nil {
			all.WriteString(err.Error())
		}
		if !strings.Contains(all.String(), test.want) {
			t.Errorf("%s = %s:\n%s\nwant %s", test.key, test.value, all.String(), test.want)
		}
		if strings.Count(all.String(), "\n") > maxLineProblems {
			t.Errorf("%s = %s: too many problems:\n%s", test.key, test.value, all.String())
		}
	}
}

// TestListFormats: the key format takes the formats that package lists reads.
func TestListFormats(t *testing.T) {
	field, _ := reflect.TypeFor[List]().FieldByName("Format")
	words, formats := strings.Fields(field.Tag.Get("choice")), lists.Formats()
	slices.Sort(words)
	slices.Sort(formats)
	if !slices.Equal(words, formats) {
		t.Errorf("the key takes %q, and package lists reads %q", words, formats)
	}
}
