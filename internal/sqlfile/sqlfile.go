package sqlfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"time"
)

// A Schema says what a file has.
type Schema struct {
	Application int      // marks the file, see PRAGMA application_id
	Version     int      // a change needs a step that converts older files
	Tables      []string // the statements that make the tables of an empty file
	Later       []string // statements for files of this version that may lack a table
}

// busyTime is how long a statement waits for another process.
const busyTime = 2 * time.Second

// Connect returns connections to a file. pragmas are for each of them, in order.
func Connect(path string, connections int, pragmas ...string) (*sql.DB, error) {
	values := url.Values{"_pragma": append([]string{fmt.Sprintf("busy_timeout(%d)", busyTime.Milliseconds())}, pragmas...), "_txlock": {"immediate"}}
	source := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: values.Encode()}
	db, err := sql.Open("sqlite", source.String())
	if err == nil {
		db.SetMaxOpenConns(connections)
	}
	return db, err
}

// Open opens a file for writing, and makes it where it does not exist.
func Open(ctx context.Context, path string, schema *Schema) (db *sql.DB, err error) {
	if err := prepare(path); err != nil {
		return nil, err
	}
	// Free space goes back to the disk only if the first page says so.
	db, err = Connect(path, 1, "auto_vacuum(INCREMENTAL)", "journal_mode(WAL)", "synchronous(NORMAL)", "temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	if err := schema.identify(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// OpenReaders opens a file for reading, several times at once.
func OpenReaders(path string) (*sql.DB, error) {
	return Connect(path, 4, "query_only(1)", "temp_store(MEMORY)")
}

// prepare makes the file, so that only its owner may read it. SQLite gives its other
// files the same permissions.
func prepare(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return ErrNoFile
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// identify checks that the file has the schema, and makes the tables of an empty one.
func (s *Schema) identify(ctx context.Context, db *sql.DB) error {
	return Within(ctx, db, func(tx *sql.Tx) error {
		var application, user, tables int
		row := tx.QueryRowContext(ctx, "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)")
		if err := row.Scan(&application, &user, &tables); err != nil {
			return err
		}
		statements := s.Later
		switch {
		case application == s.Application && user == s.Version:
		case application == s.Application:
			return ErrNewer
		case application != 0 || tables > 0:
			return ErrForeign
		default:
			statements = append(append([]string{}, s.Tables...), fmt.Sprintf("PRAGMA application_id = %d", s.Application), fmt.Sprintf("PRAGMA user_version = %d", s.Version))
		}
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// Within carries out work in one transaction.
func Within(ctx context.Context, db *sql.DB, work func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Vacuum gives free space back to the disk.
func Vacuum(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "PRAGMA incremental_vacuum")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		// Each step frees a page.
	}
	return rows.Err()
}

// SetAside renames a corrupt file, in place of the one set aside before, and removes
// the files that belong to it.
func SetAside(path string) (aside string, err error) {
	aside = path + ".corrupt"
	err = os.Rename(path, aside)
	for _, suffix := range []string{"-wal", "-shm"} {
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return aside, err
}
