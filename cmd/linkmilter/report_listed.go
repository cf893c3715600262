package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/policy"
)

// lookBack prints from the history who received a link that is on a list now.
func (o *reportOptions) lookBack(cmd *cobra.Command, paths []string, since time.Time, about string) error {
	switch {
	case !o.listed:
		return usageError(cmd, errors.New("--config without --listed: the log is not in the configuration"))
	case o.config == "":
		return usageError(cmd, errors.New("--listed without --config (want the configuration with the lists and admin.history)"))
	case indicatorFormats[o.format] != nil:
		return usageError(cmd, fmt.Errorf("--format %s is for logs (want table, json or csv with --listed)", o.format))
	case len(paths) > 0:
		return usageError(cmd, errors.New("--listed reads the history, not logs"))
	}
	file, err := config.LoadWithoutKeys(o.config)
	if err != nil {
		return err
	}
	if file.Admin.History == "" {
		return withAdvice(errors.New("the configuration has no history"), "Set admin.history, and admin.history_seen = true")
	}
	set := lists.New(lists.Options{})
	set.Use(file.Sources())
	judge, err := policy.New(policy.Options{Lists: set.Quiet(), WithoutBrands: true})
	if err != nil {
		return err
	}
	var found []history.Received
	for r, err := range history.LookBack(history.SinceInFile(cmd.Context(), file.Admin.History, since), judge.Listed) {
		if err != nil {
			return err
		}
		isTo := slices.ContainsFunc(r.Recipients, func(to string) bool { return strings.Contains(strings.ToLower(to), strings.ToLower(o.recipient)) })
		if o.recipient != "" && !isTo || about != "" && !strings.Contains(r.Line.Label, about) {
			continue
		}
		found = append(found, r)
	}
	return outputError(o.writeReceived(cmd.OutOrStdout(), found))
}

// receivedRecord is a message with a listed link in JSON and CSV.
type receivedRecord struct {
	Time       string   `json:"time"`
	QueueID    string   `json:"queue_id"`
	Sender     string   `json:"sender"`
	Recipients []string `json:"recipients"`
	Link       string   `json:"link"`
	List       string   `json:"list"`
	Line       int      `json:"line"`
	Then       bool     `json:"listed_then"`
	Happened   string   `json:"happened"`
	Edited     bool     `json:"edited"`
}

func newReceivedRecord(r *history.Received) receivedRecord {
	happened := r.Action
	if r.NotDone != "" {
		happened = "(" + r.Action + ")"
	}
	if r.Edited {
		happened += ", edited"
	}
	return receivedRecord{r.Time.Format(time.RFC3339), r.QueueID, r.Sender, r.Recipients, r.Link, r.Line.List, r.Line.Line, r.Then, happened, r.Edited}
}

func (o *reportOptions) writeReceived(w io.Writer, found []history.Received) error {
	out := bufio.NewWriter(w)
	var err error
	switch o.format {
	case "json":
		for i := range found {
			err = cmp.Or(err, jsonWriter{out, isTerminal(w)}.encode(newReceivedRecord(&found[i])))
		}
	case "csv":
		table := csv.NewWriter(out)
		_ = table.Write([]string{"time", "queue_id", "sender", "recipients", "link", "list", "line", "listed_then", "happened", "edited"}) // Error returns the error below
		for i := range found {
			r := newReceivedRecord(&found[i])
			line := []string{r.Time, r.QueueID, r.Sender, strings.Join(r.Recipients, " "), r.Link, r.List, strconv.Itoa(r.Line), strconv.FormatBool(r.Then), r.Happened, strconv.FormatBool(r.Edited)}
			for i, value := range line {
				line[i] = printable.Text(printable.Cell(value))
			}
			_ = table.Write(line)
		}
		table.Flush()
		err = table.Error()
	default:
		p := newPaint(w)
		rows := [][]cell{headRow(p, "time", "sender", "recipients", "link", "list", "listed then", "happened", "queue id")}
		for i := range found {
			if i == maxFlagged && !o.all {
				break
			}
			r := newReceivedRecord(&found[i])
			then := "no"
			if r.Then {
				then = "yes"
			}
			rows = append(rows, []cell{
				plainCell(found[i].Time.In(time.Local).Format(dayAndTime)), p.cell(r.Sender), p.cell(strings.Join(r.Recipients, " ")), p.cell(r.Link),
				plainCell(r.List), plainCell(then), plainCell(r.Happened), plainCell(r.QueueID),
			})
		}
		text := counted(len(found), "message") + " with a link that a list has now\n"
		if len(found) > 0 {
			text += "\n" + columns("  ", rows)
		}
		if left := len(found) - maxFlagged; left > 0 && !o.all {
			text += "  and " + printable.Number(left) + " before: --all lists them\n"
		}
		_, err = out.WriteString(text)
	}
	return cmp.Or(err, out.Flush())
}
