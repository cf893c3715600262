package service

import (
	"context"
	"time"

	"github.com/linkmilter/linkmilter/internal/quarantine"
)

// expireEvery is how often old messages leave the quarantine.
const expireEvery = time.Hour

// expireQuarantine deletes old messages of the quarantine until the context ends.
func (s *service) expireQuarantine(ctx context.Context) {
	c := &s.started.ContentFilter
	keep := quarantine.Retention{Age: time.Duration(c.QuarantineDays) * 24 * time.Hour, Size: int64(c.QuarantineSize)}
	if s.contentFilter == nil || c.Quarantine == "" || keep == (quarantine.Retention{}) {
		return
	}
	ticker := time.NewTicker(expireEvery)
	defer ticker.Stop()
	for {
		s.expireOnce(c.Quarantine, keep)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// expireOnce deletes the messages that a quarantine no longer keeps, and logs how many.
func (s *service) expireOnce(path string, keep quarantine.Retention) {
	folder, err := quarantine.Open(path)
	if err != nil {
		s.log.Warn("quarantine not expired", "error", err)
		return
	}
	defer folder.Close()
	deleted, err := folder.Expire(keep, time.Now())
	if err != nil {
		s.log.Warn("quarantine not expired", "error", err)
	}
	for _, m := range deleted {
		s.log.Info("quarantine expired", "name", m.Name, "queue_id", m.QueueID, "came", m.Time.UTC().Format(time.RFC3339), "size", m.Size)
	}
}
