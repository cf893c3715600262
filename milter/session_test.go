package milter

import (
	"net/netip"
	"strings"
	"testing"

	gomilter "github.com/emersion/go-milter"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// offers are what the tests negotiate.
var offers = []struct {
	name     string
	actions  gomilter.OptAction
	protocol gomilter.OptProtocol
}{
	{"everything", allActions, allProtocol},
	{"no options", allActions, 0},
	{"version 2", 0x3f, 0x7f},
	{"replies to the body", allActions, allProtocol &^ gomilter.OptNoBodyReply},
	{"no leading space", allActions, allProtocol &^ gomilter.OptHeaderLeadingSpace},
}

func TestMessages(t *testing.T) {
	big := strings.Repeat(strings.Repeat("0123456789", 7)+"\r\n", 3<<20/72)
	messages := []struct {
		name string
		mail mail
		want string // the raw message; "": as the fields and the body say
	}{
		{name: "plain", mail: simple([]string{"Subject", " x", "To", " b@example.com"}, "hello\r\n")},
		{name: "empty body", mail: simple([]string{"Subject", " x"}, "")},
		{name: "no header", mail: simple(nil, "hello\r\n")},
		{name: "empty field", mail: simple([]string{"Subject", ""}, "hello\r\n")},
		{name: "no final line end", mail: simple([]string{"Subject", " x"}, "hello")},
		{name: "body of small chunks", mail: mail{from: "<>", to: []string{"<b@example.com>"}, body: big[:20_000], chunk: 777}},
		{name: "body of 3 MB", mail: simple([]string{"Subject", " x"}, big)},
		{
			name: "folded fields",
			mail: simple([]string{"Subject", " one\n two\n\tthree", "X", " a\r\n b"}, "y"),
			want: "Subject: one\r\n two\r\n\tthree\r\nX: a\r\n b\r\n\r\ny",
		},
		{name: "UTF-8 and bytes", mail: simple([]string{"Subject", " \u00fc\xff"}, "\x00\xff\u00fc")},
	}
	for _, offer := range offers {
		t.Run(offer.name, func(t *testing.T) {
			f := &seen{}
			bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, offer.actions, offer.protocol)
				p.hello()
				for i, m := range messages {
					if answers := p.message(m.mail); codes(answers) != "a" {
						t.Fatalf("%s: replies %q", m.name, codes(answers))
					}
					want := m.want
					if want == "" {
						want = m.mail.raw()
					}
					if got := f.raws[i]; got != want {
						t.Errorf("%s: raw message of %d bytes %.80q, want %d bytes %.80q", m.name, len(got), got, len(want), want)
					}
				}
				p.send('Q')
				p.expectClosed()
			})
		})
	}
}

// TestRepliesThatStay: the server always replies to the end of the header, to DATA, and to body
// chunks where it may send SKIP, whatever the MTA offers to leave out.
func TestRepliesThatStay(t *testing.T) {
	const never = gomilter.OptNoEOHReply | gomilter.OptNoDataReply
	for _, protocol := range []gomilter.OptProtocol{allProtocol, allProtocol &^ gomilter.OptNoBodyReply, never, never | gomilter.OptNoData, 0} {
		bubble(t, Options{Options: mailserver.Options{Filter: &seen{}}}, func(t *testing.T, s *testServer) {
			agreed := s.connect(t, allActions, protocol).protocol
			if agreed&never != 0 {
				t.Errorf("offered %x: agreed on %x, without replies that are needed", protocol, agreed)
			}
			if both := gomilter.OptSkip | gomilter.OptNoBodyReply; agreed&both == both {
				t.Errorf("offered %x: agreed on SKIP and on no replies to carry it", protocol)
			}
		})
	}
}

// raw is the message as a file has it.
func (m mail) raw() string {
	var b strings.Builder
	for i := 0; i+1 < len(m.fields); i += 2 {
		b.WriteString(m.fields[i] + ":" + m.fields[i+1] + "\r\n")
	}
	return b.String() + "\r\n" + m.body
}

// TestLeadingSpaces: without SMFIP_HDR_LEADSPC the server does not learn the number of leading
// spaces, and assumes one.
func TestLeadingSpaces(t *testing.T) {
	fields := []string{"Subject", "  two", "X", "none", "Y", "\ttab"}
	tests := []struct {
		name     string
		protocol gomilter.OptProtocol
		want     string
	}{
		{"granted", allProtocol, "Subject:  two\r\nX:none\r\nY:\ttab\r\n\r\n"},
		{"not granted", 0, "Subject:  two\r\nX: none\r\nY: \ttab\r\n\r\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &seen{}
			bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, allActions, test.protocol)
				p.hello()
				p.message(simple(fields, ""))
				if got := f.raws[0]; got != test.want {
					t.Errorf("raw message %q, want %q", got, test.want)
				}
			})
		})
	}
}

func TestEnvelope(t *testing.T) {
	connect := func(p *peer, data string, pairs ...string) {
		if pairs != nil {
			p.macros('C', pairs...)
		}
		p.command(gomilter.OptNoConnReply, 'C', data)
	}
	tests := []struct {
		name    string
		connect func(p *peer)
		mail    mail
		want    envelope.Envelope
	}{
		{
			name: "Postfix",
			connect: func(p *peer) {
				connect(p, "c.example\x004\x30\x39192.0.2.7\x00", "j", "mx", "{daemon_name}", "smtpd", "v", "Postfix 3.7.11")
			},
			mail: mail{
				from:       "<a@example.org>\x00BODY=8BITMIME\x00SIZE=12\x00SMTPUTF8",
				to:         []string{"<b@example.com>\x00NOTIFY=NEVER", "<c@example.com>"},
				mailMacros: []string{"{auth_type}", "PLAIN", "{auth_authen}", "alice", "{mail_addr}", "a@example.org"},
				eohMacros:  []string{"i", "4Xq1"},
				eomMacros:  []string{"i", "4Xq1"},
			},
			want: envelope.Envelope{
				Sender: "a@example.org", Recipients: []string{"b@example.com", "c@example.com"},
				Client:        netip.MustParseAddr("192.0.2.7"),
				Authenticated: true, Host: "mx", Daemon: "smtpd",
				BodyType: "8BITMIME", SMTPUTF8: true, QueueID: "4Xq1",
			},
		},
		{
			name: "Sendmail with IPv6",
			connect: func(p *peer) {
				connect(p, "c.example\x006\x30\x39IPv6:2001:db8::7\x00", "{daemon_name}", "MTA-v6", "v", "8.17.1.9/8.17.1.9")
			},
			mail: mail{
				from: "<>\x00body=7bit", to: []string{"<b@example.com>"},
				mailMacros: []string{"i", "5AB0", "{auth_type}", "EXTERNAL"},
			},
			want: envelope.Envelope{
				Recipients: []string{"b@example.com"},
				Client:     netip.MustParseAddr("2001:db8::7"), Authenticated: true,
				Daemon: "MTA-v6", Rewrites: true, BodyType: "7BIT", QueueID: "5AB0",
			},
		},
		{
			name:    "mapped address",
			connect: func(p *peer) { connect(p, "c.example\x006\x30\x39::ffff:192.0.2.7\x00") },
			mail:    mail{from: "<a@example.org>"},
			want: envelope.Envelope{
				Sender: "a@example.org", Client: netip.MustParseAddr("192.0.2.7"), Rewrites: true,
			},
		},
		{
			name:    "address from a macro",
			connect: func(p *peer) { connect(p, "localhost\x00U", "{client_addr}", "IPv6:::1") },
			mail:    mail{from: "<a@example.org>"},
			want: envelope.Envelope{
				Sender: "a@example.org", Client: netip.MustParseAddr("::1"), Rewrites: true,
			},
		},
		{
			name:    "Unix socket, empty macro values",
			connect: func(p *peer) { connect(p, "localhost\x00L\x00\x00/run/x\x00") },
			mail:    mail{from: "<a@example.org>", mailMacros: []string{"{auth_type}", "", "{auth_authen}", "", "i", "7"}},
			want:    envelope.Envelope{Sender: "a@example.org", Rewrites: true, QueueID: "7"},
		},
		{
			name:    "no connect",
			connect: func(*peer) {},
			mail:    mail{from: "<a@example.org>"},
			want:    envelope.Envelope{Sender: "a@example.org", Rewrites: true},
		},
	}
	for _, test := range tests {
		for _, offer := range offers[:2] {
			t.Run(test.name+", "+offer.name, func(t *testing.T) {
				f := &seen{}
				bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
					p := s.connect(t, offer.actions, offer.protocol)
					test.connect(p)
					p.message(test.mail)
					if diff := cmp.Diff(test.want, f.envs[0], cmpopts.EquateComparable(netip.Addr{})); diff != "" {
						t.Error(diff)
					}
				})
			})
		}
	}
}

// TestMessagesDoNotLeak: Sendmail sends no ABORT between messages. Nothing of a message may appear
// in the next one, not even macros that the next one does not set.
func TestMessagesDoNotLeak(t *testing.T) {
	first := mail{
		from: "<a@example.org>\x00BODY=8BITMIME\x00SMTPUTF8", to: []string{"<b@example.com>"},
		fields:     []string{"DKIM-Signature", " v=1", "X-Opt-Out", " yes"},
		body:       "first\r\n",
		mailMacros: []string{"i", "Q1", "{auth_type}", "PLAIN", "{auth_authen}", "alice"},
	}
	second := mail{from: "<c@example.org>", to: []string{"<d@example.com>"}, fields: []string{"Subject", " second"}, body: "second\r\n"}
	for _, between := range []string{"nothing", "ABORT"} {
		for _, offer := range offers {
			t.Run(between+", "+offer.name, func(t *testing.T) {
				f := &seen{}
				bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
					p := s.connect(t, offer.actions, offer.protocol)
					p.hello()
					for _, m := range []mail{first, second, first, second} {
						p.message(m)
						if between == "ABORT" {
							p.send('A')
						}
					}
					for _, i := range []int{1, 3} {
						if f.raws[i] != second.raw() {
							t.Errorf("message %d is %q", i+1, f.raws[i])
						}
						want := envelope.Envelope{
							Sender: "c@example.org", Recipients: []string{"d@example.com"}, Client: netip.MustParseAddr("192.0.2.7"), Helo: "client.example.net",
							Host: "mx.example.org", Daemon: "smtpd", Rewrites: true,
						}
						if diff := cmp.Diff(want, f.envs[i], cmpopts.EquateComparable(netip.Addr{})); diff != "" {
							t.Errorf("envelope of message %d: %s", i+1, diff)
						}
					}
				})
			})
		}
	}
}

// TestMacrosOfAnotherStage: macros for a command that did not come are not used for another one.
func TestMacrosOfAnotherStage(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		p.macros('M', "{auth_authen}", "alice")
		p.macros('H', "{auth_authen}", "bob", "i", "x")
		p.message(simple(nil, ""))
		if env := f.envs[0]; env.Authenticated || env.QueueID != "" {
			t.Errorf("envelope %+v", env)
		}
	})
}

func TestAbortInsideMessage(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		dropped := simple([]string{"X-Dropped", " yes"}, strings.Repeat("x", 100_000))
		p.begin(dropped)
		p.send('A')
		p.begin(dropped)
		p.content(dropped)
		p.send('A')
		p.send('A')
		kept := simple([]string{"Subject", " kept"}, "kept")
		p.message(kept)
		if f.messages() != 1 || f.raws[0] != kept.raw() {
			t.Errorf("messages %q", f.raws)
		}
	})
}

// TestBodyWithItsEnd: the packet for the end of the body may have a piece of it, as with libmilter.
func TestBodyWithItsEnd(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		m := simple([]string{"Subject", " x"}, "one")
		p.begin(m)
		p.content(m)
		p.send('E', "two")
		p.expect('a')
		if want := m.raw() + "two"; f.raws[0] != want {
			t.Errorf("raw message %q, want %q", f.raws[0], want)
		}
	})
}

// TestUnknownSMTPCommand: if NOUNKNOWN was not granted, an MTA may ask about commands that it does
// not know.
func TestUnknownSMTPCommand(t *testing.T) {
	f := &seen{}
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol&^gomilter.OptNoUnknown)
		p.hello()
		p.send('U', "XYZZY\x00")
		p.expect('c')
		if answers := p.message(simple(nil, "x")); codes(answers) != "a" {
			t.Errorf("replies %q", codes(answers))
		}
	})
}
