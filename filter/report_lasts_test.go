package filter_test

import (
	"bytes"
	"context"
	"reflect"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
)

// TestReportLasts: a report does not change when the memory of its message is used again.
func TestReportLasts(t *testing.T) {
	for name, rules := range map[string][]rule.Rule{"built in": nil, "always": always(), "defang": readable()["defang"]} {
		f := newFilter(t, filter.Options{Rules: rules, JoinLines: true})
		for _, s := range samples(t) {
			want := f.Message(context.Background(), localUser(), bytes.Clone(s.raw)).Report
			raw := bytes.Clone(s.raw)
			got := f.Message(context.Background(), localUser(), raw).Report
			copy(raw, bytes.Repeat([]byte("#"), len(raw)))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s:\ngot  %+v\nwant %+v", s.name, name, got, want)
			}
		}
	}
}

// TestResultLasts: a result does not change with the next messages.
func TestResultLasts(t *testing.T) {
	shared := newFilter(t, filter.Options{Rules: always()})
	var got, want []filter.Result
	for _, s := range samples(t) {
		got = append(got, shared.Message(context.Background(), localUser(), s.raw))
		want = append(want, newFilter(t, filter.Options{Rules: always()}).Message(context.Background(), localUser(), s.raw))
	}
	for i, s := range samples(t) {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", s.name, got[i], want[i])
		}
	}
}

// TestRemembersNoMemory: what a filter caches does not change when the memory of its messages is
// used again.
func TestRemembersNoMemory(t *testing.T) {
	remembers, other := newFilter(t, filter.Options{Rules: always()}), newFilter(t, filter.Options{Rules: always()})
	var buffer []byte
	for range 2 {
		for _, s := range samples(t) {
			want := other.Message(context.Background(), localUser(), bytes.Clone(s.raw)).Report
			buffer = append(buffer[:0], s.raw...)
			if got := remembers.Message(context.Background(), localUser(), buffer).Report; !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", s.name, got, want)
			}
		}
	}
}
