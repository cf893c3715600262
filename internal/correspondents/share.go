package correspondents

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"

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
	if _, err := valkey.ParseURL(server); err != nil {
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
	options, err := valkey.ParseURL(x.url)
	if err != nil {
		return err
	}
	options.Dialer = net.Dialer{Timeout: commandTime}
	options.ConnWriteTimeout = commandTime
	options.DisableCache, options.DisableRetry, options.ForceSingleClient = true, true, true
	client, err := valkey.NewClient(options)
	if err != nil {
		return err
	}
	defer client.Close()
	position, err := x.begin(ctx, client)
	if err != nil {
		return err
	}
	x.note(nil)
	both, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var reading sync.WaitGroup
	reading.Go(func() { stop(x.read(both, client, position)) })
	stop(x.write(both, client))
	reading.Wait()
	return context.Cause(both)
}

// begin compares the keys of the machines, and returns up to where the stream was read.
func (x *share) begin(ctx context.Context, client valkey.Client) (position string, err error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	key, err := readKey(x.store.path)
	if err != nil {
		return "", err
	}
	if err := client.Do(ctx, client.B().Setnx().Key(streamMark).Value(keyMark(key)).Build()).Error(); err != nil {
		return "", err
	}
	mark, err := client.Do(ctx, client.B().Get().Key(streamMark).Build()).ToString()
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
func (x *share) read(ctx context.Context, client valkey.Client, position string) error {
	for {
		within, cancel := context.WithTimeout(ctx, commandTime)
		reply, err := client.Do(within, client.B().Xread().Count(100).Streams().Key(streamKey).Id(position).Build()).AsXRead()
		cancel()
		if err != nil && !valkey.IsValkeyNil(err) {
			return err
		}
		if len(reply[streamKey]) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(askTime):
			}
		}
		for _, message := range reply[streamKey] {
			position = message.ID
			seen := sighting{position: position}
			if message.FieldValues["node"] != x.node {
				if err := json.Unmarshal([]byte(message.FieldValues["rows"]), &seen.others); err != nil {
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

// write tells other machines what is learnt here: first what they may have missed.
func (x *share) write(ctx context.Context, client valkey.Client) error {
	for {
		if x.missed.Swap(false) {
			if err := x.catchUp(ctx, client); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case rows := <-x.learnt:
			if err := x.publish(ctx, client, rows); err != nil {
				return err
			}
		}
	}
}

// catchUp tells what was learnt since the day up to which other machines were told, and notes the day.
func (x *share) catchUp(ctx context.Context, client valkey.Client) error {
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
					if err := x.publish(ctx, client, rows); err != nil {
						return err
					}
					rows = rows[:0]
				}
			}
		}
		return x.publish(ctx, client, rows)
	})
	if err == nil {
		x.store.Add(sighting{published: fmt.Sprint(today)})
	}
	return err
}

// publish adds a message to the stream.
func (x *share) publish(ctx context.Context, client valkey.Client, rows []Known) error {
	if len(rows) == 0 {
		return nil
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	return client.Do(ctx, client.B().Xadd().Key(streamKey).Maxlen().Almost().Threshold(streamLength).Id("*").
		FieldValue().FieldValue("node", x.node).FieldValue("rows", string(text)).Build()).Error()
}
