package contentfilter

import (
	"fmt"
	"strings"
)

// command is a command line of the client.
type command struct {
	verb string // in capitals
	args string // as they came, without white space around them
}

func parseCommand(line string) command {
	verb, args, _ := strings.Cut(strings.TrimRight(line, " \t"), " ")
	return command{strings.ToUpper(verb), strings.TrimSpace(args)}
}

// own answers the commands that are not go-smtp's business, and reports whether the
// command in hand was one.
func (c *conn) own() bool {
	switch c.command.verb {
	case "STARTTLS":
		c.startTLSCommand()
	case "XFORWARD":
		if !c.session.trusted {
			return false // go-smtp knows no such command
		}
		c.reply(c.session.xforwardCommand(c.command.args))
	case "BDAT":
		// CHUNKING is not offered. What follows is no command.
		c.reply(newReply(502, "5.5.1", "BDAT is not implemented"))
		c.goodbye = true
	case "AUTH":
		c.reply(newReply(502, "5.5.1", "AUTH is not implemented"))
	case "MAIL", "RCPT", "DATA":
		if c.greeted {
			return false
		}
		c.reply(newReply(503, "5.5.1", "Say "+c.hello()+" first"))
	default:
		return false
	}
	return true
}

// hello is the verb by which clients introduce themselves.
func (c *conn) hello() string {
	if c.server.options.LMTP {
		return "LHLO"
	}
	return "EHLO"
}

// startTLSCommand answers STARTTLS.
func (c *conn) startTLSCommand() {
	switch {
	case c.server.options.TLS == nil:
		c.reply(newReply(502, "5.5.1", "STARTTLS is not implemented"))
	case c.session.encrypted:
		c.reply(newReply(503, "5.5.1", "TLS is in use"))
	case c.command.args != "":
		c.reply(newReply(501, "5.5.4", "STARTTLS takes no parameters"))
	default:
		c.replace = []byte{}
		c.greeted = false
		c.session.Reset()
		c.session.encrypted = true
		if c.failure = c.startTLS(); c.failure != nil {
			c.goodbye = true
		}
	}
}

// libraryLine returns the command line that go-smtp gets for the one in hand. It
// refuses the address without a domain that every server takes (RFC 5321
// §4.5.1), and an ORCPT of Postfix, which writes addresses in UTF-8 as those of type
// rfc822. Parameters of recipients are for the next hop to judge.
func (c *conn) libraryLine(line []byte) []byte {
	if c.command.verb != "RCPT" {
		return line
	}
	p, err := parsePath(c.command.args, "TO:")
	if err != nil {
		return line
	}
	if strings.EqualFold(p.path, "<postmaster>") {
		p.path = "<postmaster@" + c.server.options.Name + ">"
	}
	return []byte("RCPT TO:" + p.path + "\r\n")
}

// path is the address and the parameters of a MAIL or RCPT command, as they came.
type path struct {
	path   string // in angle brackets
	params []string
}

// parsePath reads the arguments of MAIL or RCPT behind prefix, which is FROM: or TO:.
// It is about where the address ends; whether it is one, go-smtp says.
func parsePath(args, prefix string) (path, error) {
	if len(args) < len(prefix) || !strings.EqualFold(args[:len(prefix)], prefix) {
		return path{}, fmt.Errorf("no %s", prefix)
	}
	args = strings.TrimLeft(args[len(prefix):], " \t")
	if !strings.HasPrefix(args, "<") {
		// Not allowed, and taken by many.
		address, rest, _ := strings.Cut(args, " ")
		return path{"<" + address + ">", strings.Fields(rest)}, nil
	}
	quoted := false
	for i := 1; i < len(args); i++ {
		switch c := args[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '>' && !quoted:
			return path{args[:i+1], strings.Fields(args[i+1:])}, nil
		}
	}
	return path{}, fmt.Errorf("no end of the address")
}
