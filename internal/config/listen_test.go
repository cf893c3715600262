package config

import (
	"fmt"
	"slices"
	"testing"
)

// TestOnlyContentFilterOpensNoMilter: if a file configures only the SMTP path, the milter does not
// listen.
func TestOnlyContentFilterOpensNoMilter(t *testing.T) {
	file, err := Parse("test", []byte("[content_filter]\nlisten = [\"127.0.0.1:10025\"]\nnext_hop = \"127.0.0.1:10026\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Milter.Listen) != 0 || len(file.ContentFilter.Listen) != 1 {
		t.Errorf("milter %q, SMTP %q", file.Milter.Listen, file.ContentFilter.Listen)
	}
}

// TestListenOfEveryFile: which tables a file has decides where the service listens, in any order
// and beside any other table.
func TestListenOfEveryFile(t *testing.T) {
	standard := Default().Milter.Listen
	const own, smtp = "inet:1@127.0.0.1", "127.0.0.1:10025"
	milters := map[string][]string{ // for each form of the table, where the milter listens
		"":                                       nil,
		"[milter]\n":                             standard,
		"[milter]\nmax_connections = 5\n":        standard,
		"[milter]\nlisten = [\"" + own + "\"]\n": {own},
		"[milter]\nlisten = []\n":                {},
	}
	filters := map[string][]string{
		"":                   nil,
		"[content_filter]\n": nil,
		"[content_filter]\nnext_hop = \"127.0.0.1:10026\"\n":                              nil,
		"[content_filter]\nlisten = [\"" + smtp + "\"]\nnext_hop = \"127.0.0.1:10026\"\n": {smtp},
	}
	others := []string{"", "[limits]\ntime = \"4s\"\n", "[admin]\nlisten = \"127.0.0.1:8896\"\n"}
	for milter, wantMilter := range milters {
		for filter, wantSMTP := range filters {
			if milter == "" && (filter == "" || filter == "[content_filter]\n") {
				wantMilter = standard // the file has neither table
			}
			for _, other := range others {
				for _, document := range []string{milter + filter + other, other + filter + milter, filter + milter + other} {
					file, err := Parse("test", []byte(document))
					if err != nil {
						t.Fatalf("%v:\n%s", err, document)
					}
					if !slices.Equal(file.Milter.Listen, wantMilter) || !slices.Equal(file.ContentFilter.Listen, wantSMTP) {
						t.Errorf("milter %q, SMTP %q:\n%s", file.Milter.Listen, file.ContentFilter.Listen, document)
					}
				}
			}
			if milter == "" {
				wantMilter = nil
			}
		}
	}
	dotted := fmt.Sprintf("milter.max_connections = 5\ncontent_filter.listen = [%q]\ncontent_filter.next_hop = \"127.0.0.1:10026\"\n", smtp)
	if file, err := Parse("dotted", []byte(dotted)); err != nil || !slices.Equal(file.Milter.Listen, standard) {
		t.Errorf("dotted keys: %v", err)
	}
}
