package main

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/eventlog"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// eventRecord is a flagged message in JSON and CSV.
type eventRecord struct {
	Time       string   `json:"time"`
	Node       string   `json:"node"`
	QueueID    string   `json:"queue_id"`
	MessageID  string   `json:"message_id"`
	Client     string   `json:"client"`
	Sender     string   `json:"sender"`
	Recipients []string `json:"recipients"`
	Count      int      `json:"recipient_count"`
	Hosts      []string `json:"hosts"`
	LooksLike  []string `json:"looks_like"`
	Findings   []string `json:"findings"`
	Happened   string   `json:"happened"`
	Edited     bool     `json:"edited"`
}

func newEventRecord(e *eventlog.Event) eventRecord {
	return eventRecord{
		e.Time.Format(time.RFC3339), e.Node, e.QueueID, e.MessageID, e.Client, e.Sender, e.Recipients, e.RecipientCount,
		e.Hosts, e.LooksLike, e.Findings, e.WhatHappened(), e.Edited,
	}
}

func writeEvents(w jsonWriter, events []*eventlog.Event) error {
	for _, e := range events {
		if err := w.encode(newEventRecord(e)); err != nil {
			return err
		}
	}
	return nil
}

// writeEventsCSV writes a line for each message. Elements of lists are separated by spaces.
func writeEventsCSV(out io.Writer, events []*eventlog.Event) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"time", "node", "queue_id", "message_id", "client", "sender", "recipients", "recipient_count", "hosts", "looks_like", "findings", "happened", "edited"}) // Error returns the error below
	for _, e := range events {
		r := newEventRecord(e)
		line := []string{
			r.Time, r.Node, r.QueueID, r.MessageID, r.Client, r.Sender, strings.Join(r.Recipients, " "), strconv.Itoa(r.Count), strings.Join(r.Hosts, " "),
			strings.Join(r.LooksLike, " "), strings.Join(r.Findings, " "), r.Happened, strconv.FormatBool(r.Edited),
		}
		for i, value := range line {
			line[i] = printable.Text(printable.Cell(value))
		}
		_ = w.Write(line)
	}
	w.Flush()
	return w.Error()
}
