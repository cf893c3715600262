package filter_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
)

// removed reports whether the filter removes a field from a stranger's message. All else of the
// message must stay.
func removed(t *testing.T, f *filter.Filter, field string) bool {
	t.Helper()
	raw := []byte(with(field))
	result := f.Message(t.Context(), stranger, raw)
	got := result.Message(raw)
	gone := result.Report.Forged == 1
	if gone && string(got) != plain {
		t.Errorf("%q: became %q", field, got)
	}
	if !gone && !bytes.Contains(got, []byte(field)) {
		t.Errorf("%q: not forged, and gone", field)
	}
	return gone
}

// TestLenientReadersOfIDs: the filter removes a field if any lenient reader would take our id in it
// for the writer's, in whatever spelling.
func TestLenientReadersOfIDs(t *testing.T) {
	f := newFilter(t, filter.Options{ID: "vm"})
	encoded := base64.StdEncoding.EncodeToString([]byte("vm; x=1"))
	for _, name := range []string{"X-Linkmilter:", "X-Linkmilter-Finding:", "x-LINKMILTER:", "X-Linkmilter :", "X-Linkmilter\t:"} {
		for _, value := range []string{
			"vm", "VM", "vm;", "vm.", "vm..", "vm. ;", "vm ;", "vm\t;", "vm/1;", "vm 1;", "vm,x",
			"vm\x00; x", "\x00vm; x", "v\x00m; x", "vm\x00evil; x", "\x01\x02vm\x7f; x", "\x1b[0mvm"[:1] + "vm",
			`v\m; x`, `\v\m; x`, `"v\m"; x`, `"vm"; x`, `'vm'; x`, `""vm`, `"v""m"`, `%"vm"; x`, `%"%76%6d"`,
			"(c) vm; x", "(a(b)c) vm; x", "(a(b) vm; x", `(a\)b) vm; x`, `(a\) vm; x`, "v(c)m; x", "vm(c); x", "vm(c", "(a)(b)vm",
			"=?us-ascii?q?vm?=; x", "=?utf-8?Q?=76=6D?=; x", "=?utf-8?b?" + encoded + "?=", "=?x-none?b?" + strings.TrimRight(encoded, "=") + "?=",
			"=?us-ascii?q?v?= =?us-ascii?q?m?=; x", "v=?us-ascii?q?m?=; x", `"=?us-ascii?q?vm?="; x`, "=?us-ascii*en?q?vm?=; x",
			"=?utf-16be?b?AHYAbQ==?=; x", "=?us-ascii?q?=3D=3Fus-ascii=3Fq=3Fvm=3F=3D?=; x",
			"%76m; x", "%76%6D; x", "%2576m; x", "=76=6D; x",
			"ｖｍ; x", "ＶＭ; x", "v\u200bm; x", "v\u00adm; x", "\ufeffvm; x", "vm\u2028; x", "vm。; x", "vm．; x", "\xffvm; x", "v\xc2\x85m; x", "ⅴⅿ; x",
			"(vm", "(vm; x", "(vm (c); x", "(c)(vm; x", "(vm) (c", `(vm\); x`, "%28vm; x", "=?us-ascii?q?=28vm?=; x",
			"; vm", ", vm", "<vm>; x", "[vm]; x", ".vm; x",
		} {
			if !removed(t, f, name+" "+value) {
				t.Errorf("%s %q stays", name, value)
			}
		}
	}
	for _, field := range []string{"X-Linkmilter:\r\n vm; x", "X-Linkmilter: v\r\n m; x", "X-Linkmilter:\r\n\t\"vm\";\r\n x=1", "X-Linkmilter:vm"} {
		if !removed(t, f, field) {
			t.Errorf("%q stays", field)
		}
	}
}

// TestOtherIDsStay: the filter does not remove fields of other hosts.
func TestOtherIDsStay(t *testing.T) {
	f := newFilter(t, filter.Options{ID: "vm"})
	for _, value := range []string{
		"vm2; x", "avm; x", "v.m; x", "v-m; x", "vm.example; x", "vm-1; x", "vm_1; x", "v; vm", "evil; vm", "evil (vm); x",
		"evil vm; x", "(vm) evil; x", "(evil; vm", "(evil (vm", "evil (vm", "(c) evil (vm", "(c)(evil; vm", "(vm2; x", "(vm.example", "mv; x", "v", "m", "", ";", "v;m", "v,m", "evil=vm", "%7vm; x", "=?us-ascii?q?evil?=; vm",
	} {
		if removed(t, f, "X-Linkmilter: "+value) {
			t.Errorf("%q is removed", value)
		}
	}
}

// TestIDInAnOpenComment: a reader that does not know comments takes an id behind an open
// parenthesis for the writer, but not one behind another name.
func TestIDInAnOpenComment(t *testing.T) {
	f := newFilter(t, filter.Options{ID: "mx.att"})
	before := []string{"", " ", "(c)", "(c) ", "(a(b)c)", `(\))`, "()"}
	open := []string{"(", "((", "( ", "(\t", `("`, "(;"}
	after := []string{"", ";", "; a", " a", "(c)", " (c); a", "; (a (b)", `\)`, "; =28"}
	for _, b := range before {
		for _, o := range open {
			for _, a := range after {
				if field := "X-Linkmilter: " + b + o + "mx.att" + a; !removed(t, f, field) {
					t.Errorf("%q stays", field)
				}
				for _, other := range []string{"evil", "mx.attic", "1mx.att", "evil mx.att"} {
					if field := "X-Linkmilter: " + b + o + other + a; removed(t, f, field) {
						t.Errorf("%q is removed", field)
					}
				}
			}
		}
	}
}

// TestEveryByteInAnID inserts every byte at each place of an id. Letters, digits, hyphens, dots and
// underscores make it another id, except dots at its ends. Separators make it another id inside,
// and not at its ends. Bytes that readers drop change nothing.
func TestEveryByteInAnID(t *testing.T) {
	const id = "mx.example.org"
	f := newFilter(t, filter.Options{ID: id})
	gone, stays := 0, 0
	for c := range 256 {
		if c == '\n' { // alone it ends a line: another header
			continue
		}
		dropped := c <= ' ' || c >= 0x7f || strings.ContainsRune(`\"'`, rune(c))
		other := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
		for at := range len(id) + 1 {
			atEnd := at == 0 || at == len(id)
			want := dropped || atEnd && !other
			if c == '.' && !atEnd {
				want = false
			}
			field := "X-Linkmilter: " + id[:at] + string([]byte{byte(c)}) + id[at:] + "; action=none"
			if got := removed(t, f, field); got != want {
				t.Errorf("%q: removed %v, want %v", field, got, want)
			}
			if want {
				gone++
			} else {
				stays++
			}
		}
	}
	if t.Logf("%d removed, %d stay", gone, stays); gone < 2000 || stays < 1000 {
		t.Errorf("%d removed, %d stay", gone, stays)
	}
}

// TestForgedIsLinear: a field with much to decode, and with many readings, takes linear time.
func TestForgedIsLinear(t *testing.T) {
	f := newFilter(t, filter.Options{ID: "vm"})
	for _, piece := range []string{"(", "()", `\`, "%25", "=?q?", "=?a?b?", "=3D", "\x00", "ﷺ", "(%253D"} {
		field := "X-Linkmilter: " + strings.Repeat(piece, 500_000/len(piece))
		result := f.Message(t.Context(), stranger, []byte(with(field)))
		if result.Report.Outcome == report.OutcomeUnread && len(result.Report.Reasons) == 0 {
			t.Error(fmt.Sprint(piece))
		}
	}
}
