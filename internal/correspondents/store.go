package correspondents

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/secretfile"
	"github.com/linkmilter/linkmilter/internal/sqlfile"
	"github.com/linkmilter/linkmilter/policy"
)

// A sighting is a message that a user wrote.
type sighting struct {
	user      string // his address
	domains   []string
	addresses []string
	day       int

	others   []Known // what another machine learnt, in place of the rest
	position string  // up to which its messages were read; "" leaves it

	published string // the day up to which other machines were told; "" leaves it
}

// schema has the tables of a file. A domain has the hash of the first user who wrote to it; of several
// users there is none.
var schema = sqlfile.Schema{
	Application: 0x6c6d636f, // "lmco"
	Version:     1,
	Tables: []string{
		"CREATE TABLE domain (name TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, days INTEGER NOT NULL, user INTEGER) STRICT, WITHOUT ROWID",
		"CREATE TABLE address (hash INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, days INTEGER NOT NULL) STRICT",
		"CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
		"CREATE INDEX domain_last ON domain (last)",
		"CREATE INDEX address_last ON address (last)",
	},
}

// adviceOn says what an operator can do about a problem with the file.
func adviceOn(err error) string {
	return sqlfile.FaultOf(err).Advice("correspondents.file", "correspondents.days")
}

// A store keeps the knowledge in a file and in memory.
type store struct {
	path  string
	log   *slog.Logger
	days  atomic.Int64
	known known
	share *share // nil: with no other machine
	*sqlfile.Writer[sighting]

	// Only the goroutine of the writer uses what follows.
	pruned  int   // the day of the last removal
	version int64 // of the data, which changes when another process writes
}

// newStore begins to keep knowledge in a file. It does not wait for the disk.
func newStore(o Options, lost *atomic.Uint64, log *slog.Logger) *store {
	s := &store{path: o.File, log: log}
	s.days.Store(int64(o.Days))
	s.share = newShare(s, o.Valkey, log)
	s.Writer = sqlfile.NewWriter(sqlfile.Options[sighting]{
		Path: o.File, Schema: &schema, Log: log, Lost: lost, Advice: adviceOn,
		Phrases: sqlfile.Phrases{NotWritten: "correspondents not written, mail goes on", Begun: "file of correspondents is corrupt, begun anew", NotClosed: "file of correspondents not closed"},
		Opened:  s.load, Insert: s.insert, Prune: s.prune,
	})
	s.share.start()
	return s
}

// close ends sharing, writes what the file still has to get and closes it.
func (s *store) close(ctx context.Context) {
	s.share.close()
	s.Writer.Close(ctx)
}

// keySize is the length of the key in bytes.
const keySize = 32

// KeyFile returns the path of the key for a file of knowledge.
func KeyFile(path string) string { return path + ".key" }

// readKey returns the key beside a file, and makes it on first use. Only its owner may read it.
func readKey(path string) ([]byte, error) {
	text, _, err := secretfile.Read(KeyFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path)
	}
	var key []byte
	if err == nil {
		key, err = hex.DecodeString(strings.TrimSpace(string(text)))
		if err != nil || len(key) != keySize {
			err = fmt.Errorf("not a key (want %d hexadecimal digits)", 2*keySize)
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: KeyFile(path), Err: err}
	}
	return key, nil
}

func makeKey(path string) ([]byte, error) {
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	// A link of a whole file: no other process reads half a key, and none replaces it.
	temporary := fmt.Sprintf("%s.%d", KeyFile(path), os.Getpid())
	defer os.Remove(temporary)
	if err := os.WriteFile(temporary, []byte(hex.EncodeToString(key)+"\n"), 0o600); err != nil {
		return nil, err
	}
	if err := os.Link(temporary, KeyFile(path)); errors.Is(err, fs.ErrExist) {
		return readKey(path)
	} else if err != nil {
		return nil, err
	}
	return key, nil
}

// load reads a file that was opened. If it has hashes by another key, they are of no use and go.
func (s *store) load(ctx context.Context, db *sql.DB) error {
	key, err := readKey(s.path)
	if err != nil {
		return err
	}
	changed, err := checkKey(ctx, db, key)
	if err != nil {
		return err
	}
	if changed {
		s.log.Warn("key of correspondents changed, addresses forgotten", "file", s.path)
	}
	if err := s.known.read(ctx, db, key); err != nil {
		return err
	}
	s.version, err = dataVersion(ctx, db)
	return err
}

// read takes what a file has.
func (k *known) read(ctx context.Context, db *sql.DB, key []byte) error {
	domains, err := readDomains(ctx, db)
	if err != nil {
		return err
	}
	addresses, err := readAddresses(ctx, db)
	if err == nil {
		k.replace(key, domains, addresses)
	}
	return err
}

// dataVersion returns a number that changes when another process writes the file.
func dataVersion(ctx context.Context, db *sql.DB) (version int64, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version)
	return version, err
}

// keyMark returns what tells a key from others, and does not give it away.
func keyMark(key []byte) string { return fmt.Sprintf("%016x", hashOf(key, "key", "")) }

// checkKey compares the key with that of the hashes in the file, and removes them if it is another.
func checkKey(ctx context.Context, db *sql.DB, key []byte) (changed bool, err error) {
	mark := keyMark(key)
	err = sqlfile.Within(ctx, db, func(tx *sql.Tx) error {
		var before string
		err := tx.QueryRowContext(ctx, "SELECT value FROM setting WHERE name = ?", settingKey).Scan(&before)
		switch {
		case err == nil && before == mark:
			return nil
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return err
		}
		changed = err == nil
		for _, statement := range []string{"DELETE FROM address", "UPDATE domain SET user = 0 WHERE user IS NOT NULL"} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return setSetting(ctx, tx, settingKey, mark)
	})
	return changed, err
}

func readDomains(ctx context.Context, db *sql.DB) (map[string]policy.Correspondent, error) {
	rows, err := db.QueryContext(ctx, "SELECT name, days, user IS NULL FROM domain")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	domains := make(map[string]policy.Correspondent)
	for rows.Next() {
		var name string
		var c policy.Correspondent
		if err := rows.Scan(&name, &c.Days, &c.Several); err != nil {
			return nil, err
		}
		domains[name] = c
	}
	return domains, rows.Err()
}

func readAddresses(ctx context.Context, db *sql.DB) ([]uint64, error) {
	rows, err := db.QueryContext(ctx, "SELECT hash FROM address")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []uint64
	for rows.Next() {
		var hash int64
		if err := rows.Scan(&hash); err != nil {
			return nil, err
		}
		all = append(all, uint64(hash))
	}
	return all, rows.Err()
}

// insert writes sightings to the file, and then to memory.
func (s *store) insert(ctx context.Context, db *sql.DB, batch []sighting) error {
	domains := make(map[string]policy.Correspondent)
	var addresses []uint64
	s.known.mu.RLock()
	key := s.known.key
	s.known.mu.RUnlock()
	var learnt []Known // here, for other machines
	err := sqlfile.Within(ctx, db, func(tx *sql.Tx) error {
		for i := range batch {
			seen := &batch[i]
			if err := s.take(ctx, tx, seen, domains, &addresses); err != nil {
				return err
			}
			user := int64(hashOf(key, kindUser, strings.ToLower(seen.user)))
			for _, name := range seen.domains {
				k, err := observeDomain(ctx, tx, name, seen.day, user)
				if err != nil {
					return err
				}
				domains[name] = policy.Correspondent{Days: k.Days, Several: k.Several}
				learnt = append(learnt, k)
			}
			for _, address := range seen.addresses {
				hash := hashOf(key, kindAddress, address)
				k, err := observeAddress(ctx, tx, int64(hash), seen.day)
				if err != nil {
					return err
				}
				addresses = append(addresses, hash)
				learnt = append(learnt, k)
			}
		}
		return nil
	})
	if err == nil {
		s.known.learn(domains, addresses)
		s.share.tell(learnt)
	}
	return err
}

// take adds what another machine learnt.
func (s *store) take(ctx context.Context, tx *sql.Tx, seen *sighting, domains map[string]policy.Correspondent, addresses *[]uint64) error {
	for i := range seen.others {
		k := &seen.others[i]
		c, err := merge(ctx, tx, k)
		switch hash, invalid := strconv.ParseUint(k.Address, 16, 64); {
		case err != nil:
			return err
		case k.Domain != "":
			domains[k.Domain] = c
		case invalid == nil:
			*addresses = append(*addresses, hash)
		}
	}
	for name, value := range map[string]string{settingPosition: seen.position, settingPublished: seen.published} {
		if value != "" {
			if err := setSetting(ctx, tx, name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

func observeDomain(ctx context.Context, tx *sql.Tx, name string, day int, user int64) (Known, error) {
	const statement = `INSERT INTO domain (name, first, last, days, user) VALUES (?1, ?2, ?2, 1, ?3) ON CONFLICT (name) DO UPDATE SET
		first = min(first, ?2), last = max(last, ?2), days = days + (?2 > last), user = CASE WHEN user = ?3 OR user = 0 THEN ?3 END
		RETURNING name, first, last, days, user, user IS NULL`
	return oneRow(ctx, tx, statement, (*Known).setDomain, name, day, user)
}

func observeAddress(ctx context.Context, tx *sql.Tx, hash int64, day int) (Known, error) {
	const statement = `INSERT INTO address (hash, first, last, days) VALUES (?1, ?2, ?2, 1) ON CONFLICT (hash) DO UPDATE SET
		first = min(first, ?2), last = max(last, ?2), days = days + (?2 > last)
		RETURNING printf('%016x', hash), first, last, days, NULL, 0`
	return oneRow(ctx, tx, statement, (*Known).setAddress, hash, day)
}

// The settings of a file.
const (
	settingKey       = "key"       // the mark of the key
	settingPosition  = "position"  // up to which the messages of other machines were read
	settingPublished = "published" // the day up to which other machines were told
)

func setting(ctx context.Context, db *sql.DB, name string) (value string, err error) {
	err = db.QueryRowContext(ctx, "SELECT value FROM setting WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return value, err
}

func setSetting(ctx context.Context, tx *sql.Tx, name, value string) error {
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", name, value)
	return err
}

// portion is how many rows one transaction removes, so that it is short.
const portion = 2000

// prune removes correspondents to whom nobody has written for long, once a day, and reads the file again if
// another process wrote it.
func (s *store) prune(ctx context.Context, db *sql.DB) error {
	version, err := dataVersion(ctx, db)
	if err == nil && version != s.version {
		err = s.load(ctx, db)
	}
	if err != nil {
		return err
	}
	days, today := int(s.days.Load()), dayOf(time.Now())
	if days == 0 || s.pruned == today {
		return nil
	}
	removed, err := removeBefore(ctx, db, today-days)
	if err != nil {
		return err
	}
	s.pruned = today
	if removed == 0 {
		return nil
	}
	if err := sqlfile.Vacuum(ctx, db); err != nil {
		return err
	}
	return s.load(ctx, db)
}

// removeBefore removes what was last seen before a day, and returns how many rows.
func removeBefore(ctx context.Context, db *sql.DB, day int) (removed int64, err error) {
	for _, statement := range []string{
		"DELETE FROM domain WHERE name IN (SELECT name FROM domain WHERE last < ? LIMIT ?)",
		"DELETE FROM address WHERE hash IN (SELECT hash FROM address WHERE last < ? LIMIT ?)",
	} {
		for n := int64(portion); n == portion; removed += n {
			result, err := db.ExecContext(ctx, statement, day, portion)
			if err == nil {
				n, err = result.RowsAffected()
			}
			if err != nil {
				return removed, err
			}
		}
	}
	return removed, nil
}
