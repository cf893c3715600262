package filter_test

import (
	"bytes"
	"context"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/linkmilter/linkmilter/filter"
)

// TestRoom gives every sample room for its result, which may be too small and holds
// what another message left: the result is the same as without, and lies there if it
// was written once. A message that is signed is written twice, and that which was written
// first must last, since the second may be refused.
func TestRoom(t *testing.T) {
	for name, options := range map[string]filter.Options{
		"once":  {},
		"twice": {Rules: readable()["plain"], Signer: newSigner(t, "example.com")},
	} {
		// In a bubble, for signatures hold the time.
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFilter(t, options)
				inside, signed := 0, 0
				for _, s := range samples(t) {
					want := f.Message(context.Background(), localUser(), s.raw)
					for _, size := range []int{1, len(want.Edited) - 1, len(want.Edited), 2 * len(want.Edited)} {
						room := bytes.Repeat([]byte("x"), max(size, 0))
						env := localUser()
						env.Room = room[:0]
						got := f.Message(context.Background(), env, s.raw)
						if !reflect.DeepEqual(got, want) {
							t.Errorf("%s: room for %d of %d bytes: %q, want %q", s.name, size, len(want.Edited), got.Edited, want.Edited)
						}
						if len(got.Edited) > 0 && size > 0 && &got.Edited[0] == &room[0] {
							inside++
						}
						if got.Report.Signed != "" {
							signed++
						}
					}
				}
				if inside+signed < 100 {
					t.Errorf("%d results lie in the room they were given, %d are signed", inside, signed)
				}
			})
		})
	}
}

// TestReportLasts: no report is changed when the memory of its message is used again.
func TestReportLasts(t *testing.T) {
	for name, rules := range rememberingRules() {
		f := filter.Remembering(newFilter(t, filter.Options{Rules: rules, JoinLines: true}), 0)
		for _, s := range samples(t) {
			want := f.Message(context.Background(), localUser(), bytes.Clone(s.raw)).Report
			raw, env := bytes.Clone(s.raw), localUser()
			env.Room = make([]byte, 0, 64<<10)
			got := f.Message(context.Background(), env, raw).Report
			copy(raw, bytes.Repeat([]byte("#"), len(raw)))
			copy(env.Room[:cap(env.Room)], bytes.Repeat([]byte("#"), cap(env.Room)))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s:\ngot  %+v\nwant %+v", s.name, name, got, want)
			}
		}
	}
}
