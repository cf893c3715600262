package filter_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// TestSamples filters every sample message and compares the results with testdata/samples.txt.
func TestSamples(t *testing.T) {
	f := newFilter(t, filter.Options{})
	var got strings.Builder
	made, edited := 0, 0
	for _, s := range samples(t) {
		result := check(t, s.name, f, localUser(), s.raw)
		describe(&got, s.name, result.Report)
		if s.madeForEditing() {
			made++
			if result.Edited != nil {
				edited++
			}
		} else if result.Edited != nil {
			t.Errorf("%s was edited", s.name)
		}
	}
	t.Logf("%d of %d samples made for editing led to a plan", edited, made)
	if edited < 10 || edited*100 < made*30 {
		t.Errorf("only %d of %d samples made for editing were edited", edited, made)
	}
	if engine.TablesAgree() {
		golden(t, "samples.txt", got.String())
	}
}

// describe writes what the filter found and did, without text of the message.
func describe(b *strings.Builder, name string, r report.Report) {
	fmt.Fprintf(b, "%s\n    %s\n", name, r)
	for _, p := range r.Parts {
		links, suspects := countKinds(r, p.Number)
		fmt.Fprintf(b, "    %s %s %s: links=%d suspects=%d", p.Number, p.MediaType, p.Outcome, links, suspects)
		if p.Reason != "" {
			fmt.Fprintf(b, " reason=%s", p.Reason)
		}
		if p.NotDone == "" {
			b.WriteString(" edited")
		} else {
			fmt.Fprintf(b, " not-done=%s", p.NotDone)
		}
		b.WriteByte('\n')
	}
}

// TestSamplesAlwaysEdited filters the samples under a rule that adds an alternative to every text.
func TestSamplesAlwaysEdited(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: always()})
	for _, s := range samples(t) {
		check(t, s.name, f, localUser(), s.raw)
	}
}

// TestSamplesFromStrangers is invariant I1: a message that may only be read leaves as it came,
// except for header fields with findings.
func TestSamplesFromStrangers(t *testing.T) {
	f := newFilter(t, filter.Options{})
	stranger := localUser()
	stranger.Authenticated, stranger.Client = false, netip.MustParseAddr("203.0.113.9")
	for _, s := range samples(t) {
		result := check(t, s.name, f, stranger, s.raw)
		r := result.Report
		if r.Edited || r.Rule != "others" {
			t.Errorf("%s: edited %v by rule %s", s.name, r.Edited, r.Rule)
		}
		if wrong := r.Worst() >= policy.SeverityMedium; wrong != tagged(r) || wrong != (result.Edited != nil) {
			t.Errorf("%s: worst finding %s, tagged %v, %d header edits", s.name, r.Worst(), tagged(r), len(result.HeaderEdits))
		}
	}
}

// TestEditedSamples compares whole edited messages with goldens.
func TestEditedSamples(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, name := range []string{
		"edit-hindi-8bit", "edit-japanese-iso-2022-jp", "edit-quoted-thread", "edit-table", "edit-flowed-delsp",
		"edit-nested-mixed", "edit-lookalike-host", "edit-own-content-fields",
	} {
		t.Run(name, func(t *testing.T) {
			needTables(t)
			result := f.Message(context.Background(), localUser(), readSample(t, name))
			golden(t, name+".golden", string(result.Edited))
		})
	}
}

// golden compares a text with a file of testdata.
func golden(tb testing.TB, name, got string) {
	tb.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		tb.Errorf("%s (-want +got; write it again with -update):\n%s", name, diff)
	}
}

// check filters a message. It fails if the filter refuses the message, or if an invariant does not
// hold: I1, I2, I5 or I8.
func check(tb testing.TB, name string, f *filter.Filter, env envelope.Envelope, raw []byte) filter.Result {
	tb.Helper()
	used := bytes.Clone(raw)
	result := f.Message(context.Background(), env, used)
	r := result.Report
	changed, reported := !bytes.Equal(used, raw), fmt.Sprintf("%+v", r)
	clear(used) // as a caller may do, which uses the memory again
	switch {
	case changed:
		tb.Fatalf("%s: the filter changed its input", name)
	case fmt.Sprintf("%+v", r) != reported:
		tb.Fatalf("%s: the report has bytes of the message", name)
	case result.Action > rule.ActionTag, result.Action != r.Action:
		tb.Fatalf("%s: action %s", name, result.Action)
	case slices.Contains(r.Reasons, "panic"):
		tb.Fatalf("%s: panic", name)
	case (result.Plan.Empty() && len(result.HeaderEdits) == 0) != (result.Edited == nil),
		r.Edited == result.Plan.Empty(), r.Edited != (r.NotDone == ""):
		tb.Fatalf("%s: plan empty %v, %d bytes edited, report %s", name, result.Plan.Empty(), len(result.Edited), r)
	case tagged(r) && !bytes.Contains(result.Message(raw), []byte(report.FieldSummary+": ")):
		tb.Fatalf("%s: not tagged, action %s", name, r.Action)
	case (r.Outcome == report.OutcomeComplete) != (len(r.Reasons) == 0):
		tb.Fatalf("%s: outcome %s with reasons %v", name, r.Outcome, r.Reasons)
	}
	if result.Edited == nil {
		return result
	}
	if err := outsidePlan(raw, result); err != nil {
		tb.Errorf("%s: %v", name, err)
	}
	if err := writtenFields(result); err != nil {
		tb.Errorf("%s: %v", name, err)
	}
	if err := otherLeaves(raw, result); err != nil {
		tb.Errorf("%s: %v", name, err)
	}
	switch {
	case optedOut(r), // the field of the opt-out is removed
		slices.Contains(r.Reasons, "header-too-large"), // the new fields are beyond what the second pass reads
		slices.Contains(r.Reasons, "malformed-header"): // the new fields separate the header from the body
		return result
	}
	again := f.Message(context.Background(), env, result.Edited)
	removes := func(e mime.HeaderEdit) bool { return e.Op == mime.OpDelete }
	if slices.ContainsFunc(result.HeaderEdits, removes) && !slices.Equal(again.Report.Reasons, r.Reasons) {
		return result // a forged field, which is gone now, made the message hard to read
	}
	if again.Edited != nil {
		tb.Errorf("%s: the edited message is edited again: %v, %v", name, again.Plan.Header, again.HeaderEdits)
	}
	return result
}

// outsidePlan fails if bytes outside the planned edits changed (I2). It does not use mime's own
// verification.
func outsidePlan(raw []byte, result filter.Result) error {
	m := mime.Parse(context.Background(), raw, mime.Limits{})
	planned := make(map[int]bool)
	for _, e := range slices.Concat(result.Plan.Header, result.HeaderEdits) {
		if e.Op == mime.OpChange || e.Op == mime.OpDelete {
			planned[e.Field] = true
		}
	}
	header := result.Edited[:result.BodyStart]
	for i, field := range m.Root.Fields {
		if planned[i] {
			continue
		}
		_, rest, ok := bytes.Cut(header, m.RawField(field))
		if !ok {
			return fmt.Errorf("field %s is not in the edited header", field.Name)
		}
		header = rest
	}
	body, pos := result.Edited[result.BodyStart:], len(raw)-len(m.Body(m.Root))
	for _, e := range append(slices.Clone(result.Plan.Body), mime.Edit{Start: len(raw), End: len(raw)}) {
		var ok bool
		if body, ok = bytes.CutPrefix(body, raw[pos:e.Start]); !ok {
			return fmt.Errorf("bytes %d to %d are not in the edited body", pos, e.Start)
		}
		if body, ok = bytes.CutPrefix(body, e.New); !ok {
			return fmt.Errorf("the edit at %d is not in the edited body", e.Start)
		}
		pos = e.End
	}
	if len(body) > 0 {
		return fmt.Errorf("%d bytes too many at the end", len(body))
	}
	return nil
}

// writtenFields fails if header fields break I8: at most 64 edits, ASCII, lines of at most 998
// bytes.
func writtenFields(result filter.Result) error {
	edits := slices.Concat(result.Plan.Header, result.HeaderEdits)
	if len(edits) > 64 {
		return fmt.Errorf("%d header edits", len(edits))
	}
	m := mime.Parse(context.Background(), result.Edited, mime.Limits{HeaderBytes: len(result.Edited) + 1})
	added := 0
	for _, e := range edits {
		if e.Op == mime.OpAdd {
			added++
		}
	}
	if added > len(m.Root.Fields) {
		return fmt.Errorf("%d fields added, %d there", added, len(m.Root.Fields))
	}
	for _, f := range m.Root.Fields[len(m.Root.Fields)-added:] {
		for line := range bytes.Lines(m.RawField(f)) {
			line = bytes.TrimRight(line, "\r\n")
			if bytes.IndexFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 || len(line) > 998 {
				return fmt.Errorf("field line %q", line)
			}
		}
	}
	return nil
}

// otherLeaves fails if the leaves of the edited message differ from those of the original (I2). The
// links of a rewritten text may differ, and one text/html may be added.
func otherLeaves(raw []byte, result filter.Result) error {
	bodies := func(raw []byte) (all []string) {
		m := mime.Parse(context.Background(), raw, mime.Limits{})
		for leaf := range m.Leaves() {
			all = append(all, fmt.Sprintf("%s %q %x", leaf.MediaType, leaf.Filename, sha256.Sum256(m.Body(leaf))))
		}
		return all
	}
	got := bodies(result.Edited)
	if result.Plan.Empty() {
		if diff := cmp.Diff(bodies(raw), got); diff != "" {
			return fmt.Errorf("leaves (-before +after):\n%s", diff)
		}
		return nil
	}
	want := bodies(raw)
	html := false // tests of HTML check what may change there
	if len(got) == len(want) {
		for i := range want {
			if got[i] != want[i] && strings.HasPrefix(want[i], "text/html ") && strings.HasPrefix(got[i], "text/html ") {
				got[i], html = want[i], true
			}
		}
	}
	rewritten := got[0] != want[0]
	if rewritten {
		if err := onlyLinksDiffer(raw, result); err != nil {
			return err
		}
		got[0] = want[0]
	}
	if len(got) == len(want)+1 && strings.HasPrefix(got[1], "text/html ") {
		got = slices.Delete(got, 1, 2)
	} else if !rewritten && !html {
		return fmt.Errorf("the second leaf is not an HTML alternative: %v", got)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("other leaves (-before +after):\n%s", diff)
	}
	return nil
}
