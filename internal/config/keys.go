package config

import (
	"net/netip"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/httpapi"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/policy"
)

// File is a configuration file. It has a field for each table, in the order of the
// example file. The fields of the tables define the keys, by tags:
//
//   - toml is the name of the key,
//   - help the sentence of the example file and the manual,
//   - default its default as text, where defaults.go does not take it from the package
//     that uses the value,
//   - check the check of its value, see checks,
//   - choice the words that it takes, for the values false and true, or 0, 1 and so on;
//     those of a string are its values.
//
// [rule.Rule] defines the keys of a rule. options.go and content_filter.go hand the values
// to the packages that use them.
type File struct {
	BuiltinRules bool `toml:"builtin_rules" help:"keep the built-in rules: your rules go before them, and one with the name of a built-in rule takes its place"`

	Service       Service       `toml:"service" help:"The service as a whole."`
	Milter        Milter        `toml:"milter" help:"The milter. Changes here need a restart."`
	ContentFilter ContentFilter `toml:"content_filter" help:"The content filter receives messages over SMTP and sends them to the next hop. Changes here need a restart."`
	Digest        Digest        `toml:"digest" help:"A mail a day about the messages in the Maildir of content_filter.quarantine, in which nothing can be opened. Machines that share the Maildir send it once. Changes here need a restart."`
	HTTP          HTTP          `toml:"http" help:"The HTTP API. Changes here need a restart, except those of tls_cert, tls_key and token_file."`
	Limits        Limits        `toml:"limits" help:"Limits for the work on a message. Messages beyond them are not edited, and the log says why."`
	Policy        Policy        `toml:"policy" help:"How linkmilter judges links."`
	Lists         []List        `toml:"list" help:"Lists of hosts and URLs that others publish, each in a table of its own. The list is kept in the cache folder; no message waits for it."`

	Correspondents Correspondents `toml:"correspondents" help:"Whom your users write to: linkmilter learns it from outgoing mail, and flags mail from outside that looks like these. It keeps domains, and addresses as keyed hashes."`

	DNS    DNS         `toml:"dns" help:"Block lists in the DNS. Without a [[dns.list]] nobody is asked; with one, the list learns which hosts your mail has."`
	Header Header      `toml:"header" help:"The header fields that linkmilter writes and reads."`
	DKIM   DKIM        `toml:"dkim" help:"DKIM signing of mail from your own users, after the edit. Without keys linkmilter does not sign."`
	TLDs   TLDs        `toml:"tlds" help:"The list of top-level domains."`
	Admin  Admin       `toml:"admin" help:"The page for operators, metrics and health. Changes here need a restart, except those of history and history_*."`
	Log    Log         `toml:"log" help:"The log, on standard error."`
	Rules  []rule.Rule `toml:"rule" help:"The rules: for each message the first one whose conditions all hold decides."`

	lists     map[string][]string // the lines of the files that lists name, by path
	ruleLines []int               // line of each rule in the file; 0 for a built-in rule
	warnings  Problems
}

// Service is the table [service].
type Service struct {
	// Edit is the switch with which an operator ends all edits at once.
	Edit     rule.Edit `toml:"edit" choice:"any flagged never" help:"which messages any rule may edit: any, flagged (those with a flagged link), never"`
	DryRun   bool      `toml:"dry_run" help:"only log what the rules would do"`
	Drain    Duration  `toml:"drain" help:"how long linkmilter still takes mail after a signal to stop, while /readyz answers 503: longer than a load balancer takes to notice; 0s: not at all"`
	Node     string    `toml:"node" check:"node" help:"name of this machine among several, in the log and the metrics; if set here, in tags, too. Empty: its host name. Changes need a restart"`
	Language string    `toml:"language" choice:"ar de en es fr hi ja pt ru zh" default:"en" help:"language of the reason behind a removed link, where neither the words nor the message tell theirs: ar, de, en, es, fr, hi, ja, pt, ru or zh"`
}

// Milter is the table [milter].
type Milter struct {
	Listen         []string       `toml:"listen" default:"inet:8895@127.0.0.1" help:"addresses to listen on: inet:8895@127.0.0.1, inet:127.0.0.1:8895, unix:/path; a file with keys of [content_filter] but no table [milter] does not start the milter"`
	SocketMode     SocketMode     `toml:"socket_mode" help:"permissions of Unix sockets, in octal"`
	SocketGroup    string         `toml:"socket_group" check:"group" help:"group of Unix sockets; empty: that of the process"`
	Allow          []netip.Prefix `toml:"allow" help:"networks whose mail servers may connect; required beyond loopback addresses"`
	MaxConnections int            `toml:"max_connections" check:"positive" help:"connections at a time; further ones wait"`
	Idle           Duration       `toml:"idle_timeout" check:"positive" help:"silence allowed between commands"`
	Content        Duration       `toml:"content_timeout" check:"positive" help:"silence allowed within a message"`
}

// ContentFilter is the table [content_filter].
type ContentFilter struct {
	Listen           []string       `toml:"listen" help:"addresses to listen on: 127.0.0.1:10025, [::1]:10025, unix:/path; empty: no content filter"`
	LMTP             bool           `toml:"protocol" choice:"smtp lmtp" help:"protocol of these addresses: smtp or lmtp"`
	NextHop          string         `toml:"next_hop" help:"where messages go: 127.0.0.1:10026, mx.example.com:25, unix:/path"`
	NextHopLMTP      bool           `toml:"next_hop_protocol" choice:"smtp lmtp" help:"protocol of the next hop: smtp or lmtp"`
	NextHopTLS       string         `toml:"next_hop_tls" choice:"never may require" default:"never" help:"STARTTLS to the next hop: never, may (if offered, without checking the certificate), require (with a valid certificate)"`
	NextHopTimeout   Duration       `toml:"next_hop_timeout" check:"positive" help:"how long to wait for a reply of the next hop"`
	Name             string         `toml:"name" check:"host" help:"name of this host in SMTP and in the Received field; empty: that of the machine"`
	PassBareLineEnds bool           `toml:"bare_line_ends" choice:"refuse pass-through" help:"messages with CR or LF alone, which can hide a second message: refuse, or pass-through"`
	MaxHops          int            `toml:"max_hops" check:"positive" help:"Received fields a message may have; more are a loop and refused"`
	TLSCert          string         `toml:"tls_cert" help:"file with the certificate and its chain (PEM) for STARTTLS; empty: no STARTTLS"`
	TLSKey           string         `toml:"tls_key" help:"file with its key (PEM)"`
	SocketMode       SocketMode     `toml:"socket_mode" help:"permissions of Unix sockets, in octal"`
	SocketGroup      string         `toml:"socket_group" check:"group" help:"group of Unix sockets; empty: that of the process"`
	Allow            []netip.Prefix `toml:"allow" help:"networks that may connect; required beyond loopback addresses"`
	XForward         []netip.Prefix `toml:"xforward" help:"networks beside this machine that may name the client with XFORWARD"`
	MaxConnections   int            `toml:"max_connections" check:"positive" help:"connections at a time; further ones wait"`
	MaxRecipients    int            `toml:"max_recipients" check:"positive" help:"recipients of a message; linkmilter defers further ones"`
	MaxSize          Size           `toml:"max_size" help:"bytes of a message; larger ones are refused. 0: only the next hop limits the size"`
	Idle             Duration       `toml:"idle_timeout" check:"positive" help:"silence allowed between commands"`
	Content          Duration       `toml:"content_timeout" check:"positive" help:"silence allowed within a message"`
	Message          Duration       `toml:"message_timeout" check:"positive" help:"how long a client may take to send a message"`
	Quarantine       string         `toml:"quarantine" check:"absolute" help:"Maildir for quarantined messages; empty: see hold"`
	QuarantineDays   int            `toml:"quarantine_days" help:"days for which the Maildir keeps a message; 0: for ever"`
	QuarantineSize   Size           `toml:"quarantine_size" help:"bytes of all messages in the Maildir, beyond which the oldest go; 0: any size"`
	Hold             string         `toml:"hold" check:"mailbox" help:"address that receives quarantined messages instead of their recipients; without quarantine and hold linkmilter tags and delivers them"`
}

// Digest is the table [digest].
type Digest struct {
	To        []string `toml:"to" check:"mailbox" help:"addresses that are told of all messages"`
	Users     []string `toml:"users" check:"address" help:"recipients who are told of their own messages: anna@example.com, @example.com, .example.com (below it)"`
	From      string   `toml:"from" check:"mailbox" help:"address for replies; empty: postmaster at the name of this host"`
	At        string   `toml:"at" check:"time-of-day" default:"07:00" help:"time of day in the zone of this machine; a digest that it missed goes when linkmilter starts"`
	Server    string   `toml:"server" help:"SMTP server that takes it without a login: 127.0.0.1:25; empty: content_filter.next_hop"`
	ServerTLS string   `toml:"server_tls" choice:"never may require" default:"never" help:"STARTTLS to server: never, may, require, as in content_filter.next_hop_tls"`
}

// HTTP is the table [http].
type HTTP struct {
	Listen         []string       `toml:"listen" help:"addresses to listen on: 127.0.0.1:8897, [::1]:8897, unix:/path; empty: no HTTP API"`
	SocketMode     SocketMode     `toml:"socket_mode" help:"permissions of Unix sockets, in octal"`
	SocketGroup    string         `toml:"socket_group" check:"group" help:"group of Unix sockets; empty: that of the process"`
	Allow          []netip.Prefix `toml:"allow" help:"networks that may connect; required beyond loopback addresses, with TLS and tokens"`
	TLSCert        string         `toml:"tls_cert" help:"file with the certificate and its chain (PEM); empty: no TLS"`
	TLSKey         string         `toml:"tls_key" help:"file with its key (PEM)"`
	TokenFile      string         `toml:"token_file" help:"file with a bearer token a line, and behind it a name for the log; empty: none needed"`
	MaxConnections int            `toml:"max_connections" check:"positive" help:"connections at a time; further ones wait"`
	Idle           Duration       `toml:"idle_timeout" check:"positive" help:"silence allowed between requests"`
	Request        Duration       `toml:"request_timeout" check:"positive" help:"how long a client may take to send a request"`

	credentials httpapi.Credentials // from the files as they were when the configuration was read
}

// Limits is the table [limits].
type Limits struct {
	Message Size     `toml:"message" check:"positive" help:"bytes of a message that linkmilter reads"`
	Text    Size     `toml:"text" check:"positive" help:"bytes of a text; longer ones are judged but not edited"`
	Result  Size     `toml:"result" check:"positive" help:"bytes of an edited message; keep it below the mail server's limit"`
	Growth  Size     `toml:"growth" check:"positive" help:"bytes that an edit may add"`
	Header  Size     `toml:"header" check:"positive" help:"bytes of all headers"`
	Parts   int      `toml:"parts" check:"positive" help:"parts of a message, including those of attached messages"`
	Depth   int      `toml:"depth" check:"positive" help:"how deep parts may be nested"`
	Links   int      `toml:"links" check:"positive" help:"links of a message that linkmilter judges"`
	Time    Duration `toml:"time" check:"positive" help:"how long the work on a message may take"`
	Memory  Size     `toml:"memory" check:"positive" help:"memory of all messages being processed"`
}

// Policy is the table [policy].
type Policy struct {
	Protected  []string                        `toml:"protected" check:"protected" help:"your own domains; links that look like them are flagged. file:/path, here and in the next two lists, is a file with an entry a line; # begins a comment"`
	Names      []string                        `toml:"names" check:"own-name" help:"your own names, beside those of the protected domains; who writes under one from elsewhere is flagged"`
	Allow      []string                        `toml:"allow" check:"allow-line" help:"hosts that are never flagged: example.com is that host, .example.com every host below it; with a date, as in example.com 2027-01-31, through that day. \"Jira (Northgate)\" from atlassian.net is a sender whose name is never flagged there"`
	Block      []string                        `toml:"block" check:"host-line" help:"hosts that are always flagged, in the form of allow, which wins"`
	Brands     bool                            `toml:"brands" default:"true" help:"flag links that look like a built-in list of domains that phishing imitates"`
	BrandsFile string                          `toml:"brands_file" check:"absolute" help:"file with further domains that phishing imitates, one a line"`
	Robots     []string                        `toml:"robots" check:"robot" help:"recipients that are programs: mail to them is not edited; * matches any text"`
	NeverLink  []string                        `toml:"never_link" check:"never-link" help:"texts that never become a link, such as node.js; * matches any text"`
	JoinLines  bool                            `toml:"join_lines" help:"find a URL in angle brackets over several lines as one link"`
	Severity   map[policy.Code]policy.Severity `toml:"severity" check:"code" help:"severities of findings: none, info, low, medium or high, such as over-escaped = \"none\""`
}

// List is one [[list]].
type List struct {
	Name     string          `toml:"name" help:"for findings, files and metrics: ASCII letters, digits and hyphens"`
	URL      string          `toml:"url" check:"https" help:"where the list is; https only"`
	File     string          `toml:"file" check:"absolute" help:"a file of this machine in place of url; it is read again when it changes"`
	Format   string          `toml:"format" choice:"auto plain hosts adblock csv json rbldnsd rpz" default:"auto" help:"auto (found), plain (a host or URL a line), hosts (a hosts file), adblock (domain lines), csv, json (MISP warning lists and events, STIX 2.1), rbldnsd or rpz (zones)"`
	Column   string          `toml:"column" help:"the column of csv with the hosts or URLs, by its name or number; empty: found"`
	Match    string          `toml:"match" choice:"written host below prefix" default:"written" help:"which links a line is about: written (that host, or that URL with any query), host (the host of a URL, too), below (also the hosts below it), prefix (also URLs that continue the path)"`
	Means    string          `toml:"means" choice:"block allow watch" default:"block" help:"what it means that the list has a link: block (flagged), allow (no findings), watch (reported)"`
	Severity policy.Severity `toml:"severity" help:"severity of its findings; none: high for block, info for watch"`
	MaxAge   int             `toml:"max_age_days" help:"days after which a line no longer counts that the list still has; 0: never"`
	Every    Duration        `toml:"interval" default:"1h" help:"time between two requests"`
	MaxSize  Size            `toml:"max_size" default:"512 MiB" check:"positive" help:"bytes of the list; a larger one is not used"`
	Rules    []string        `toml:"rules" help:"names of the rules whose messages it is for; empty: all"`
}

// Correspondents is the table [correspondents].
type Correspondents struct {
	File   string `toml:"file" check:"absolute" help:"file of what was learnt (SQLite), such as /var/lib/linkmilter/correspondents.db; the key of the hashes is beside it. Empty: nothing is learnt, and nothing flagged for it"`
	Valkey string `toml:"valkey" check:"valkey" help:"Valkey or Redis server by which several machines share what they learn: redis://127.0.0.1:6379/0, rediss:// with TLS; no message waits for it. All need the same key. Empty: each machine learns alone"`
	Days   int    `toml:"days" default:"730" help:"days for which the file keeps a domain or address to which nobody writes; 0: for ever"`
}

// DNS is the table [dns].
type DNS struct {
	Servers []string  `toml:"servers" check:"resolver" help:"resolvers to ask, such as 127.0.0.1:53; empty: those of the system"`
	Time    Duration  `toml:"time" check:"positive" default:"1s" help:"how long a message waits for the answers at most"`
	Lists   []DNSList `toml:"list" help:"A block list in the DNS. It is asked about the registrable domains of links in untrusted mail."`
}

// DNSList is one [[dns.list]].
type DNSList struct {
	Name     string          `toml:"name" help:"for findings, the log and metrics: ASCII letters, digits and hyphens; the zone may have a secret key in it"`
	Zone     string          `toml:"zone" help:"domain of the list: dbl.spamhaus.org, multi.surbl.org, multi.uribl.com"`
	Format   string          `toml:"format" choice:"auto dbl surbl uribl any" default:"auto" help:"what its answers mean: auto (by the zone), dbl, surbl, uribl, any (any answer in 127.0.0.0/8)"`
	Means    string          `toml:"means" choice:"block watch" default:"block" help:"what it means that the list has a host: block (flagged) or watch (reported)"`
	Severity policy.Severity `toml:"severity" help:"severity of its findings; none: high for block, info for watch"`
}

// Header is the table [header].
type Header struct {
	ID       string   `toml:"id" check:"id" help:"name of this mail host in tags; empty: that of the mail server (macro j), or of the content filter"`
	OtherIDs []string `toml:"other_ids" check:"id" help:"names of your other mail hosts; on mail of strangers, fields with these names are forged"`
	OptOut   string   `toml:"opt_out" check:"opt-out" help:"header field with which your own users opt out of the edit; linkmilter removes it"`
	Authserv []string `toml:"authserv_ids" check:"authserv" help:"names (authserv-id) of servers whose Authentication-Results linkmilter trusts; they must remove such fields from mail of strangers"`
}

// DKIM is the table [dkim].
type DKIM struct {
	Sign             string    `toml:"sign" choice:"all edited" default:"all" help:"which outbound mail is signed: all (unless it has a signature of its domain), or edited"`
	Headers          []string  `toml:"headers" help:"header fields to sign"`
	Oversign         []string  `toml:"oversign" help:"header fields to over-sign: adding one on the way breaks the signature"`
	Canonicalization string    `toml:"canonicalization" choice:"relaxed/relaxed relaxed/simple simple/relaxed simple/simple" default:"relaxed/relaxed" help:"of header and body, each relaxed or simple"`
	EightBit         string    `toml:"eight_bit" choice:"sign convert leave" default:"sign" help:"messages with bytes above 127: sign (unchanged), convert (texts become quoted-printable or base64 first where a message may be edited; attachments and the header stay), leave (neither edited nor signed)"`
	Expire           Duration  `toml:"expire" help:"how long a signature is valid; 0s: for ever"`
	Keys             []DKIMKey `toml:"key" help:"The signing keys. Each key of a domain makes a signature."`

	signer *mailauth.Signer // has the keys as they were when the file was read; nil: nothing is signed
}

// DKIMKey is one [[dkim.key]].
type DKIMKey struct {
	Domain   string `toml:"domain" help:"domain of the address in From, and of hosts below it without a key"`
	Selector string `toml:"selector" help:"the public key is in the DNS at SELECTOR._domainkey.DOMAIN"`
	File     string `toml:"file" help:"the private key in PEM: RSA or Ed25519; only linkmilter may read it"`
}

// TLDs is the table [tlds].
type TLDs struct {
	Refresh bool     `toml:"refresh" help:"the service fetches IANA's list, in the background; false: use the file if it exists, else the built-in list"`
	URL     string   `toml:"url" check:"https" help:"URL of the list; https only"`
	File    string   `toml:"file" help:"file for the fetched list; empty: in the user's cache folder"`
	Every   Duration `toml:"every" check:"every" help:"time between fetches"`
	DNS     bool     `toml:"dns" help:"ask the DNS for names that the list lacks; needs refresh"`
}

// Admin is the table [admin].
type Admin struct {
	Listen          string     `toml:"listen" help:"address of the HTTP listener with the page for operators, /metrics, /healthz and /readyz, such as 127.0.0.1:8896 or unix:/run/linkmilter/admin.sock; empty: none"`
	SocketMode      SocketMode `toml:"socket_mode" help:"permissions of a Unix socket, in octal"`
	SocketGroup     string     `toml:"socket_group" check:"group" help:"group of a Unix socket; empty: that of the process"`
	Hosts           []string   `toml:"hosts" check:"admin-host" help:"host names in requests that it answers, in addition to those of this machine"`
	Keep            int        `toml:"keep" check:"positive" default:"1000" help:"how many flagged messages the page keeps in memory"`
	Password        string     `toml:"password" check:"bcrypt" help:"hash of a password for the page, as linkmilter password prints it; empty: none. Beyond loopback the page needs one"`
	PasswordFile    string     `toml:"password_file" check:"absolute" help:"file with this hash instead, which other accounts cannot read"`
	History         string     `toml:"history" check:"absolute" help:"file in which flagged messages outlive a restart (SQLite), such as /var/lib/linkmilter/history.db; empty: none"`
	HistoryDays     int        `toml:"history_days" default:"90" help:"days for which the file keeps a message; 0: for ever"`
	HistoryRows     int        `toml:"history_rows" default:"100000" help:"messages in the file; 0: any number"`
	HistorySeen     bool       `toml:"history_seen" help:"the file also keeps the links of messages that are not flagged, to look back when a list learns a host; history_rows counts them apart"`
	HistorySubjects bool       `toml:"history_subjects" help:"the page and the file also have the subjects of flagged messages"`
	HistorySize     Size       `toml:"history_size" help:"bytes of the file; 0: any size"`
	Renderings      int        `toml:"renderings" help:"edited messages that the page keeps in memory and shows before and after, up to 16 MiB; who can open the page can then read them; 0: none"`
	Nodes           []string   `toml:"nodes" check:"metrics-url" help:"URLs of the metrics of other nodes, which the page shows side by side, such as http://10.0.0.12:8896/metrics"`
	Pprof           string     `toml:"pprof" check:"absolute" help:"path of a Unix socket for Go's profiler; empty: none"`

	passwordHash string // content of PasswordFile when the configuration was read
}

// Log is the table [log].
type Log struct {
	Format    string   `toml:"format" choice:"auto text json journal" default:"auto" help:"text, json, journal (for systemd: text with a field for each key), or auto: journal if systemd reads the log, else text"`
	Level     LogLevel `toml:"level" default:"info" help:"debug, info, warn or error"`
	Addresses string   `toml:"addresses" choice:"full domain none" default:"domain" help:"how much of the envelope sender and recipients the log has: full, domain (the part after the @) or none"`
	URLs      bool     `toml:"urls" help:"also log the flagged URLs, defanged, five at most for a message"`
}
