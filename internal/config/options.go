package config

import (
	"cmp"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/correspondents"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/milter"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// signEdited is the value of dkim.sign for edited messages only.
const signEdited = "edited"

// Filter returns the options of the filter. names are the top-level domains under
// which a bare host is a link; nil: the built-in ones.
func (f *File) Filter(names *tld.Set) filter.Options {
	o := filter.Options{
		Engine: engine.Options{MaxLinks: f.Limits.Links, TLDs: names},
		Policy: policy.Options{
			Severities: f.Policy.Severity, Protected: f.listed(f.Policy.Protected), Names: f.Policy.Names, Block: f.listed(f.Policy.Block), Allow: f.listed(f.Policy.Allow),
			Brands: f.lists[f.Policy.BrandsFile], WithoutBrands: !f.Policy.Brands, TLDs: names,
		},
		Limits: filter.Limits{
			Limits:  mime.Limits{Depth: f.Limits.Depth, Parts: f.Limits.Parts, HeaderBytes: int(f.Limits.Header)},
			Time:    time.Duration(f.Limits.Time),
			Message: int(f.Limits.Message),
			Text:    int(f.Limits.Text),
			Result:  int(f.Limits.Result),
			Growth:  int(f.Limits.Growth),
		},
		DryRun:   f.Service.DryRun,
		ID:       f.Header.ID,
		Node:     f.Service.Node,
		Language: f.Service.Language,
		OtherIDs: f.Header.OtherIDs,
		OptOut:   f.Header.OptOut,

		SignEdited:  f.DKIM.Sign == signEdited,
		AuthservIDs: f.Header.Authserv,
		Rules:       f.rules(),
		Edit:        f.Service.Edit,

		JoinLines: f.Policy.JoinLines,
		NeverLink: f.Policy.NeverLink,
		Robots:    append([]string{}, f.Policy.Robots...), // an empty list means no robots, not the default
	}
	if f.DKIM.signer != nil {
		o.Signer = f.DKIM.signer
	}
	return o
}

// Name returns the name of this machine in the log and the metrics.
func (s *Service) Name() string {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return cmp.Or(s.Node, host)
}

// ListenMilter returns how the milter listens on its addresses. These may come from the command
// line instead of the file.
func (f *File) ListenMilter() mailserver.ListenConfig {
	return mailserver.ListenConfig{
		SocketMode:  fs.FileMode(f.Milter.SocketMode),
		SocketGroup: f.Milter.SocketGroup,
		Allow:       f.Milter.Allow,
	}
}

// IsSocket reports whether the listener is a Unix socket.
func (a *Admin) IsSocket() bool { return isSocket(a.Listen) }

// ListenSocket returns how the listener listens on a Unix socket.
func (a *Admin) ListenSocket() mailserver.ListenConfig {
	return mailserver.ListenConfig{SocketMode: fs.FileMode(a.SocketMode), SocketGroup: a.SocketGroup}
}

// isSocket reports whether an address is the path of a Unix socket.
func isSocket(address string) bool {
	return address != "" && !strings.HasPrefix(strings.ToLower(mailserver.WithScheme(address)), "inet")
}

// Refresh returns the options for updating the list of top-level domains.
func (f *File) Refresh(log *slog.Logger) tlds.Options {
	o := tlds.Options{URL: f.TLDs.URL, File: f.TLDs.File, Every: time.Duration(f.TLDs.Every), Log: log}
	if f.TLDs.DNS {
		o.DNS, _ = tlds.NewChecker(tlds.CheckerOptions{}) // the defaults are valid
	}
	return o
}

// Work returns the limits of each server's work on messages.
func (f *File) Work() mailserver.Limits {
	return mailserver.Limits{
		MaxMessage: int64(f.Limits.Message),
		Memory:     int64(f.Limits.Memory),
		Time:       time.Duration(f.Limits.Time),
	}
}

// Details says which details of a message the log has.
func (l *Log) Details() mailserver.Details {
	return mailserver.Details{Addresses: mailserver.Addresses(l.Addresses), URLs: l.URLs}
}

// Retention returns how long the history keeps messages.
func (a *Admin) Retention() history.Retention {
	return history.Retention{Days: a.HistoryDays, Rows: a.HistoryRows, Size: int64(a.HistorySize), Seen: a.HistorySeen}
}

// Options returns where the knowledge about correspondents is.
func (c *Correspondents) Options() correspondents.Options {
	return correspondents.Options{File: c.File, Valkey: c.Valkey, Days: c.Days}
}

// MilterOptions returns the options of the milter, which calls decides for each message.
func (f *File) MilterOptions(decides mailserver.Filter, log *slog.Logger) milter.Options {
	return milter.Options{
		Options: mailserver.Options{
			Filter:         decides,
			Log:            log,
			Details:        f.Log.Details(),
			Allow:          f.Milter.Allow,
			Limits:         f.Work(),
			MaxConnections: f.Milter.MaxConnections,
		},
		Timeouts: milter.Timeouts{
			Idle:    time.Duration(f.Milter.Idle),
			Content: time.Duration(f.Milter.Content),
		},
	}
}
