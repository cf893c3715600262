package milter

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// maxLogged bounds in bytes what of a peer's text goes into one attribute.
const maxLogged = 128

// safe makes text of a peer fit for a log: bounded, on one line, nothing
// invisible.
func safe(s string) string {
	if len(s) > maxLogged {
		s = s[:maxLogged] + "..."
	}
	return printable.Text(s)
}

// panicText says what a panic was about without quoting a message: errors of
// the runtime hold none, others may.
func panicText(v any) string {
	var err runtime.Error
	if e, ok := v.(error); ok && errors.As(e, &err) {
		return err.Error()
	}
	return fmt.Sprintf("%T", v)
}

// logPanic logs a panic in a callback.
func (s *session) logPanic(v any) {
	s.log.Error("panic", "queue_id", safe(s.message.env.QueueID), "panic", panicText(v), "stack", string(debug.Stack()))
}

// failed reports whether a connection ended for another reason than that the
// MTA ended it in order.
func failed(err error) bool { return err != nil && !errors.Is(err, io.EOF) }

// errorAttrs returns the attributes of the error that ended a connection.
func errorAttrs(err error) []any {
	var p *protocolError
	if !errors.As(err, &p) {
		return []any{"reason", "read", "error", safe(err.Error())}
	}
	attrs := []any{"reason", p.code, "detail", safe(p.detail)}
	if p.err != nil {
		attrs = append(attrs, "error", safe(p.err.Error()))
	}
	return attrs
}

// conclude tells the log and the observer what became of a message.
func (s *session) conclude(d *decision) {
	d.duration = time.Since(d.start)
	s.logMessage(d)
	defer func() {
		if v := recover(); v != nil {
			s.logPanic(v)
		}
	}()
	s.server.options.Observe(d.event())
}

// logMessage writes the one line of a message.
func (s *session) logMessage(d *decision) {
	level := slog.LevelInfo
	if d.alarming() {
		level = slog.LevelWarn
	}
	if ctx := s.server.ctx; s.log.Enabled(ctx, level) {
		s.log.LogAttrs(ctx, level, "message", d.attrs()...)
	}
}

// alarming reports whether the message went on as it is for a reason that lies
// in linkmilter or its surroundings, not in the message.
func (d *decision) alarming() bool {
	switch d.reason {
	case ReasonPanic, ReasonDeadline, ReasonMemory, ReasonOutOfOrder:
		return true
	}
	for _, reason := range d.result.Report.Reasons {
		if reason == filter.ReasonPanic || reason == filter.ReasonDeadline {
			return true
		}
	}
	return false
}

// attrs describes a message: numbers, codes and names, none of its text.
func (d *decision) attrs() []slog.Attr {
	report := &d.result.Report
	attrs := make([]slog.Attr, 0, 10)
	attrs = append(attrs,
		slog.String("queue_id", safe(d.queueID)),
		slog.String("rule", report.Rule),
		slog.String("outcome", report.Outcome.String()),
		slog.Int("links", len(report.Links)),
		slog.String("worst", report.Worst().String()),
		slog.Bool("edited", d.edited),
	)
	if !d.edited {
		attrs = append(attrs, slog.String("not_done", d.notDone()))
	}
	attrs = append(attrs, flaggedAttrs(report)...)
	if len(report.Reasons) > 0 {
		attrs = append(attrs, slog.Any("reasons", report.Reasons))
	}
	if report.Action != filter.ActionNone {
		attrs = append(attrs, slog.String("action", report.Action.String()), slog.String("because", report.Because))
	}
	if report.DryRun {
		attrs = append(attrs, slog.Bool("dry_run", true), slog.Bool("would_edit", report.Edited))
	}
	if d.tagged {
		attrs = append(attrs, slog.Bool("tagged", true))
	}
	if report.HeaderNotDone != "" {
		attrs = append(attrs, slog.String("header_not_done", string(report.HeaderNotDone)))
	}
	if report.Forged > 0 {
		attrs = append(attrs, slog.Int("forged", report.Forged))
	}
	if d.actionReason != "" {
		attrs = append(attrs, slog.String("action_not_done", string(d.actionReason)))
	}
	return append(attrs, slog.Int64("size", d.size), slog.Duration("duration", d.duration))
}

// maxHosts bounds the hosts in a line of the log.
const maxHosts = 5

// flaggedAttrs names the codes of what was found, and the hosts of flagged
// links as A-labels: that form cannot look like another host.
func flaggedAttrs(report *filter.Report) []slog.Attr {
	var codes, hosts []string
	add := func(list []string, text string) []string {
		if text == "" || slices.Contains(list, text) {
			return list
		}
		return append(list, text)
	}
	for i := range report.Findings {
		codes = add(codes, string(report.Findings[i].Code))
	}
	for i := range report.Links {
		found := &report.Links[i]
		for j := range found.Verdict.Findings {
			codes = add(codes, string(found.Verdict.Findings[j].Code))
		}
		if found.Flagged && len(hosts) < maxHosts {
			hosts = add(hosts, safe(found.Link.ASCIIHost()))
		}
	}
	var attrs []slog.Attr
	if len(codes) > 0 {
		attrs = append(attrs, slog.Any("findings", codes))
	}
	if len(hosts) > 0 {
		attrs = append(attrs, slog.Any("hosts", hosts))
	}
	return attrs
}

// notDone is why the message was not edited: for a reason of the protocol's, or
// of the filter's.
func (d *decision) notDone() string {
	if d.reason != "" {
		return string(d.reason)
	}
	return string(d.result.Report.NotDone)
}
