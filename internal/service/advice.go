package service

import (
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/report"
)

// adviceEvery is how often the same advice is logged at most.
const adviceEvery = time.Hour

// advice logs problems of the mail server's setup that messages show. Several
// goroutines may use it at once.
type advice struct {
	log  *slog.Logger
	last atomic.Int64 // when it was logged, in nanoseconds since 1970
}

// logWarnings logs the warnings of check-config. It leaves out warnings that the file has no
// address to listen on if the command line or systemd gives one.
func logWarnings(log *slog.Logger, file *config.File, given given) {
	tables := map[string]bool{"milter": given.milter, "content_filter": given.contentFilter, "http": given.http}
	for _, warning := range file.Warnings() {
		table, _, _ := strings.Cut(warning.Key, ".")
		if !tables[table] || !strings.HasPrefix(warning.Text, "no effect without an address to listen on") {
			log.Warn("configuration", "problem", warning.String())
		}
	}
}

// logKeys logs the signing keys and their weaknesses.
func logKeys(log *slog.Logger, file *config.File) {
	for _, k := range file.DKIM.Keys {
		log.Info("signing with DKIM", "domain", k.Domain, "selector", k.Selector, "sign", file.DKIM.Sign)
	}
	if signer := file.Signer(); signer != nil {
		for _, warning := range signer.Warnings() {
			log.Warn("DKIM key", "problem", warning)
		}
	}
}

// signedBefore warns about mail of your own users that was signed before linkmilter
// received it.
func (a *advice) signedBefore(r *report.Report, now time.Time) {
	if r.SignedBefore == "" {
		return
	}
	last := a.last.Load()
	if last != 0 && now.Sub(time.Unix(0, last)) < adviceEvery || !a.last.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	a.log.Warn("message already DKIM-signed, not edited: "+
		"run linkmilter before the signing milter (docs/dkim.md)", "domain", r.SignedBefore)
}
