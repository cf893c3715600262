package config

import (
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/policy"
)

// File is a configuration file: a field for each table, in the order of the
// example file. The tag toml is the key, the tag help its line in the example.
type File struct {
	Milter        Milter        `toml:"milter" help:"Where mail servers connect, and how patient linkmilter is with them. Changes here need a restart."`
	ContentFilter ContentFilter `toml:"content_filter" help:"Filtering in the SMTP path, for mail servers without milters: messages come in over SMTP and go on to the next hop. Changes here need a restart."`
	Limits        Limits        `toml:"limits" help:"Bounds of the work on a message. A message beyond them goes on as it came, and the log says why."`
	Policy        Policy        `toml:"policy" help:"How links are judged."`
	Header        Header        `toml:"header" help:"The header fields that linkmilter writes and reads."`
	DKIM          DKIM          `toml:"dkim" help:"Signing mail of your own users with DKIM, after the edit. Without keys nothing is signed here."`
	TLDs          TLDs          `toml:"tlds" help:"The list of top-level domains."`
	Admin         Admin         `toml:"admin" help:"Metrics and health for monitoring. Changes here need a restart."`
	Log           Log           `toml:"log" help:"The log, on standard error."`
	Rules         []Rule        `toml:"rule" help:"What is done with which message: the first rule whose conditions all hold decides."`
}

// Milter is the table [milter].
type Milter struct {
	Listen         []string   `toml:"listen" help:"addresses to listen on, as Sendmail or Postfix write them: inet:8895@127.0.0.1, inet:127.0.0.1:8895, unix:/path; a file with keys of [content_filter] and without a table [milter] listens for no milter"`
	SocketMode     SocketMode `toml:"socket_mode" help:"permissions of Unix sockets, in octal"`
	SocketGroup    string     `toml:"socket_group" help:"group that Unix sockets are given; empty: that of the process"`
	Allow          []Network  `toml:"allow" help:"networks whose mail servers may connect; needed for listening beyond this machine"`
	MaxConnections int        `toml:"max_connections" help:"connections served at a time; further ones wait"`
	Idle           Duration   `toml:"idle_timeout" help:"how long a mail server may be silent between commands"`
	Content        Duration   `toml:"content_timeout" help:"how long it may be silent within a message"`
}

// ContentFilter is the table [content_filter].
type ContentFilter struct {
	Listen          []string     `toml:"listen" help:"addresses to listen on for SMTP: 127.0.0.1:10025, [::1]:10025, unix:/path; without any there is no content filter"`
	Protocol        MailProtocol `toml:"protocol" help:"what is spoken there: smtp or lmtp"`
	NextHop         string       `toml:"next_hop" help:"where messages go on to: 127.0.0.1:10026, mx.example.com:25, unix:/path"`
	NextHopProtocol MailProtocol `toml:"next_hop_protocol" help:"what is spoken there: smtp or lmtp"`
	NextHopTLS      NextHopTLS   `toml:"next_hop_tls" help:"STARTTLS there: never, may (where it is offered, without checking the certificate), require (the certificate must be good)"`
	NextHopTimeout  Duration     `toml:"next_hop_timeout" help:"how long it may take for a reply"`
	Name            string       `toml:"name" help:"name of this host in SMTP and in the Received field; empty: that of the machine"`
	BareLineEnds    BareLineEnds `toml:"bare_line_ends" help:"messages with CR or LF alone, which can smuggle a second message: refuse, or pass-through"`
	MaxHops         int          `toml:"max_hops" help:"Received fields of a message before it is refused as one that loops"`
	TLSCert         string       `toml:"tls_cert" help:"file with the certificate (PEM, with its chain) to offer STARTTLS with; empty: it is not offered"`
	TLSKey          string       `toml:"tls_key" help:"file with its key (PEM)"`
	SocketMode      SocketMode   `toml:"socket_mode" help:"permissions of Unix sockets, in octal"`
	SocketGroup     string       `toml:"socket_group" help:"group that Unix sockets are given; empty: that of the process"`
	Allow           []Network    `toml:"allow" help:"networks that may connect; needed for listening beyond this machine"`
	XForward        []Network    `toml:"xforward" help:"networks that may say on whose behalf they come (Postfix's XFORWARD), beside this machine"`
	MaxConnections  int          `toml:"max_connections" help:"connections served at a time, each with one to the next hop; further ones wait"`
	MaxRecipients   int          `toml:"max_recipients" help:"recipients of a message; further ones are put off"`
	MaxSize         Size         `toml:"max_size" help:"octets of a message; larger ones are refused. 0: the next hop alone decides"`
	Idle            Duration     `toml:"idle_timeout" help:"how long a client may be silent between commands"`
	Content         Duration     `toml:"content_timeout" help:"how long it may be silent within a message"`
	Message         Duration     `toml:"message_timeout" help:"how long it may take to send a message"`
	Quarantine      string       `toml:"quarantine" help:"Maildir that messages in quarantine are put into; empty: see hold"`
	Hold            string       `toml:"hold" help:"address that messages in quarantine are sent to in place of their recipients; without both they are tagged and go on"`
}

// Limits is the table [limits].
type Limits struct {
	Message Size     `toml:"message" help:"octets of a message that are read"`
	Text    Size     `toml:"text" help:"bytes of a text that is edited; a longer one is judged only"`
	Result  Size     `toml:"result" help:"octets of an edited message; keep it below the mail server's own limit, or it bounces the message"`
	Growth  Size     `toml:"growth" help:"octets that an edit may add"`
	Header  Size     `toml:"header" help:"octets of all headers"`
	Parts   int      `toml:"parts" help:"parts of a message, those of attached messages included"`
	Depth   int      `toml:"depth" help:"how deep parts may be nested"`
	Links   int      `toml:"links" help:"links of a message that are looked at"`
	Time    Duration `toml:"time" help:"how long the work on a message may take"`
	Memory  Size     `toml:"memory" help:"memory of all messages in hand"`
}

// Policy is the table [policy].
type Policy struct {
	Protected []string                        `toml:"protected" help:"your own domains, which others must not look like"`
	Allow     []string                        `toml:"allow" help:"hosts that are never flagged: example.com is that host, .example.com every host below it"`
	NeverLink []string                        `toml:"never_link" help:"texts that are never made a link, such as node.js; * stands for any text"`
	JoinLines bool                            `toml:"join_lines" help:"a URL in angle brackets that is broken over lines is found as one; it stays as it was typed"`
	Severity  map[policy.Code]policy.Severity `toml:"severity" help:"other severities for findings: none, info, low, medium or high, such as over-escaped = \"none\""`
}

// Header is the table [header].
type Header struct {
	ID       string   `toml:"id" help:"name of this mail host in the fields that are written; empty: that of the machine"`
	OtherIDs []string `toml:"other_ids" help:"names of your other mail hosts: fields with them are taken for forged on mail of strangers"`
	OptOut   string   `toml:"opt_out" help:"field with which your own users ask to leave a message as it is; it is removed on the way"`
	Authserv []string `toml:"authserv_ids" help:"names (authserv-id) of your servers whose Authentication-Results are believed; they must remove fields with their names from mail of strangers"`
}

// DKIM is the table [dkim].
type DKIM struct {
	Sign             filter.Sign      `toml:"sign" help:"which mail of your own users is signed: all (unless it is signed for its domain), or edited (when others sign the rest)"`
	Headers          []string         `toml:"headers" help:"header fields that are signed"`
	Oversign         []string         `toml:"oversign" help:"those of which none may be added on the way"`
	Canonicalization Canonicalization `toml:"canonicalization" help:"of header and body, each relaxed or simple"`
	Expire           Duration         `toml:"expire" help:"for how long a signature is good; 0s: for ever"`
	Keys             []DKIMKey        `toml:"key" help:"the keys; several of a domain make as many signatures"`

	signer *mailauth.Signer // with the keys as they were when the file was read; nil: none
}

// DKIMKey is one [[dkim.key]].
type DKIMKey struct {
	Domain   string `toml:"domain" help:"of the addresses in From, and of hosts below it that have no key of their own"`
	Selector string `toml:"selector" help:"the public key is in the DNS at SELECTOR._domainkey.DOMAIN"`
	File     string `toml:"file" help:"the private key in PEM: RSA or Ed25519; only linkmilter may read it"`
}

// TLDs is the table [tlds].
type TLDs struct {
	Refresh bool     `toml:"refresh" help:"fetch IANA's list daily; without it the built-in list is used, or the file if there is one"`
	URL     string   `toml:"url" help:"where the list is fetched; https only"`
	File    string   `toml:"file" help:"where the fetched list is kept; empty: in the user's cache folder"`
	Every   Duration `toml:"every" help:"how often it is fetched"`
	DNS     bool     `toml:"dns" help:"ask the DNS for names that the list lacks, and add those that exist; needs refresh"`
}

// Admin is the table [admin].
type Admin struct {
	Listen string   `toml:"listen" help:"address of the HTTP listener with /metrics, /healthz and /readyz, such as 127.0.0.1:8896; empty: none"`
	Hosts  []string `toml:"hosts" help:"names by which it may be asked, beside those of this machine"`
	Pprof  string   `toml:"pprof" help:"path of a Unix socket for Go's profiler; empty: none"`
}

// Log is the table [log].
type Log struct {
	Format LogFormat `toml:"format" help:"text, json, journal (text without the time, with syslog levels in front, for systemd), or auto: journal where systemd reads it, else text"`
	Level  LogLevel  `toml:"level" help:"debug, info, warn or error"`
}

// Rule is one [[rule]].
type Rule struct {
	Name          string           `toml:"name" help:"for logs: ASCII letters, digits and hyphens"`
	When          When             `toml:"when" help:"the conditions; without any the rule matches every message"`
	Trusted       bool             `toml:"trusted" help:"these messages come from your own users and machines"`
	SignRelayed   bool             `toml:"sign_relayed" help:"sign them with DKIM even if they came through another server from a client that did not log in"`
	HTML          rule.HTML        `toml:"html" help:"add an HTML alternative to plain texts: never, needed (when links read better or would be cut), always"`
	Plain         rule.Plain       `toml:"plain" help:"links in plain texts: keep, or readable (they are rewritten)"`
	Flagged       rule.Flagged     `toml:"flagged" help:"how flagged links are shown: unlink, link, defang (in plain texts only with plain = \"readable\")"`
	Signed        rule.Signed      `toml:"signed" help:"messages signed with DKIM or ARC: keep (not edited), edit (the signature breaks)"`
	IfNotEditable rule.NotEditable `toml:"if_not_editable" help:"when an edit was asked for and not done: tag, none, quarantine, reject"`
	On            On               `toml:"on" help:"what becomes of a message by its worst finding: none, tag, quarantine, tempfail, discard, reject"`
	DryRun        bool             `toml:"dry_run" help:"only say in the log what would have been done"`
}

// When is the table when of a rule.
type When struct {
	Authenticated *bool             `toml:"authenticated" help:"the client logged in"`
	Client        []Network         `toml:"client" help:"the client's address is in one of these networks"`
	Daemon        []string          `toml:"daemon" help:"the mail server's daemon has one of these names"`
	Sender        []string          `toml:"sender" help:"the envelope sender: anna@example.com, @example.com, .example.com (below it), <> (bounces)"`
	Recipient     []string          `toml:"recipient" help:"every envelope recipient is one of these"`
	AnyRecipient  []string          `toml:"any_recipient" help:"at least one envelope recipient is one of these"`
	Header        map[string]string `toml:"header" help:"header fields and patterns for their values; * stands for any text"`
	Auth          []string          `toml:"auth" help:"a server of header.authserv_ids wrote one of these into Authentication-Results: dkim=pass, dmarc=fail"`
}

// On is the table on of a rule.
type On struct {
	Info       rule.Action `toml:"info" help:"the worst finding is of this severity"`
	Low        rule.Action `toml:"low" help:"likewise; an action for a severity holds for those above it too"`
	Medium     rule.Action `toml:"medium" help:"likewise"`
	High       rule.Action `toml:"high" help:"likewise"`
	Unreadable rule.Action `toml:"unreadable" help:"nothing of the message could be read"`
	Partial    rule.Action `toml:"partial" help:"something of it could not be read"`
}
