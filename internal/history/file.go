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
	// version is the version of the schema. A change of the schema needs code that converts older
	// files.
	version = 1
)

// schema has the tables. The full-text index has the words of each message, for searches, and terms
// for filters such as a code or host. A query intersects the lists of IDs that it finds there.
var schema = []string{
	"CREATE TABLE message (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT",
	"CREATE VIRTUAL TABLE entry USING fts5(words, terms, content='', contentless_delete=1, tokenize='ascii')",
	seenTable,
	fmt.Sprintf("PRAGMA application_id = %d", applicationID),
	fmt.Sprintf("PRAGMA user_version = %d", version),
}

// seenTable has the messages of which only the links are kept.
const seenTable = "CREATE TABLE IF NOT EXISTS seen (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT"

// busyTime is how long a statement waits for another process.
const busyTime = 2 * time.Second

// connect returns connections to a file. Each connection begins with the pragmas, in order.
func connect(path string, connections int, pragmas ...string) (*sql.DB, error) {
	values := url.Values{"_pragma": append([]string{fmt.Sprintf("busy_timeout(%d)", busyTime.Milliseconds())}, pragmas...), "_txlock": {"immediate"}}
	source := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: values.Encode()}
	db, err := sql.Open("sqlite", source.String())
	if err == nil {
		db.SetMaxOpenConns(connections)
	}
	return db, err
}

// openFile opens the file for writing, and creates it if it does not exist.
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

// openReaders opens several connections to the file for reading.
func openReaders(path string) (*sql.DB, error) {
	return connect(path, 4, "query_only(1)", "temp_store(MEMORY)")
}

// prepareFile creates the file so that only its owner may read it. SQLite gives the same
// permissions to the files that it creates beside it.
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

// identify checks that the file is a history. In an empty file it creates the tables.
func identify(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	var application, user, tables int
	row := tx.QueryRowContext(ctx, "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)")
	if err := row.Scan(&application, &user, &tables); err != nil {
		return err
	}
	switch {
	case application == applicationID && user == version:
		// Files of earlier versions lack this table, and earlier versions ignore it.
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

// setAside renames a corrupt file, replacing the one that was set aside before, and removes the
// other files of SQLite that belong to it.
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
