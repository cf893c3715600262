package contentfilter

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// command is a command line of the client.
type command struct {
	verb string // in capitals
	args string // the arguments as they came, without white space around them
}

func parseCommand(line string) command {
	verb, args, _ := strings.Cut(strings.TrimRight(line, " \t"), " ")
	return command{strings.ToUpper(verb), strings.TrimSpace(args)}
}

// forLibrary returns the line that go-smtp gets for the command, which the client sent as line.
// go-smtp refuses the address without a domain that every server accepts (RFC 5321 §4.5.1). It also
// refuses ORCPT as Postfix writes it, with UTF-8 addresses of type rfc822. The next hop judges the
// parameters of recipients. name is the name of this host.
func (c command) forLibrary(line []byte, name string) []byte {
	if c.verb != "RCPT" {
		return line
	}
	p, err := parsePath(c.args, "TO:")
	if err != nil {
		return line
	}
	if strings.EqualFold(p.path, "<postmaster>") {
		p.path = "<postmaster@" + name + ">"
	}
	return []byte("RCPT TO:" + p.path + "\r\n")
}

// path has the address and the parameters of a MAIL or RCPT command, as they came.
type path struct {
	path   string // in angle brackets
	params []string
}

// parsePath reads the arguments of MAIL or RCPT after prefix, which is FROM: or TO:. It finds where
// the address ends; go-smtp checks the address.
func parsePath(args, prefix string) (path, error) {
	if !ascii.HasPrefixFold(args, prefix) {
		return path{}, fmt.Errorf("no %s", prefix)
	}
	args = strings.TrimLeft(args[len(prefix):], " \t")
	if !strings.HasPrefix(args, "<") {
		// This is not allowed, but many servers accept it.
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

// joinCommand returns the command line with its parameters.
func joinCommand(command string, params []string) string {
	return strings.Join(append([]string{command}, params...), " ")
}
