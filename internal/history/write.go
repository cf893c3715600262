package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/sqlfile"
)

// Retention says how long messages are kept in the file.
type Retention struct {
	Days int   // 0: until another bound is reached
	Rows int   // number of messages; 0: any number
	Size int64 // bytes of the file; 0: any size
	Seen bool  // keep the links of messages that are not flagged, too
}

// insert writes messages. It leaves out messages that are in the file already.
func insert(ctx context.Context, db *sql.DB, batch []Message) error {
	return sqlfile.Within(ctx, db, func(tx *sql.Tx) error {
		for i := range batch {
			if err := insertOne(ctx, tx, &batch[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func insertOne(ctx context.Context, tx *sql.Tx, m *Message) error {
	document, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if m.Seen {
		_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO seen (id, document) VALUES (?, ?)", m.ID, string(document))
		return err
	}
	if m.Changed {
		return updateOne(ctx, tx, m, string(document))
	}
	result, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO message (id, document) VALUES (?, ?)", m.ID, string(document))
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n == 0 {
		return err // an earlier attempt wrote it although it seemed to fail
	}
	return insertEntry(ctx, tx, m)
}

func insertEntry(ctx context.Context, tx *sql.Tx, m *Message) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO entry (rowid, words, terms) VALUES (?, ?, ?)", m.ID, strings.Join(wordsOf(m.text()), " "), strings.Join(m.terms(), " "))
	return err
}

// updateOne writes a message that changed, if the file still has it.
func updateOne(ctx context.Context, tx *sql.Tx, m *Message, document string) error {
	result, err := tx.ExecContext(ctx, "UPDATE message SET document = ? WHERE id = ?", document, m.ID)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM entry WHERE rowid = ?", m.ID); err != nil {
		return err
	}
	return insertEntry(ctx, tx, m)
}

// pruned is how many messages one transaction removes, few enough for a short transaction.
const pruned = 500

// prune removes messages that are too old or too many.
func prune(ctx context.Context, db *sql.DB, keep Retention, now time.Time) error {
	for _, table := range []struct {
		newest string // the newest message beyond the allowed number
		remove func(context.Context, *sql.DB, ID) (int64, error)
	}{
		{"SELECT id + 1 FROM message ORDER BY id DESC LIMIT 1 OFFSET ?", removeBefore},
		{"SELECT id + 1 FROM seen ORDER BY id DESC LIMIT 1 OFFSET ?", removeSeen},
	} {
		var oldest ID
		if keep.Rows > 0 {
			err := db.QueryRowContext(ctx, table.newest, keep.Rows).Scan(&oldest)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		if keep.Days > 0 {
			oldest = max(oldest, firstID(now.AddDate(0, 0, -keep.Days)))
		}
		for n := int64(1); n > 0; {
			var err error
			if n, err = table.remove(ctx, db, oldest); err != nil {
				return err
			}
		}
	}
	return shrink(ctx, db, keep.Size)
}

// removeSeen removes some messages with lower IDs of which only the links are kept, and returns how
// many.
func removeSeen(ctx context.Context, db *sql.DB, oldest ID) (n int64, err error) {
	err = sqlfile.Within(ctx, db, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "DELETE FROM seen WHERE id IN (SELECT id FROM seen WHERE id < ? ORDER BY id LIMIT ?)", oldest, pruned)
		if err == nil {
			n, err = result.RowsAffected()
		}
		return err
	})
	return n, err
}

// shrink removes the oldest messages until the file is small enough, and gives free space
// back to the disk.
func shrink(ctx context.Context, db *sql.DB, size int64) error {
	for size > 0 {
		var used int64
		err := db.QueryRowContext(ctx, "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size").Scan(&used)
		if err != nil {
			return err
		}
		if used <= size {
			break
		}
		n, err := removeSeen(ctx, db, 1<<63-1) // flagged messages are kept longer
		if err == nil && n == 0 {
			n, err = removeBefore(ctx, db, 1<<63-1)
		}
		if err != nil || n == 0 {
			return err
		}
	}
	return sqlfile.Vacuum(ctx, db)
}

// removeBefore removes some messages with lower IDs and returns how many.
func removeBefore(ctx context.Context, db *sql.DB, oldest ID) (n int64, err error) {
	const chosen = "(SELECT id FROM message WHERE id < ? ORDER BY id LIMIT ?)"
	err = sqlfile.Within(ctx, db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM entry WHERE rowid IN "+chosen, oldest, pruned); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, "DELETE FROM message WHERE id IN "+chosen, oldest, pruned)
		if err == nil {
			n, err = result.RowsAffected()
		}
		return err
	})
	return n, err
}
