package mailserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
)

// maxLogged bounds the text of a peer in one attribute, in bytes.
const maxLogged = 128

// Safe returns text of a peer for the log: bounded, on one line, with invisible
// characters escaped.
func Safe(s string) string {
	if len(s) > maxLogged {
		s = s[:maxLogged] + "..."
	}
	return printable.Text(s)
}

// panicText describes a panic without text of a message: the text of a runtime error, or
// the type of any other value.
func panicText(v any) string {
	var err runtime.Error
	if e, ok := v.(error); ok && errors.As(e, &err) {
		return err.Error()
	}
	return fmt.Sprintf("%T", v)
}

// panicAttrs describes a panic for the log.
func panicAttrs(v any) []any {
	return []any{"panic", panicText(v), "stack", string(debug.Stack())}
}

// LogPanic logs a panic in the work on a message, without text of the message.
func LogPanic(log *slog.Logger, queueID string, v any) {
	log.Error("panic", append([]any{"queue_id", Safe(queueID)}, panicAttrs(v)...)...)
}

// write logs the one line of a message: numbers, codes and names, none of its text.
func (r *Record) write(ctx context.Context, log *slog.Logger, more []slog.Attr) {
	level := slog.LevelInfo
	if r.alarming() {
		level = slog.LevelWarn
	}
	if log.Enabled(ctx, level) {
		log.LogAttrs(ctx, level, "message", append(r.appendAttrs(nil), more...)...)
	}
}

// appendAttrs appends what describes the message.
func (r *Record) appendAttrs(attrs []slog.Attr) []slog.Attr {
	report := &r.Result.Report
	attrs = append(attrs,
		slog.String("queue_id", Safe(r.QueueID)),
		slog.String("rule", report.Rule),
		slog.String("outcome", report.Outcome.String()),
		slog.Int("links", len(report.Links)),
		slog.String("worst", report.Worst().String()),
		slog.Bool("edited", r.Edited),
	)
	if !r.Edited {
		attrs = append(attrs, slog.String("not_done", r.notDone()))
	}
	attrs = appendFlagged(attrs, report)
	if len(report.Reasons) > 0 {
		attrs = append(attrs, slog.Any("reasons", report.Reasons))
	}
	if report.Action != rule.ActionNone {
		attrs = append(attrs, slog.String("action", report.Action.String()), slog.String("because", report.Because))
	}
	if report.DryRun {
		attrs = append(attrs, slog.Bool("dry_run", true), slog.Bool("would_edit", report.Edited))
	}
	if r.Tagged {
		attrs = append(attrs, slog.Bool("tagged", true))
	}
	if r.Signed {
		attrs = append(attrs, slog.String("signed", Safe(report.Signed)))
	}
	if report.NotSigned != "" {
		attrs = append(attrs, slog.String("not_signed", string(report.NotSigned)))
	}
	if report.HeaderNotDone != "" {
		attrs = append(attrs, slog.String("header_not_done", string(report.HeaderNotDone)))
	}
	if report.HeaderNote != "" {
		attrs = append(attrs, slog.String("header_note", string(report.HeaderNote)))
	}
	if report.Forged > 0 {
		attrs = append(attrs, slog.Int("forged", report.Forged))
	}
	if r.ActionReason != "" {
		attrs = append(attrs, slog.String("action_not_done", string(r.ActionReason)))
	}
	return append(attrs, slog.Int64("size", r.Size), slog.Duration("duration", r.Duration))
}

// maxHosts bounds the hosts in a line of the log.
const maxHosts = 5

// appendFlagged names the codes of the findings, and the hosts of flagged links as
// A-labels: that form cannot look like another host.
func appendFlagged(attrs []slog.Attr, r *report.Report) []slog.Attr {
	var codes, hosts []string
	add := func(list []string, text string) []string {
		if text == "" || slices.Contains(list, text) {
			return list
		}
		return append(list, text)
	}
	for i := range r.Findings {
		codes = add(codes, string(r.Findings[i].Code))
	}
	for i := range r.Links {
		found := &r.Links[i]
		for j := range found.Verdict.Findings {
			codes = add(codes, string(found.Verdict.Findings[j].Code))
		}
		if found.Flagged && len(hosts) < maxHosts {
			hosts = add(hosts, Safe(found.Link.ASCIIHost()))
		}
	}
	if len(codes) > 0 {
		attrs = append(attrs, slog.Any("findings", codes))
	}
	if len(hosts) > 0 {
		attrs = append(attrs, slog.Any("hosts", hosts))
	}
	return attrs
}

// notDone returns why the message was not edited: the reason of the server, or else of
// the filter.
func (r *Record) notDone() string {
	if r.Reason != "" {
		return string(r.Reason)
	}
	return string(r.Result.Report.NotDone)
}
