package contentfilter

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// A reply is a reply of SMTP (RFC 5321 §4.2). text has all its lines as they came, each with its
// code and CRLF.
type reply struct {
	code int
	text string
}

// Bounds of a reply, in bytes. RFC 5321 §4.5.3.1.5 has 512 for a line.
const (
	maxReplyLine = 4 << 10
	maxReply     = 64 << 10
)

// newReply makes a reply of one line. enhanced is its enhanced code (RFC
// 3463), or "".
func newReply(code int, enhanced, text string) reply {
	if enhanced != "" {
		text = enhanced + " " + text
	}
	return reply{code, strconv.Itoa(code) + " " + text + "\r\n"}
}

func (r reply) positive() bool { return r.code/100 == 2 }
func (r reply) negative() bool { return r.code/100 == 4 || r.code/100 == 5 }

// lines returns the texts of the lines without code and separator.
func (r reply) lines() []string {
	lines := strings.Split(strings.TrimSuffix(r.text, "\r\n"), "\r\n")
	for i, line := range lines {
		lines[i] = line[min(len(line), 4):]
	}
	return lines
}

// errNonsense: the next hop sent something else than a reply.
var errNonsense = errors.New("not a valid SMTP reply")

// readReply reads a reply. r's buffer must hold maxReplyLine bytes. A line may end
// in LF alone; its text goes on with CRLF.
func readReply(r *bufio.Reader) (reply, error) {
	var got reply
	var text strings.Builder
	for {
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return reply{}, errNonsense
		case errors.Is(err, io.EOF):
			return reply{}, io.ErrUnexpectedEOF
		case err != nil:
			return reply{}, err
		}
		line = bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'})
		code, last, ok := readReplyLine(line)
		if !ok || got.code != 0 && code != got.code || text.Len()+len(line) > maxReply {
			return reply{}, errNonsense
		}
		got.code = code
		text.Write(line)
		text.WriteString("\r\n")
		if last {
			got.text = text.String()
			return got, nil
		}
	}
}

// readReplyLine returns the code of a line of a reply without its line end, and
// whether it is the last one.
func readReplyLine(line []byte) (code int, last, ok bool) {
	if len(line) < 3 || bytes.ContainsAny(line, "\x00\r") {
		return 0, false, false
	}
	for _, c := range line[:3] {
		if c < '0' || c > '9' {
			return 0, false, false
		}
		code = 10*code + int(c-'0')
	}
	if code < 200 || code > 599 {
		return 0, false, false
	}
	switch {
	case len(line) == 3, line[3] == ' ':
		return code, true, true
	case line[3] == '-':
		return code, false, true
	}
	return 0, false, false
}

// Replies about a message that the next hop does not get (RFC 5321 §4.2, RFC 3463).
var (
	replyReject      = newReply(550, "5.7.1", "Message refused because of its links")
	replyTempFail    = newReply(451, "4.7.1", "Message not accepted now, try again later")
	replyBareLineEnd = newReply(550, "5.6.0", "Message with a CR or LF that stands alone")
	replyHops        = newReply(554, "5.4.6", "Too many hops, this message goes in circles")
	replySize        = newReply(552, "5.3.4", "Message too large")
	replyNotHeld     = newReply(451, "4.3.0", "Message could not be kept, try again later")
	replyLost        = newReply(451, "4.4.2", "Next hop lost, try again later")
	replyNoSpace     = newReply(452, "4.3.1", "No space to keep the message, try again later")
)

// replyShutdown ends a connection when the server stops.
func replyShutdown(name string) reply { return newReply(421, "4.3.2", name+" shutting down") }

// replyGreeting is the first reply on a connection. It has a random word, by which a server notices
// that it is its own next hop.
func replyGreeting(name string, lmtp bool, self string) reply {
	protocol := "ESMTP"
	if lmtp {
		protocol = "LMTP"
	}
	return newReply(220, "", name+" "+protocol+" linkmilter "+self)
}
