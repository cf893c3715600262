package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"golang.org/x/net/idna"
)

// showList prints which list is in use.
func showList(w io.Writer, keeper *tlds.Keeper, now time.Time) error {
	l := keeper.Current()
	version, source := l.Version, "file "+keeper.File()
	if l.Origin == tlds.OriginBuiltin {
		version, source = "that of the public suffix list", "built in"
	}
	rows := [][]cell{
		{plainCell("version"), plainCell(version)},
		{plainCell("age"), plainCell(ageOf(l.Updated, now))},
	}
	if !l.Checked.IsZero() {
		rows = append(rows, []cell{plainCell("checked"), plainCell(ageOf(l.Checked, now) + " ago")})
	}
	rows = append(rows,
		[]cell{plainCell("source"), plainCell(source)},
		[]cell{plainCell("names"), plainCell(fmt.Sprint(l.Set.Len()))})
	if note := keeper.Note(); note != "" {
		rows = append(rows, []cell{plainCell("note"), plainCell(printable.Text(note))})
	}
	_, err := io.WriteString(w, columns("", rows))
	return err
}

// ageOf says how long ago a time was, with the date for times older
// than a few hours.
func ageOf(t, now time.Time) string {
	age := now.Sub(t)
	switch {
	case t.IsZero():
		return "unknown"
	case age < 2*time.Minute:
		return "a moment"
	case age < 2*time.Hour:
		return fmt.Sprintf("%d minutes", age/time.Minute)
	case age < 48*time.Hour:
		return fmt.Sprintf("%d hours", age/time.Hour)
	}
	return fmt.Sprintf("%d days, of %s", age/(24*time.Hour), t.UTC().Format("2006-01-02"))
}

// nameLookup looks names up in a list, and in the DNS where it is not nil.
type nameLookup struct {
	list *tlds.List
	dns  *tlds.Checker
}

// show prints for each name whether it is a top-level domain. It returns
// errFindings if one is not.
func (n nameLookup) show(ctx context.Context, w io.Writer, names []string) error {
	var rows [][]cell
	var result error
	for _, name := range names {
		label := lastLabel(name)
		state := "known"
		if !n.list.Set.Contains(label) {
			exists, err := n.inDNS(ctx, label)
			switch {
			case err != nil:
				return err
			case exists:
				state = "not in the list, but in the DNS"
			default:
				state, result = "not known", errFindings
			}
		}
		rows = append(rows, []cell{plainCell(printable.Text(nameForms(label))), plainCell(state)})
	}
	if _, err := io.WriteString(w, "\n"+columns("", rows)); err != nil {
		return outputError(err)
	}
	return result
}

func (n nameLookup) inDNS(ctx context.Context, label string) (bool, error) {
	if n.dns == nil {
		return false, nil
	}
	return n.dns.Exists(ctx, label)
}

// lastLabel returns the top-level domain of a name: "com" for "com", ".com",
// "example.com" and "example.com.".
func lastLabel(name string) string {
	name = strings.TrimSuffix(name, ".")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// nameForms returns a label with its other form, if it has one: "рф (xn--p1ai)".
func nameForms(label string) string {
	ascii, err := idna.Lookup.ToASCII(label)
	if err != nil {
		return label
	}
	if unicode, err := idna.Lookup.ToUnicode(ascii); err == nil && unicode != ascii {
		return fmt.Sprintf("%s (%s)", unicode, ascii)
	}
	return label
}
