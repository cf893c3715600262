//go:build linux

package faults

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite" // to lock the history

	"github.com/linkmilter/linkmilter/internal/mta"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// A fault is a kind of harm. do harms a program for a while and then stops. Its error says that it
// could not, or that the program did not recover.
type fault struct {
	name     string
	restarts bool // the process ends
	do       func(ctx context.Context, p *program, r *rand.Rand) error
	possible func(p *program) bool // nil: always
}

// harm has all faults.
func harm(slow slowTraffic) []fault {
	return []fault{
		{name: "killed", restarts: true, do: killed},
		{name: "stopped and started", restarts: true, do: restarted},
		{name: "SIGSTOP", do: frozen},
		{name: "no descriptors", do: withoutDescriptors},
		{name: "full disk", do: fullDisk, possible: onSmallDisk},
		{name: "log blocked", do: blockedLog},
		{name: "slow clients", do: slow.clients},
		{name: "slow next hop", do: slowNextHop},
		{name: "clock steps", do: clockSteps, possible: withOwnClock},
		{name: "100 reloads a second", do: reloads},
		{name: "list of top-level domains", do: badNames},
		{name: "history corrupt", do: corruptHistory},
		{name: "history locked", do: lockedHistory},
	}
}

func onSmallDisk(p *program) bool { return p.small }

func withOwnClock(*program) bool { return runtime.GOARCH == "amd64" && os.Geteuid() == 0 }

// seconds returns a time between two bounds in seconds.
func seconds(r *rand.Rand, least, most float64) time.Duration {
	return time.Duration((least + r.Float64()*(most-least)) * float64(time.Second))
}

// rest waits, or less if ctx ends.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func killed(ctx context.Context, p *program, r *rand.Rand) error {
	if err := errors.Join(p.signal(syscall.SIGKILL), p.wait(patience)); err != nil {
		return err
	}
	rest(ctx, seconds(r, 0, 2))
	return p.start()
}

// restarted also checks that the program finishes what it has begun.
func restarted(ctx context.Context, p *program, r *rand.Rand) error {
	if err := errors.Join(p.signal(syscall.SIGTERM), p.wait(patience)); err != nil {
		return err
	}
	if p.last != "<nil>" {
		return fmt.Errorf("after SIGTERM: %s", p.last)
	}
	rest(ctx, seconds(r, 0, 2))
	return p.start()
}

func frozen(ctx context.Context, p *program, r *rand.Rand) error {
	if err := p.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	rest(ctx, seconds(r, 1, 8))
	return p.signal(syscall.SIGCONT)
}

// withoutDescriptors uses up the last file descriptors: connections wait, and the next hop cannot
// be reached.
func withoutDescriptors(ctx context.Context, p *program, r *rand.Rand) error {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.pid()))
	if err != nil {
		return err
	}
	var before unix.Rlimit
	if err := unix.Prlimit(p.pid(), unix.RLIMIT_NOFILE, nil, &before); err != nil {
		return err
	}
	few := unix.Rlimit{Cur: uint64(len(open)), Max: before.Max}
	if err := unix.Prlimit(p.pid(), unix.RLIMIT_NOFILE, &few, nil); err != nil {
		return err
	}
	var intruders []net.Conn
	for range 20 {
		if conn, err := net.DialTimeout("tcp", p.tcp, time.Second); err == nil {
			intruders = append(intruders, conn)
		}
	}
	rest(ctx, seconds(r, 2, 8))
	for _, conn := range intruders {
		conn.Close()
	}
	return unix.Prlimit(p.pid(), unix.RLIMIT_NOFILE, &before, nil)
}

func fullDisk(ctx context.Context, p *program, r *rand.Rand) error {
	path := filepath.Join(p.disk, "filler")
	filler, err := os.Create(path)
	if err != nil {
		return err
	}
	zeros := make([]byte, 1<<16)
	for err == nil {
		_, err = filler.Write(zeros)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	rest(ctx, seconds(r, 3, 15))
	return errors.Join(filler.Close(), os.Remove(path))
}

// blockedLog simulates a disk that does not answer: the program cannot write its log.
func blockedLog(ctx context.Context, p *program, r *rand.Rand) error {
	p.log.gate.Lock()
	defer p.log.gate.Unlock()
	rest(ctx, seconds(r, 2, 10))
	return nil
}

// slowTraffic sends messages over slow connections.
type slowTraffic struct {
	account *traffic.Account
	next    func() (*traffic.Message, error) // a small one
}

// clients sends by all ways at once, a few bytes at a time.
func (s slowTraffic) clients(ctx context.Context, p *program, r *rand.Rand) error {
	milter := &traffic.Milter{Milter: mta.Milter{Network: "unix", Address: p.milter, Host: traffic.Host, Dialer: slowDialer{}, Timeout: patience}, Account: s.account}
	smtp := &traffic.SMTP{Address: p.smtp, Account: s.account, Dial: slowDialer{}.dial}
	defer milter.Close()
	defer smtp.Close()
	for range 1 + r.IntN(3) {
		for _, send := range []func(context.Context, *traffic.Message) error{milter.Send, smtp.Send} {
			m, err := s.next()
			if err != nil {
				return err
			}
			if err := send(context.WithoutCancel(ctx), m); err != nil {
				return err
			}
		}
	}
	return nil
}

func slowNextHop(ctx context.Context, p *program, r *rand.Rand) error {
	p.nextHop.slow.Store(true)
	defer p.nextHop.slow.Store(false)
	rest(ctx, seconds(r, 3, 12))
	return nil
}

// reloads makes the program read its configuration 100 times a second, one time in ten a bad one.
func reloads(ctx context.Context, p *program, r *rand.Rand) error {
	good, err := os.ReadFile(p.config())
	if err != nil {
		return err
	}
	bad := strings.Replace(string(good), "[limits]", "[limit]", 1)
	use := func(text string) error {
		// As an operator should do it: rename a complete file, so that a half-written one is never
		// read.
		if err := os.WriteFile(p.config()+".new", []byte(text), 0o600); err != nil {
			return err
		}
		return os.Rename(p.config()+".new", p.config())
	}
	const pause = 10 * time.Millisecond
	for i := range int(seconds(r, 2, 5) / pause) {
		text := string(good)
		if i%10 == 9 {
			text = bad
		}
		if err := errors.Join(use(text), p.signal(syscall.SIGHUP)); err != nil {
			return err
		}
		if rest(ctx, pause); ctx.Err() != nil {
			break
		}
	}
	return errors.Join(use(string(good)), p.signal(syscall.SIGHUP))
}

// badNames changes how the list of top-level domains is served, until the next time.
// linkmilter asks for it within five minutes of its start, and of a reload that concerns
// the list.
func badNames(_ context.Context, p *program, r *rand.Rand) error {
	p.names.way.Store(r.Int32N(int32(len(namesWays))))
	return nil
}

// history returns the path of the history.
func (p *program) history() string { return filepath.Join(p.disk, "history.db") }

// corruptHistory overwrites pieces of the history.
func corruptHistory(ctx context.Context, p *program, r *rand.Rand) error {
	for _, path := range []string{p.history(), p.history() + "-wal"} {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		info, err := file.Stat()
		for offset := int64(0); err == nil && offset < info.Size(); offset += 1 + r.Int64N(20_000) {
			_, err = file.WriteAt([]byte("not a database, not a database, not a database, not a database"), offset)
		}
		if err := errors.Join(err, file.Close()); err != nil && !errors.Is(err, syscall.ENOSPC) {
			return err
		}
	}
	rest(ctx, seconds(r, 1, 5))
	// What linkmilter put aside must not fill the disk.
	aside, err := filepath.Glob(p.history() + ".corrupt*")
	for _, path := range aside {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// lockedHistory takes the lock of the history, as a backup that does not end.
func lockedHistory(ctx context.Context, p *program, r *rand.Rand) error {
	db, err := sql.Open("sqlite", p.history())
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer conn.Close()
	// If linkmilter is writing, the lock is free soon. If the file is corrupt, it never is.
	if _, err := conn.ExecContext(context.Background(), "PRAGMA busy_timeout = 2000; BEGIN EXCLUSIVE"); err != nil {
		return nil
	}
	rest(ctx, seconds(r, 2, 10))
	_, _ = conn.ExecContext(context.Background(), "ROLLBACK")
	return nil
}
