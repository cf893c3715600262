package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
)

// match returns the query in the language of the index, "" for a query without filters. The result
// needs no escapes, because words have only letters and digits, and terms no quotation marks.
func (q *Query) match() string {
	var all []string
	for _, p := range newPhrases(q.Text) {
		text := `words : "` + strings.Join(p.words, " ") + `"`
		if p.begins {
			text += " *"
		}
		all = append(all, text)
	}
	for _, term := range q.terms() {
		all = append(all, `terms : "`+term+`"`)
	}
	return strings.Join(all, " AND ")
}

// statement returns the SQL statement for a query, without the columns to select, and its
// parameters. The text never contains values.
func (q *Query) statement(most int) (text string, parameters []any) {
	low, high := q.bounds()
	order := "DESC"
	if q.rising() {
		order = "ASC"
	}
	if match := q.match(); match != "" {
		return "FROM entry WHERE entry MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid " + order + " LIMIT ?", []any{match, low, high, most}
	}
	return "FROM message WHERE id >= ? AND id < ? ORDER BY id " + order + " LIMIT ?", []any{low, high, most}
}

// find returns at most most messages of a query, in its order.
func find(ctx context.Context, db *sql.DB, q *Query, most int) (list []Message, err error) {
	text, parameters := q.statement(most)
	order := "DESC"
	if q.rising() {
		order = "ASC"
	}
	rows, err := db.QueryContext(ctx, "SELECT document FROM message WHERE id IN (SELECT rowid "+text+") ORDER BY id "+order, parameters...)
	if err != nil {
		return nil, err
	}
	return messages(rows)
}

// messages returns the messages in rows of documents, and closes the rows.
func messages(rows *sql.Rows) (list []Message, err error) {
	defer rows.Close()
	for rows.Next() {
		m, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, rows.Err()
}

// count returns how many messages a query chooses, at most most.
func count(ctx context.Context, db *sql.DB, q *Query, most int) (n int, err error) {
	text, parameters := q.statement(most)
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT rowid "+text+")", parameters...).Scan(&n)
	return n, err
}

// get returns the message with an ID, and whether there is one.
func get(ctx context.Context, db *sql.DB, id ID) (Message, bool, error) {
	m, err := scan(db.QueryRowContext(ctx, "SELECT document FROM message WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		return Message{}, false, nil
	}
	return m, err == nil, err
}

// scan reads the message of a row.
func scan(row interface{ Scan(...any) error }) (m Message, err error) {
	var document []byte
	if err := row.Scan(&document); err != nil {
		return m, err
	}
	return m, json.Unmarshal(document, &m)
}
