package history

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

const (
	// applicationID marks files of linkmilter ("lmht"), see PRAGMA application_id.
	applicationID = 0x6c6d6874
	// version is that of the schema. A change needs a step that converts older files.
	version = 1
)

// schema are the tables. The index has the words of a message for searches, and terms
// for filters: each of these is one list of IDs, and a query intersects lists.
var schema = []string{
	"CREATE TABLE message (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT",
	"CREATE VIRTUAL TABLE entry USING fts5(words, terms, content='', contentless_delete=1, tokenize='ascii')",
	seenTable,
	fmt.Sprintf("PRAGMA application_id = %d", applicationID),
	fmt.Sprintf("PRAGMA user_version = %d", version),
}

// seenTable has messages that are kept for their links alone.
const seenTable = "CREATE TABLE IF NOT EXISTS seen (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT"

// busyTime is how long a statement waits for another process.
const busyTime = 2 * time.Second

// connect returns connections to a file. pragmas are for each of them, in order.
func connect(path string, connections int, pragmas ...string) (*sql.DB, error) {
	values := url.Values{"_pragma": append([]string{fmt.Sprintf("busy_timeout(%d)", busyTime.Milliseconds())}, pragmas...), "_txlock": {"immediate"}}
	source := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: values.Encode()}
	db, err := sql.Open("sqlite", source.String())
	if err == nil {
		db.SetMaxOpenConns(connections)
	}
	return db, err
}

// openFile opens the file for writing, and makes it where it does not exist.
func openFile(ctx context.Context, path string) (db *sql.DB, err error) {
	if err := prepareFile(path); err != nil {
		return nil, err
	}
	// Free space goes back to the disk only if the first page says so.
	db, err = connect(path, 1, "auto_vacuum(INCREMENTAL)", "journal_mode(WAL)", "synchronous(NORMAL)", "temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	if err := identify(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openReaders opens the file for reading, several times at once.
func openReaders(path string) (*sql.DB, error) {
	return connect(path, 4, "query_only(1)", "temp_store(MEMORY)")
}

// prepareFile makes the file, so that only its owner may read it. SQLite gives its other
// files the same permissions.
func prepareFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return errNoFile
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// identify checks that the file is a history, and makes the tables of an empty one.
func identify(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	var application, user, tables int
	row := tx.QueryRowContext(ctx, "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)")
	if err := row.Scan(&application, &user, &tables); err != nil {
		return err
	}
	switch {
	case application == applicationID && user == version:
		// Files of before have no such table, and older programs do not mind it.
		if _, err := tx.ExecContext(ctx, seenTable); err != nil {
			return err
		}
		return tx.Commit()
	case application == applicationID:
		return errNewer
	case application != 0 || tables > 0:
		return errForeign
	}
	for _, statement := range schema {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// setAside renames a corrupt file, in place of the one set aside before, and removes
// the files that belong to it.
func setAside(path string) (aside string, err error) {
	aside = path + ".corrupt"
	err = os.Rename(path, aside)
	for _, suffix := range []string{"-wal", "-shm"} {
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return aside, err
}
