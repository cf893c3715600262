//go:build linux

package e2e

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/hostile"
)

// abusive returns streams of valid packets, in numbers and orders in which no mail server sends
// them. Each has messages, which linkmilter must accept.
func abusive() []abuse {
	frame := hostile.Frame
	field, end := frame('L', "Subject\x00 x\x00"), frame('E')
	message := slices.Concat(frame('M', "<a@example.org>\x00"), frame('R', "<b@example.com>\x00"), field, frame('N'), frame('B', linkText), end)
	mega := strings.Repeat("x", 1<<20-2)
	return []abuse{
		{"body of 40 MB in packets of 1 MB", hostile.InMessage(field, frame('N'), bytes.Repeat(frame('B', mega), 40), end), 1},
		{"body of single bytes", hostile.InMessage(field, frame('N'), bytes.Repeat(frame('B', "x"), 200_000), end), 1},
		{"body of empty packets", hostile.InMessage(field, frame('N'), bytes.Repeat(frame('B'), 200_000), end), 1},
		{"header of 50,000 fields", hostile.InMessage(bytes.Repeat(field, 50_000), frame('N'), end), 1},
		{"header of fields of 1 MB", hostile.InMessage(bytes.Repeat(frame('L', "X\x00", mega[10:], "\x00"), 30), frame('N'), end), 1},
		{"header field of 100,000 lines", hostile.InMessage(frame('L', "X\x00", strings.Repeat("\n x", 100_000), "\x00"), frame('N'), end), 1},
		{"100,000 recipients", hostile.InMessage(bytes.Repeat(frame('R', "<b@example.com>\x00"), 100_000), field, frame('N'), end), 1},
		{"sender of 1 MB", hostile.After(frame('M', mega, "\x00"), field, frame('N'), end), 1},
		{"100,000 sender's parameters", hostile.After(frame('M', "<>\x00", strings.Repeat("X=1\x00", 100_000)), field, frame('N'), end), 1},
		{"100,000 macros", hostile.After(frame('D', "M", strings.Repeat("{x}\x00y\x00", 100_000)), message), 1},
		{"10,000 packets of macros", hostile.After(bytes.Repeat(frame('D', "Mi\x00A\x00"), 10_000), message), 1},
		{"10,000 clients", hostile.After(bytes.Repeat(frame('C', "h\x004\x00\x19192.0.2.7\x00"), 10_000), message), 1},
		{"10,000 messages given up", hostile.After(bytes.Repeat(slices.Concat(frame('M', "<a@example.org>\x00"), frame('A')), 10_000), message), 1},
		{"10,000 senders of one message", hostile.After(bytes.Repeat(frame('M', "<a@example.org>\x00"), 10_000), message), 1},
		{"300 messages without waiting", hostile.After(bytes.Repeat(message, 300)), 300},
		{"10,000 ends without a message", hostile.After(bytes.Repeat(end, 10_000)), 10_000},
		{"links without end", hostile.InMessage(frame('L', "Content-Type\x00 text/html\x00"), frame('N'),
			bytes.Repeat(frame('B', strings.Repeat("http://a.example <a href=x>", 2_000)), 100), end), 1},
		{"parts in parts", hostile.InMessage(nested(2_000, field, end)), 1},
	}
}

// abuse is a stream, and how many messages of it are accepted.
type abuse struct {
	name     string
	stream   []byte
	messages int
}

// nested returns a message of parts within parts.
func nested(depth int, before, end []byte) []byte {
	var body strings.Builder
	for i := range depth {
		fmt.Fprintf(&body, "--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n", i, i+1)
	}
	return slices.Concat(before, hostile.Frame('L', "Content-Type\x00 multipart/mixed; boundary=b0\x00"), hostile.Frame('N'), hostile.Frame('B', body.String()), end)
}

// TestAbuse connects very many bad peers to one linkmilter at once: peers that break the protocol,
// send too much, are slow or say nothing. Meanwhile linkmilter must serve a good peer. Afterwards
// nothing of the bad ones may be left.
func TestAbuse(t *testing.T) {
	t.Parallel()
	addr := freeMilter(t)
	linkmilter := Serve(t, addr, nil)
	d := raw{strings.TrimPrefix(addr, "inet:")}
	files := linkmilter.openFiles(t)
	d.check(t)

	begun, silent := friendly(), make([]net.Conn, 200)
	for i := range silent {
		conn, err := d.dial()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write(begun[:i*len(begun)/len(silent)]); err != nil {
			t.Fatal(err)
		}
		silent[i] = conn
	}
	broken, disordered, abusive := hostile.Malformed(), hostile.Disordered(), abusive()
	if n := len(broken) + len(disordered) + len(abusive); n < 40 {
		t.Fatalf("%d streams", n)
	}
	var peers sync.WaitGroup
	peer := func(name string, send func() error) {
		peers.Go(func() {
			if err := send(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for _, stream := range broken {
		peer(stream.Name, func() error { return d.broken(stream) })
	}
	for _, stream := range disordered {
		peer(stream.Name, func() error { return d.accepted(stream.Bytes, 1) })
	}
	for _, abuse := range abusive {
		peer(abuse.name, func() error { return d.accepted(abuse.stream, abuse.messages) })
	}
	peer("slow", d.slow)
	peer("answers not read", d.deaf)
	for range 20 {
		d.check(t)
	}
	peers.Wait()
	for reason, want := range count(broken) {
		if got := strings.Count(linkmilter.Log(), "reason="+reason+" "); got < want {
			t.Errorf("%d connections closed for the reason %s, want %d", got, reason, want)
		}
	}
	for _, conn := range silent {
		conn.Close()
	}
	d.check(t)
	linkmilter.waitFiles(t, files)
	if peak := linkmilter.peakMemory(t); peak > 600<<20 {
		t.Errorf("%d MB of memory at its most", peak>>20)
	} else {
		t.Logf("%d streams, %d MB of memory at the most", len(broken)+len(disordered)+len(abusive)+len(silent)+2, peak>>20)
	}
	linkmilter.Signal(t, syscall.SIGTERM)
	if code := linkmilter.Wait(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(linkmilter.Log(), "panic") {
		t.Error("a panic in the log")
	}
}

// count returns how many streams there are for each reason.
func count(streams []hostile.Stream) map[string]int {
	reasons := map[string]int{}
	for _, s := range streams {
		reasons[s.Reason]++
	}
	return reasons
}

// raw speaks with linkmilter at an address, byte by byte. Any goroutine of a test may use it.
type raw struct{ addr string }

func (d raw) dial() (*net.TCPConn, error) {
	conn, err := net.Dial("tcp", d.addr)
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), conn.SetDeadline(time.Now().Add(patience))
}

// broken sends a stream for which linkmilter closes the connection.
func (d raw) broken(stream hostile.Stream) error {
	conn, err := d.dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	_, _ = conn.Write(stream.Bytes) // linkmilter may close before it has read all
	if stream.Cut {
		if err := conn.CloseWrite(); err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, conn); os.IsTimeout(err) {
		return errors.New("the connection is still open")
	}
	return nil
}

// accepted sends a stream, of which messages must be accepted, and quits.
func (d raw) accepted(stream []byte, messages int) error {
	conn, err := d.dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() { _, _ = conn.Write(stream) }() // an error shows in the replies
	for range messages {
		if _, err := final(conn); err != nil {
			return err
		}
	}
	if _, err := conn.Write(hostile.Frame('Q')); err != nil {
		return err
	}
	if rest, err := io.ReadAll(conn); err != nil || len(rest) > 0 {
		return fmt.Errorf("%d bytes after the last reply, %v", len(rest), err)
	}
	return nil
}

// final reads replies up to that to the end of a message, which must be accept. It returns the
// kinds of all replies.
func final(conn net.Conn) (kinds string, err error) {
	for {
		var head [5]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return kinds, fmt.Errorf("replies %q, then %w", kinds, err)
		}
		if _, err := io.CopyN(io.Discard, conn, int64(binary.BigEndian.Uint32(head[:4]))-1); err != nil {
			return kinds, err
		}
		switch kinds += string(head[4]); head[4] {
		case 'a':
			return kinds, nil
		case 'r', 't', 'd', 'y':
			return kinds, fmt.Errorf("replies %q, want the message accepted", kinds)
		}
	}
}

// friendly is a message of a client of this machine, whose link is made readable.
func friendly() []byte {
	frame := hostile.Frame
	return hostile.After(
		frame('C', "localhost\x004\x30\x39127.0.0.1\x00"), frame('M', "<a@example.org>\x00"), frame('R', "<b@example.com>\x00"),
		frame('L', "From\x00 a@example.org\x00"), frame('L', "MIME-Version\x00 1.0\x00"), frame('L', "Content-Type\x00 text/plain; charset=utf-8\x00"),
		frame('L', "Content-Transfer-Encoding\x00 8bit\x00"), frame('N'), frame('B', linkText), frame('E'))
}

// good sends a message in pieces, with a pause after each. linkmilter must replace its body.
func (d raw) good(size int, pause time.Duration) error {
	conn, err := d.dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	for piece := range slices.Chunk(friendly(), size) {
		if _, err := conn.Write(piece); err != nil {
			return err
		}
		time.Sleep(pause)
	}
	if kinds, err := final(conn); err != nil || !strings.ContainsRune(kinds, replyReplaceBody) {
		return fmt.Errorf("replies %q (%v), want the body replaced", kinds, err)
	}
	return nil
}

// check sends a message as a mail server does.
func (d raw) check(t *testing.T) {
	t.Helper()
	if err := d.good(64<<10, 0); err != nil {
		t.Error(err)
	}
}

// slow sends a message byte by byte.
func (d raw) slow() error { return d.good(1, time.Millisecond) }

// deaf sends messages and reads none of the answers, until linkmilter takes no more.
func (d raw) deaf() error {
	conn, err := d.dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(2 * time.Second)); err != nil {
		return err
	}
	message := friendly()
	_, err = conn.Write(message)
	message = message[len(hostile.Offer()):]
	for sent := 0; err == nil; sent += len(message) {
		if sent > 1<<30 {
			return errors.New("1 GB of messages was taken, whose answers the client does not read")
		}
		_, err = conn.Write(message)
	}
	return nil
}

// openFiles returns how many files the program has open.
func (p *Process) openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// waitFiles waits until the program has no more files open than that.
func (p *Process) waitFiles(t *testing.T, most int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); p.openFiles(t) > most; <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%d files open, before %d", p.openFiles(t), most)
		}
	}
}

// peakMemory returns the most memory the program had resident, in bytes.
func (p *Process) peakMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(rest, "kB", 2)[0]))
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}
