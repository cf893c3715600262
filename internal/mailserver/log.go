package mailserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/printable"
)

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

// write logs the line of a message: numbers, codes and names, and whatever the details ask for.
func (r *Record) write(ctx context.Context, log *slog.Logger, details Details, more []slog.Attr) {
	level := slog.LevelInfo
	if r.alarming() {
		level = slog.LevelWarn
	}
	if log.Enabled(ctx, level) {
		log.LogAttrs(ctx, level, "message", append(r.attrs(details), more...)...)
	}
}

// attrs describes the message.
func (r *Record) attrs(details Details) []slog.Attr {
	report := &r.Result.Report
	attrs := []slog.Attr{
		slog.String("queue_id", Safe(r.QueueID)),
		slog.String("rule", report.Rule),
		slog.String("outcome", report.Outcome.String()),
		slog.Int("links", len(report.Links)),
		slog.String("worst", report.Worst().String()),
		slog.Bool("edited", r.Edited),
	}
	why := func(key, reason string) {
		if reason != "" {
			attrs = append(attrs, slog.String(key, reason))
		}
	}
	if !r.Edited {
		why("not_done", r.notDone())
	}
	if id := report.Header.MessageID; id != "" {
		attrs = append(attrs, slog.String("message_id", safeUpTo(id, maxMessageID)))
	}
	attrs = details.appendEnvelope(attrs, r.envelope)
	attrs = details.appendFlagged(attrs, report)
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
	why("not_signed", string(report.NotSigned))
	why("header_not_done", string(report.HeaderNotDone))
	why("header_note", string(report.HeaderNote))
	if report.Forged > 0 {
		attrs = append(attrs, slog.Int("forged", report.Forged))
	}
	why("action_not_done", string(r.ActionReason))
	return append(attrs, slog.Int64("size", r.Size), slog.Duration("duration", r.Duration))
}

// notDone returns why the message was not edited: the reason of the server, or else of
// the filter.
func (r *Record) notDone() string {
	if r.Reason != "" {
		return string(r.Reason)
	}
	return string(r.Result.Report.NotDone)
}

// maxLogged bounds in bytes how much text of a peer one attribute has.
const maxLogged = 128

// Safe returns text of a peer for the log: bounded, on one line, with invisible
// characters escaped.
func Safe(s string) string { return safeUpTo(s, maxLogged) }

func safeUpTo(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "..."
	}
	return printable.Text(s)
}
