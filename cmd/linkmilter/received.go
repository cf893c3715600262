package main

import (
	"bytes"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/report"
)

// receivedAt returns when the last mail server took a message: the date of the first field Received
// (RFC 5321 §4.4), which the sender cannot choose, unlike Date. Without a date that it can read, it
// returns the zero time.
func receivedAt(raw []byte) time.Time {
	var field strings.Builder
	found := false
	for line := range bytes.Lines(raw[:min(len(raw), maxAboveReceived)]) {
		text := string(bytes.TrimRight(line, "\r\n"))
		isContinued := text != "" && (text[0] == ' ' || text[0] == '\t')
		switch {
		case found && isContinued:
			field.WriteString(text)
			continue
		case found, text == "":
			return dateOfReceived(field.String())
		}
		name, value, _ := strings.Cut(text, ":")
		if found = strings.EqualFold(strings.TrimRight(name, " \t"), "Received"); found {
			field.WriteString(value)
		}
	}
	return dateOfReceived(field.String())
}

// maxAboveReceived bounds the bytes in which the field is looked for: servers put it first.
const maxAboveReceived = 64 << 10

// dateOfReceived reads the date at the end of the value of a field Received.
func dateOfReceived(value string) time.Time {
	date := value[strings.LastIndexByte(value, ';')+1:]
	return record.DateOf(&report.Header{Date: strings.TrimSpace(date)})
}
