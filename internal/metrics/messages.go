package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// How many values a label may have. There are fewer codes than that. The number of rules grows with
// each configuration that the process reads.
const (
	maxCodes = 200
	maxRules = 100
)

// messages counts messages and their results.
type messages struct {
	rules, reasons, codes *bounded
	collectors            []prometheus.Collector // all metrics below

	total     *prometheus.CounterVec // rule, outcome
	unread    *prometheus.CounterVec // reason
	edited    prometheus.Counter
	notEdited *prometheus.CounterVec // reason
	tagged    prometheus.Counter
	actions   *prometheus.CounterVec // action
	notActed  *prometheus.CounterVec // reason
	forged    prometheus.Counter
	signed    prometheus.Counter
	notSigned *prometheus.CounterVec // reason
	before    prometheus.Counter
	links     *prometheus.CounterVec // kind
	flagged   prometheus.Counter
	findings  *prometheus.CounterVec // code, severity
	marked    *prometheus.CounterVec // code, mark
	limits    *prometheus.CounterVec // limit
	size      prometheus.Histogram
	duration  prometheus.Histogram
}

func newMessages() *messages {
	var all []prometheus.Collector
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
		all = append(all, c)
		return c
	}
	single := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
		all = append(all, c)
		return c
	}
	histogram := func(name, help string, buckets ...float64) prometheus.Histogram {
		h := prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
		all = append(all, h)
		return h
	}
	m := &messages{
		rules: newBounded(maxRules), reasons: newBounded(maxCodes), codes: newBounded(maxCodes),

		total:     counter("messages_total", "Messages by the rule that decided and by how much was read: complete, partial, unread.", "rule", "outcome"),
		unread:    counter("messages_not_read_total", "Messages with an unread part, by each reason.", "reason"),
		edited:    single("messages_edited_total", "Messages whose content was edited."),
		notEdited: counter("messages_not_edited_total", "Messages whose content was not edited, by the reason.", "reason"),
		tagged:    single("messages_tagged_total", "Messages that got fields with findings, or lost forged fields."),
		actions:   counter("message_actions_total", "Messages by the action that the mail server was asked for.", "action"),
		notActed:  counter("message_actions_not_done_total", "Messages for which the filter's action was not asked for, by the reason.", "reason"),
		forged:    single("forged_fields_total", "Header fields from outside that claimed to be linkmilter's."),
		signed:    single("messages_signed_total", "Messages that were signed with DKIM."),
		notSigned: counter("messages_not_signed_total", "Outbound messages left unsigned although signing is set up, by the reason.", "reason"),
		before:    single("messages_signed_before_total", "Outbound messages that arrived with a signature of their domain: the signer runs too early."),
		links:     counter("links_total", "Links found, by kind: url, email, suspect.", "kind"),
		flagged:   single("links_flagged_total", "Links whose host failed the policy, or with a finding of medium or above."),
		findings:  counter("findings_total", "Findings about links and messages.", "code", "severity"),
		marked:    counter("findings_marked_total", "Findings that operators marked on the page, by code and mark: right, wrong.", "code", "mark"),
		limits:    counter("limits_reached_total", "Messages that met a limit, by the key of the table limits.", "limit"),
		size:      histogram("message_size_bytes", "Size of messages as they came.", 1<<10, 4<<10, 16<<10, 64<<10, 256<<10, 1<<20, 4<<20, 16<<20, 64<<20),
		duration: histogram("message_duration_seconds", "Time from the end of a message to the reply.",
			.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10),
	}
	m.collectors = all
	m.begin()
	return m
}

// begin creates the series with known labels before the first message, so that the first
// event of a kind is an increase and not a new series.
func (m *messages) begin() {
	for _, kind := range []engine.Kind{engine.KindURL, engine.KindEmail, engine.KindSuspect} {
		m.links.WithLabelValues(kind.String())
	}
	for action := rule.ActionNone; action <= rule.ActionReject; action++ {
		m.actions.WithLabelValues(action.String())
	}
	for _, limit := range limitOf {
		m.limits.WithLabelValues(limit)
	}
}

// limitOf has, for each reason that comes from a limit, the key of that limit in the configuration.
var limitOf = limits()

func limits() map[string]string {
	all := map[string]string{
		string(mailserver.ReasonTooLarge): "message",
		string(mailserver.ReasonMemory):   "memory",
	}
	for reason, limit := range filter.LimitReasons() {
		all[string(reason)] = limit
	}
	return all
}

// count counts a message.
func (m *messages) count(e *mailserver.Event) {
	r := e.Report
	m.total.WithLabelValues(m.rules.label(r.Rule), r.Outcome.String()).Inc()
	m.size.Observe(float64(e.Size))
	m.duration.Observe(e.Duration.Seconds())
	m.actions.WithLabelValues(e.Action.String()).Inc()
	if e.ActionReason != "" {
		m.notActed.WithLabelValues(m.reasons.label(string(e.ActionReason))).Inc()
	}
	if e.Tagged {
		m.tagged.Inc()
	}
	m.forged.Add(float64(r.Forged))
	if e.Signed {
		m.signed.Inc()
	}
	if r.NotSigned != "" {
		m.notSigned.WithLabelValues(m.reasons.label(string(r.NotSigned))).Inc()
	}
	if r.SignedBefore != "" {
		m.before.Inc()
	}
	m.countReasons(e)
	for i := range r.Links {
		found := &r.Links[i]
		m.links.WithLabelValues(found.Link.Kind.String()).Inc()
		if found.Flagged {
			m.flagged.Inc()
		}
		m.countFindings(found.Verdict.Findings)
	}
	m.countFindings(r.Findings)
}

// countReasons counts why a message was not read or not edited, and the limits that these reasons
// come from, each once.
func (m *messages) countReasons(e *mailserver.Event) {
	notEdited := string(e.Reason)
	if notEdited == "" {
		notEdited = string(e.Report.NotDone)
	}
	var limits []string
	note := func(reason string) {
		if limit := limitOf[reason]; limit != "" && !slices.Contains(limits, limit) {
			limits = append(limits, limit)
			m.limits.WithLabelValues(limit).Inc()
		}
	}
	if e.Edited {
		m.edited.Inc()
	} else {
		m.notEdited.WithLabelValues(m.reasons.label(notEdited)).Inc()
		note(notEdited)
	}
	for _, reason := range e.Report.Reasons {
		m.unread.WithLabelValues(m.reasons.label(string(reason))).Inc()
		note(string(reason))
	}
	if e.Report.Outcome == report.OutcomeUnread && len(e.Report.Reasons) == 0 {
		m.unread.WithLabelValues(m.reasons.label(string(e.Reason))).Inc()
	}
}

func (m *messages) countFindings(findings []policy.Finding) {
	for _, f := range findings {
		m.findings.WithLabelValues(m.codes.label(string(f.Code)), f.Severity.String()).Inc()
	}
}
