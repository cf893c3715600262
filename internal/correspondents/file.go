package correspondents

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"
	"time"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/sqlfile"
	"github.com/linkmilter/linkmilter/policy"
)

// A File is what a service keeps, for commands beside it. Both may write it.
type File struct {
	db  *sql.DB
	key []byte
}

// Open opens a file that exists, or with create makes one.
func Open(ctx context.Context, path string, create bool) (*File, error) {
	if _, err := os.Stat(path); err != nil && !create {
		return nil, err
	}
	db, err := sqlfile.Open(ctx, path, &schema)
	if err != nil {
		return nil, err
	}
	f := &File{db: db}
	if f.key, err = readKey(path); err == nil {
		_, err = checkKey(ctx, db, f.key)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// Read returns the correspondents that a file has now.
func Read(ctx context.Context, path string) (policy.Correspondents, error) {
	f, err := Open(ctx, path, false)
	if err != nil {
		return nil, err
	}
	k := new(known)
	if err := errors.Join(k.read(ctx, f.db, f.key), f.Close()); err != nil {
		return nil, err
	}
	return k, nil
}

// Close closes the file.
func (f *File) Close() error { return f.db.Close() }

// A Known is a domain or the hash of an address, with the days on which users wrote to it.
type Known struct {
	Domain  string `json:"domain,omitempty"`
	Address string `json:"address,omitempty"` // its hash: 16 hexadecimal digits
	First   string `json:"first"`             // days: 2026-11-28
	Last    string `json:"last"`
	Days    int    `json:"days"`
	Several bool   `json:"several,omitempty"` // more than one user wrote to the domain
	User    string `json:"user,omitempty"`    // the hash of the user, if it was one
}

// Counts reports whether mail from outside that looks like the domain is flagged.
func (k *Known) Counts() bool {
	return policy.Correspondent{Days: k.Days, Several: k.Several}.Counts()
}

func dayText(day int) string {
	return time.Unix(int64(day)*24*60*60, 0).UTC().Format(time.DateOnly)
}

// Domains returns the domains, those to which users write most first. An error is the last element.
func (f *File) Domains(ctx context.Context) iter.Seq2[Known, error] {
	return rowsOf(ctx, f.db, selectDomains+" ORDER BY days DESC, name", (*Known).setDomain)
}

// Addresses returns the hashes of addresses. An error is the last element.
func (f *File) Addresses(ctx context.Context) iter.Seq2[Known, error] {
	return rowsOf(ctx, f.db, selectAddresses, (*Known).setAddress)
}

const (
	selectDomains   = "SELECT name, first, last, days, user, user IS NULL FROM domain"
	selectAddresses = "SELECT printf('%016x', hash), first, last, days, NULL, 0 FROM address"
)

func (k *Known) setDomain(name string)  { k.Domain = name }
func (k *Known) setAddress(hash string) { k.Address = hash }

func rowsOf(ctx context.Context, db *sql.DB, query string, set func(*Known, string), parameters ...any) iter.Seq2[Known, error] {
	return func(yield func(Known, error) bool) {
		rows, err := db.QueryContext(ctx, query, parameters...)
		if err != nil {
			yield(Known{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			k, err := scan(rows, set)
			if !yield(k, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Known{}, err)
		}
	}
}

// scan reads a row.
func scan(row interface{ Scan(...any) error }, set func(*Known, string)) (k Known, err error) {
	var name string
	var first, last int
	var user sql.NullInt64
	if err := row.Scan(&name, &first, &last, &k.Days, &user, &k.Several); err != nil {
		return k, err
	}
	k.First, k.Last = dayText(first), dayText(last)
	if user.Valid {
		k.User = fmt.Sprintf("%016x", uint64(user.Int64))
	}
	set(&k, name)
	return k, nil
}

// oneRow returns the row of a statement.
func oneRow(ctx context.Context, tx *sql.Tx, statement string, set func(*Known, string), parameters ...any) (Known, error) {
	return scan(tx.QueryRowContext(ctx, statement, parameters...), set)
}

// Find returns what is known of a domain, or of an address.
func (f *File) Find(ctx context.Context, name string) (k Known, ok bool, err error) {
	table, column, value, err := f.place(name)
	if err != nil {
		return k, false, err
	}
	var first, last int
	query := "SELECT first, last, days, 0 FROM address WHERE hash = ?"
	if table == "domain" {
		query = "SELECT first, last, days, user IS NULL FROM domain WHERE name = ?"
	}
	err = f.db.QueryRowContext(ctx, query, value).Scan(&first, &last, &k.Days, &k.Several)
	if errors.Is(err, sql.ErrNoRows) {
		return k, false, nil
	}
	k.First, k.Last = dayText(first), dayText(last)
	if column == "name" {
		k.Domain = value.(string)
	}
	return k, err == nil, err
}

// Forget removes a domain, or an address, and reports whether it was there.
func (f *File) Forget(ctx context.Context, name string) (was bool, err error) {
	table, column, value, err := f.place(name)
	if err != nil {
		return false, err
	}
	result, err := f.db.ExecContext(ctx, "DELETE FROM "+table+" WHERE "+column+" = ?", value)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// place returns where the file has a domain or an address.
func (f *File) place(name string) (table, column string, value any, err error) {
	if address, _, ok := splitAddress(name); ok {
		return "address", "hash", int64(hashOf(f.key, kindAddress, address)), nil
	}
	host, err := hostname.ASCII(name)
	if err != nil {
		return "", "", nil, fmt.Errorf("name %q: neither a domain nor an address (want example.com)", name)
	}
	return "domain", "name", hostname.Registrable(host), nil
}

// A heading is the first line of an export. Hashes are of use only with the key that it names.
type heading struct {
	Format string `json:"format"`
	Key    string `json:"key"`
}

const exportFormat = "linkmilter correspondents 1"

// Export writes all that is known, a JSON object a line.
func (f *File) Export(ctx context.Context, w io.Writer) error {
	lines := json.NewEncoder(w)
	if err := lines.Encode(heading{exportFormat, keyMark(f.key)}); err != nil {
		return err
	}
	for _, all := range []iter.Seq2[Known, error]{f.Domains(ctx), f.Addresses(ctx)} {
		for k, err := range all {
			if err == nil {
				err = lines.Encode(k)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Imported says what an import took.
type Imported struct {
	Domains, Addresses int
	OtherKey           bool // the hashes are by another key, and were left out
}

// Import adds what another file exported. What both know has the earlier first day, the later last one, and
// the larger count.
func (f *File) Import(ctx context.Context, r io.Reader) (taken Imported, err error) {
	lines := bufio.NewScanner(r)
	number := 0
	err = sqlfile.Within(ctx, f.db, func(tx *sql.Tx) error {
		for lines.Scan() {
			number++
			if err := f.importLine(ctx, tx, lines.Bytes(), number == 1, &taken); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
		}
		if number == 0 && lines.Err() == nil {
			return errors.New("no lines (want an export)")
		}
		return lines.Err()
	})
	if err != nil {
		return Imported{}, err
	}
	return taken, nil
}

func (f *File) importLine(ctx context.Context, tx *sql.Tx, line []byte, first bool, taken *Imported) error {
	if first {
		var h heading
		if err := json.Unmarshal(line, &h); err != nil || h.Format != exportFormat {
			return fmt.Errorf("not an export (want %q)", exportFormat)
		}
		taken.OtherKey = h.Key != keyMark(f.key)
		return nil
	}
	var k Known
	if err := json.Unmarshal(line, &k); err != nil {
		return err
	}
	if taken.OtherKey {
		if k.User = ""; k.Domain == "" {
			return nil
		}
	}
	if k.Domain != "" {
		taken.Domains++
	} else {
		taken.Addresses++
	}
	_, err := merge(ctx, tx, &k)
	return err
}

// merge adds what another file has of a domain or an address, and returns what is known then of a domain.
func merge(ctx context.Context, tx *sql.Tx, k *Known) (c policy.Correspondent, err error) {
	from, err := time.Parse(time.DateOnly, k.First)
	to, err2 := time.Parse(time.DateOnly, k.Last)
	if err = errors.Join(err, err2); err != nil {
		return c, err
	}
	first, last, days := dayOf(from), dayOf(to), max(k.Days, 1)
	if k.Domain == "" {
		hash, err := strconv.ParseUint(k.Address, 16, 64)
		if err == nil {
			const statement = `INSERT INTO address (hash, first, last, days) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (hash) DO UPDATE SET
				first = min(first, ?2), last = max(last, ?3), days = max(days, ?4)`
			_, err = tx.ExecContext(ctx, statement, int64(hash), first, last, days)
		}
		return c, err
	}
	name, err := hostname.ASCII(k.Domain)
	if err == nil && hostname.Registrable(name) != name {
		err = fmt.Errorf("domain %q: not a registrable domain (want example.com)", k.Domain)
	}
	if err != nil {
		return c, err
	}
	user := sql.NullInt64{Valid: !k.Several} // 0: one user, who is not known here
	if hash, err := strconv.ParseUint(k.User, 16, 64); err == nil && !k.Several {
		user.Int64 = int64(hash)
	}
	const statement = `INSERT INTO domain (name, first, last, days, user) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (name) DO UPDATE SET
		first = min(first, ?2), last = max(last, ?3), days = max(days, ?4), user = CASE WHEN user = ?5 OR ?5 = 0 THEN user WHEN user = 0 THEN ?5 END
		RETURNING days, user IS NULL`
	err = tx.QueryRowContext(ctx, statement, name, first, last, days, user).Scan(&c.Days, &c.Several)
	return c, err
}
