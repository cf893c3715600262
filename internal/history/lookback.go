package history

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/sqlfile"
	"github.com/linkmilter/linkmilter/policy"
)

// A Received is a message that had a link which is on a list now.
type Received struct {
	Message
	Link string
	Line policy.Listed
	// Then says that the list already had the link when the message came.
	Then bool
}

// Since returns the messages since a time with their links, the newest first: flagged ones, and
// others if their links are kept. If there is an error, it is the last element.
func (h *History) Since(ctx context.Context, since time.Time) iter.Seq2[Message, error] {
	return inPortions(since, func(low, high ID) (list []Message, err error) {
		err = h.read(ctx, func(ctx context.Context, db *sql.DB) error {
			list, err = between(ctx, db, low, high)
			return err
		}, func() { list = h.ring.find(&Query{Before: high, After: low - 1}, portion) })
		return list, err
	})
}

// SinceInFile is Since for a file to which another process may be writing.
func SinceInFile(ctx context.Context, path string, since time.Time) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		db, err := sqlfile.OpenReaders(path)
		if err == nil {
			// Files of earlier versions lack this table.
			var n int
			err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'seen'").Scan(&n)
			if err == nil && n == 0 {
				err = errors.New("history: the file has no links to look back at (want admin.history_seen = true)")
			}
		}
		if err != nil {
			yield(Message{}, err)
			return
		}
		defer db.Close()
		inPortions(since, func(low, high ID) ([]Message, error) { return between(ctx, db, low, high) })(yield)
	}
}

// inPortions reads messages in portions.
func inPortions(since time.Time, read func(low, high ID) ([]Message, error)) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		low, high := firstID(since), ID(1<<63-1)
		for {
			list, err := read(low, high)
			if err != nil {
				yield(Message{}, err)
				return
			}
			for _, m := range list {
				if !yield(m, nil) {
					return
				}
				high = m.ID
			}
			if len(list) < portion {
				return
			}
		}
	}
}

// between returns the newest messages with IDs in a range, from both tables.
func between(ctx context.Context, db *sql.DB, low, high ID) (list []Message, err error) {
	const text = "SELECT document FROM (SELECT id, document FROM (SELECT id, document FROM message WHERE id >= ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3) " +
		"UNION ALL SELECT id, document FROM (SELECT id, document FROM seen WHERE id >= ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3)) ORDER BY id DESC LIMIT ?3"
	rows, err := db.QueryContext(ctx, text, low, high, portion)
	if err != nil {
		return nil, err
	}
	return messages(rows)
}

// LookBack returns the messages that had a link which is on a list now, with one element for each
// link and list. listed is [policy.Judge.Listed].
func LookBack(messages iter.Seq2[Message, error], listed func(engine.Link) []policy.Listed) iter.Seq2[Received, error] {
	const most = 100_000
	known := make(map[string][]policy.Listed) // a cache: many messages have the same links
	find := func(text string) []policy.Listed {
		lines, ok := known[text]
		if !ok {
			if link, err := engine.ParseLink(text); err == nil {
				lines = listed(link)
			}
			if len(known) < most {
				known[text] = lines
			}
		}
		return lines
	}
	return func(yield func(Received, error) bool) {
		for m, err := range messages {
			if err != nil {
				yield(Received{}, err)
				return
			}
			for _, l := range m.Links {
				then := slices.ContainsFunc(l.Findings, func(f policy.Finding) bool { return f.Code == policy.CodeListed })
				for _, line := range find(l.Text) {
					if !line.Allow && !yield(Received{m, l.Text, line, then}, nil) {
						return
					}
				}
			}
		}
	}
}
