package history

import "github.com/linkmilter/linkmilter/internal/sqlfile"

// schema has the tables of a file. The index has the words of a message for searches, and
// terms for filters: each of these is one list of IDs, and a query intersects lists.
var schema = sqlfile.Schema{
	Application: 0x6c6d6874, // "lmht"
	Version:     1,
	Tables: []string{
		"CREATE TABLE message (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT",
		"CREATE VIRTUAL TABLE entry USING fts5(words, terms, content='', contentless_delete=1, tokenize='ascii')",
		seenTable,
	},
	Later: []string{seenTable}, // files of before have no such table, and older programs do not mind it
}

// seenTable has the messages of which only the links are kept.
const seenTable = "CREATE TABLE IF NOT EXISTS seen (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT"

// adviceOn says what an operator can do about a problem with the file.
func adviceOn(err error) string {
	return sqlfile.FaultOf(err).Advice("admin.history", "admin.history_rows")
}
