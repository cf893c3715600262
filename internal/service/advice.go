package service

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
)

// adviceEvery is how often the same advice is logged at most.
const adviceEvery = time.Hour

// advice tells the log of what is wrong with how mail comes here, as far as
// messages show it. It may be used by several goroutines at once.
type advice struct {
	log  *slog.Logger
	last atomic.Int64 // when it was told, in nanoseconds since 1970
}

// logKeys says with which keys mail is signed, and what is unwise about them.
func logKeys(log *slog.Logger, file *config.File) {
	for _, k := range file.DKIM.Keys {
		log.Info("signing with DKIM", "domain", k.Domain, "selector", k.Selector, "sign", file.DKIM.Sign.String())
	}
	if signer := file.Signer(); signer != nil {
		for _, warning := range signer.Warnings() {
			log.Warn("DKIM key", "problem", warning)
		}
	}
}

// signedBefore tells of mail of one's own that was signed before it came here.
func (a *advice) signedBefore(report *filter.Report, now time.Time) {
	if report.SignedBefore == "" {
		return
	}
	last := a.last.Load()
	if last != 0 && now.Sub(time.Unix(0, last)) < adviceEvery || !a.last.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	a.log.Warn("mail of your own was signed with DKIM before it came here, so it is not made readable: "+
		"let linkmilter come before what signs, such as in smtpd_milters (docs/dkim.md)", "domain", report.SignedBefore)
}
