package logging

import (
	"log/slog"
	"strings"

	"github.com/coreos/go-systemd/v22/journal"
)

// fieldPrefix is the prefix of the fields that linkmilter adds to entries of the journal
// (systemd.journal-fields(7)).
const fieldPrefix = "LINKMILTER_"

// sender sends an entry to the journal.
type sender func(message string, priority journal.Priority, fields map[string]string) error

// journalSender returns the function that sends to the journal of this machine, or nil if no
// journal runs. Tests replace it.
var journalSender = func() sender {
	if journal.Enabled() {
		return journal.Send
	}
	return nil
}

// fieldsOf returns a field for each attribute, so that `journalctl
// LINKMILTER_QUEUE_ID=4Xq1` finds the entry.
func fieldsOf(attrs []slog.Attr, group string, r slog.Record) map[string]string {
	fields := make(map[string]string, r.NumAttrs()+len(attrs))
	for _, a := range attrs {
		addField(fields, "", a)
	}
	r.Attrs(func(a slog.Attr) bool {
		addField(fields, group, a)
		return true
	})
	return fields
}

// addField adds a field for an attribute, or for each attribute of a group.
func addField(fields map[string]string, group string, a slog.Attr) {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		for _, inner := range value.Group() {
			addField(fields, group+a.Key+"_", inner)
		}
		return
	}
	fields[fieldPrefix+fieldName(group+a.Key)] = value.String()
}

// fieldName returns a name of capital letters, digits and underscores.
func fieldName(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
			return r
		}
		return '_'
	}, strings.ToUpper(key))
}
