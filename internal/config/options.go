package config

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/milter"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// Filter returns the options of the filter. Its top-level domains are left to
// the caller, who knows whether a newer list is at hand.
func (f *File) Filter() filter.Options {
	o := filter.Options{
		Engine: engine.Options{MaxLinks: f.Limits.Links},
		Policy: policy.Options{Severities: f.Policy.Severity, Protected: f.Policy.Protected},
		Limits: filter.Limits{
			MIME:    mime.Limits{Depth: f.Limits.Depth, Parts: f.Limits.Parts, HeaderBytes: int(f.Limits.Header)},
			Message: int(f.Limits.Message),
			Text:    int(f.Limits.Text),
			Result:  int(f.Limits.Result),
			Growth:  int(f.Limits.Growth),
		},
		ID:        f.Header.ID,
		OtherIDs:  f.Header.OtherIDs,
		OptOut:    f.Header.OptOut,
		NeverLink: f.Policy.NeverLink,
		Allow:     f.Policy.Allow,
	}
	for i := range f.Rules {
		o.Rules = append(o.Rules, f.Rules[i].rule())
	}
	return o
}

// Server returns the options of the milter; the filter is the caller's.
func (f *File) Server(through milter.Filter, log *slog.Logger) milter.Options {
	return milter.Options{
		Filter:         through,
		Log:            log,
		MaxMessage:     int64(f.Limits.Message),
		Memory:         int64(f.Limits.Memory),
		MaxConnections: f.Milter.MaxConnections,
		Timeouts: milter.Timeouts{
			Idle:    time.Duration(f.Milter.Idle),
			Content: time.Duration(f.Milter.Content),
			Filter:  time.Duration(f.Limits.Time),
		},
	}
}

func (r *Rule) rule() filter.Rule {
	return filter.Rule{
		Name: r.Name,
		When: filter.When{
			Authenticated: r.When.Authenticated,
			Client:        prefixes(r.When.Client),
			Daemon:        r.When.Daemon,
			Sender:        r.When.Sender,
			Recipient:     r.When.Recipient,
			AnyRecipient:  r.When.AnyRecipient,
			Header:        r.When.headers(),
		},
		Trusted:       r.Trusted,
		HTML:          r.HTML,
		Plain:         r.Plain,
		Flagged:       r.Flagged,
		Signed:        r.Signed,
		IfNotEditable: r.IfNotEditable,
		On:            filter.On(r.On),
		DryRun:        r.DryRun,
	}
}

// headers are the conditions on header fields, in the order of their names.
func (w *When) headers() []filter.HeaderMatch {
	var list []filter.HeaderMatch
	for _, name := range slices.Sorted(maps.Keys(w.Header)) {
		list = append(list, filter.HeaderMatch{Name: name, Value: w.Header[name]})
	}
	return list
}
