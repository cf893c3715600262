package correspondents

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/linkmilter/linkmilter/internal/sqlfile"
)

// Several machines share what they learn by a stream of a Valkey or Redis server. No lookup waits for it:
// each machine has all in its own file and memory. While the server is away each machine learns alone, and
// tells the others later.

const (
	streamKey  = "linkmilter:correspondents"
	streamMark = "linkmilter:correspondents:key" // the mark of the key by which addresses are hashed
	// streamLength is about how many messages the stream keeps. A machine that missed more has what it
	// knows, and what the others tell from then on.
	streamLength = "100000"
	// aMessage is how many rows one message of the stream has.
	aMessage = 200
	// toTell is how many batches may wait to be told. Further ones are told from the file.
	toTell = 256
	// commandTime limits one command.
	commandTime = 2 * time.Second
	// askTime is the time between two questions for messages.
	askTime = time.Second
)

// errOtherKey says that the machines hash addresses by different keys.
var errOtherKey = errors.New("other machines have another key (want the same file with the key on all)")

// CheckServer returns an error for what is no URL of a server.
func CheckServer(server string) error {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Host == "" {
		return errors.New("not the URL of a Valkey server")
	}
	return nil
}

// A share tells other machines what is learnt here, and takes what they tell.
type share struct {
	store *store
	url   string
	log   *slog.Logger
	node  string // tells the messages of this process from others

	learnt chan []Known
	missed atomic.Bool // something was not told

	stop context.CancelFunc
	done sync.WaitGroup

	mu      sync.Mutex
	problem error
	said    time.Time // the last line of the log about it
}

// newShare returns a share that does not work yet; nil without a server.
func newShare(s *store, url string, log *slog.Logger) *share {
	if url == "" {
		return nil
	}
	x := &share{store: s, url: url, log: log, node: rand.Text(), learnt: make(chan []Known, toTell)}
	x.missed.Store(true) // what an earlier process did not tell
	return x
}

// start begins to share. It does not wait for the server.
func (x *share) start() {
	if x != nil {
		ctx, stop := context.WithCancel(context.Background())
		x.stop = stop
		x.done.Go(func() { x.run(ctx) })
	}
}

func (x *share) close() {
	if x != nil {
		x.stop()
		x.done.Wait()
	}
}

// server returns the URL of the server, "" without one.
func (x *share) server() string {
	if x == nil {
		return ""
	}
	return x.url
}

// tell hands rows over. It does not wait.
func (x *share) tell(rows []Known) {
	if x == nil || len(rows) == 0 {
		return
	}
	select {
	case x.learnt <- rows:
	default:
		x.missed.Store(true)
	}
}

// failed returns what is wrong with the server, nil while it works.
func (x *share) failed() error {
	if x == nil {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.problem
}

// complainTime is the time between two lines of the log about the server.
const complainTime = time.Minute

func (x *share) note(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case err == nil && x.problem != nil:
		x.log.Info("correspondents shared again")
		x.said = time.Time{}
	case err != nil && time.Since(x.said) > complainTime:
		x.log.Warn("correspondents not shared, learnt here alone", "error", err)
		x.said = time.Now()
	}
	x.problem = err
}

// retryShare is the time between two attempts to reach the server.
const retryShare = 2 * time.Second

func (x *share) run(ctx context.Context) {
	for ctx.Err() == nil {
		err := x.connected(ctx)
		if ctx.Err() != nil {
			return
		}
		x.missed.Store(true)
		if !errors.Is(err, sqlfile.ErrNotOpen) { // as just after the start
			x.note(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryShare):
		}
	}
}

// connected shares until the server fails.
func (x *share) connected(ctx context.Context) error {
	var conns [2]redis.Conn // one to read and one to write: each does one thing after the other
	for i := range conns {
		conn, err := redis.DialURLContext(ctx, x.url, redis.DialConnectTimeout(commandTime), redis.DialReadTimeout(commandTime), redis.DialWriteTimeout(commandTime))
		if err != nil {
			return err
		}
		defer conn.Close()
		conns[i] = conn
	}
	position, err := x.begin(ctx, conns[0])
	if err != nil {
		return err
	}
	x.note(nil)
	both, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var reading sync.WaitGroup
	reading.Go(func() { stop(x.read(both, conns[0], position)) })
	stop(x.write(both, conns[1]))
	reading.Wait()
	return context.Cause(both)
}

// begin compares the keys of the machines, and returns up to where the stream was read.
func (x *share) begin(ctx context.Context, conn redis.Conn) (position string, err error) {
	key, err := readKey(x.store.path)
	if err != nil {
		return "", err
	}
	if _, err := conn.Do("SETNX", streamMark, keyMark(key)); err != nil {
		return "", err
	}
	mark, err := redis.String(conn.Do("GET", streamMark))
	switch {
	case err != nil:
		return "", err
	case mark != keyMark(key):
		return "", errOtherKey
	}
	err = x.store.Read(ctx, func(ctx context.Context, db *sql.DB) error {
		position, err = setting(ctx, db, settingPosition)
		return err
	})
	if position == "" {
		position = "0"
	}
	return position, err
}

// read takes what other machines tell.
func (x *share) read(ctx context.Context, conn redis.Conn, position string) error {
	for {
		messages, err := readStream(conn, position)
		if err != nil {
			return err
		}
		if len(messages) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(askTime):
			}
		}
		for _, message := range messages {
			position = message.id
			seen := sighting{position: position}
			if message.fields["node"] != x.node {
				if err := json.Unmarshal([]byte(message.fields["rows"]), &seen.others); err != nil {
					x.log.Warn("message about correspondents not understood", "id", position, "error", err)
				}
			}
			for x.store.Waiting() > sqlfile.Queued/2 && ctx.Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			x.store.Add(seen)
		}
	}
}

// A message is one of the stream.
type message struct {
	id     string
	fields map[string]string
}

// readStream returns the messages of the stream behind a position, at most a hundred.
func readStream(conn redis.Conn, position string) (messages []message, err error) {
	streams, err := redis.Values(conn.Do("XREAD", "COUNT", 100, "STREAMS", streamKey, position))
	if errors.Is(err, redis.ErrNil) || err == nil && len(streams) == 0 {
		return nil, nil
	}
	var stream, entries []any
	if err == nil {
		stream, err = redis.Values(streams[0], nil)
	}
	if err == nil && len(stream) == 2 {
		entries, err = redis.Values(stream[1], nil)
	}
	for _, e := range entries {
		entry, err := redis.Values(e, nil)
		if err != nil || len(entry) != 2 {
			return nil, errors.Join(err, errors.New("a message of the stream is not understood"))
		}
		m := message{}
		if m.id, err = redis.String(entry[0], nil); err == nil {
			m.fields, err = redis.StringMap(entry[1], nil)
		}
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, err
}

// write tells other machines what is learnt here: first what they may have missed.
func (x *share) write(ctx context.Context, conn redis.Conn) error {
	for {
		if x.missed.Swap(false) {
			if err := x.catchUp(ctx, conn); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case rows := <-x.learnt:
			if err := x.publish(conn, rows); err != nil {
				return err
			}
		}
	}
}

// catchUp tells what was learnt since the day up to which other machines were told, and notes the day.
func (x *share) catchUp(ctx context.Context, conn redis.Conn) error {
	today := dayOf(time.Now())
	var rows []Known
	err := x.store.Read(ctx, func(ctx context.Context, db *sql.DB) error {
		published, err := setting(ctx, db, settingPublished)
		if err != nil {
			return err
		}
		since, _ := strconv.Atoi(published) // none: all
		for _, kind := range []struct {
			query string
			set   func(*Known, string)
		}{{selectDomains, (*Known).setDomain}, {selectAddresses, (*Known).setAddress}} {
			for k, err := range rowsOf(ctx, db, kind.query+" WHERE last >= ?", kind.set, since) {
				if err != nil {
					return err
				}
				if rows = append(rows, k); len(rows) == aMessage {
					if err := x.publish(conn, rows); err != nil {
						return err
					}
					rows = rows[:0]
				}
			}
		}
		return x.publish(conn, rows)
	})
	if err == nil {
		x.store.Add(sighting{published: fmt.Sprint(today)})
	}
	return err
}

// publish adds a message to the stream.
func (x *share) publish(conn redis.Conn, rows []Known) error {
	if len(rows) == 0 {
		return nil
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = conn.Do("XADD", streamKey, "MAXLEN", "~", streamLength, "*", "node", x.node, "rows", string(text))
	return err
}
