package history

import (
	"context"
	"database/sql"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/sqlfile"
)

// A store keeps messages in a file.
type store struct {
	path string
	keep atomic.Pointer[Retention]
	*sqlfile.Writer[Message]
}

// newStore begins to keep messages in a file. It does not wait for the disk.
func newStore(path string, keep Retention, lost *atomic.Uint64, log *slog.Logger) *store {
	s := &store{path: path}
	s.keep.Store(&keep)
	s.Writer = sqlfile.NewWriter(sqlfile.Options[Message]{
		Path: path, Schema: &schema, Log: log, Lost: lost, Advice: adviceOn, Insert: insert,
		Phrases: sqlfile.Phrases{NotWritten: "history not written, mail goes on", Begun: "history file is corrupt, begun anew", NotClosed: "history file not closed"},
		Prune:   func(ctx context.Context, db *sql.DB) error { return prune(ctx, db, *s.keep.Load(), time.Now()) },
	})
	return s
}
