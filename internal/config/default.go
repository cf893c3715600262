package config

import (
	"log/slog"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/milter"
)

// Default returns the configuration without a file: linkmilter makes mail of your own
// users readable, and tags other mail that has findings.
func Default() File {
	return File{
		Milter: Milter{
			Listen:         []string{"inet:8895@127.0.0.1"},
			SocketMode:     SocketMode(mailserver.DefaultSocketMode),
			MaxConnections: milter.DefaultMaxConnections,
			Idle:           Duration(2 * time.Hour),
			Content:        Duration(5 * time.Minute),
		},
		ContentFilter: ContentFilter{
			Protocol:        SMTP,
			NextHopProtocol: SMTP,
			NextHopTLS:      TLSNever,
			NextHopTimeout:  Duration(5 * time.Minute),
			BareLineEnds:    BareRefuse,
			MaxHops:         contentfilter.DefaultMaxHops,
			SocketMode:      SocketMode(mailserver.DefaultSocketMode),
			MaxConnections:  contentfilter.DefaultMaxConnections,
			MaxRecipients:   contentfilter.DefaultMaxRecipients,
			Idle:            Duration(5 * time.Minute),
			Content:         Duration(5 * time.Minute),
			Message:         Duration(time.Hour),
		},
		Limits: Limits{
			Message: Size(mailserver.DefaultMaxMessage),
			Text:    4 << 20,
			Result:  9_000_000,
			Growth:  5 << 20,
			Header:  1 << 20,
			Parts:   500,
			Depth:   20,
			Links:   10_000,
			Time:    Duration(5 * time.Second),
			Memory:  Size(mailserver.DefaultMemory),
		},
		Header: Header{OptOut: "X-Linkmilter-Opt-Out"},
		DKIM: DKIM{
			Headers:          mailauth.DefaultHeaders,
			Oversign:         mailauth.DefaultOversign,
			Canonicalization: "relaxed/relaxed",
		},
		TLDs: TLDs{
			URL:   "https://data.iana.org/TLD/tlds-alpha-by-domain.txt",
			Every: Duration(24 * time.Hour),
		},
		Log:   Log{Format: LogAuto, Level: LogLevel(slog.LevelInfo)},
		Rules: builtinRules(),
	}
}

// builtinRules are the filter's built-in rules, as a file would write them.
func builtinRules() []Rule {
	var rules []Rule
	for _, r := range rule.Builtin() {
		rules = append(rules, Rule{
			Name: r.Name,
			When: When{
				Authenticated: r.When.Authenticated,
				Client:        networks(r.When.Client),
				Daemon:        r.When.Daemon,
				Sender:        r.When.Sender,
				Recipient:     r.When.Recipient,
				AnyRecipient:  r.When.AnyRecipient,
				Auth:          r.When.Auth,
			},
			Trusted:       r.Trusted,
			SignRelayed:   r.SignRelayed,
			HTML:          r.HTML,
			Plain:         r.Plain,
			Flagged:       r.Flagged,
			Signed:        r.Signed,
			IfNotEditable: r.IfNotEditable,
			On:            On(r.On),
			DryRun:        r.DryRun,
		})
	}
	return rules
}
