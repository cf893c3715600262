package service

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"github.com/linkmilter/linkmilter/internal/quarantine"
)

// digestTimeout is how long the digests of a day may take.
const digestTimeout = 10 * time.Minute

// digestEvery is how often the service looks whether a digest is due. The first time is after a
// while, since a mail server that starts with the machine may not take mail yet.
var digestEvery = time.Minute

// tellDaily sends the digests of the quarantine until the context ends. No message waits for it.
func (s *service) tellDaily(ctx context.Context) {
	file := s.started
	if s.contentFilter == nil || file.ContentFilter.Quarantine == "" || !file.Digest.IsSent() {
		return
	}
	daily, err := s.daily()
	if err != nil {
		s.log.Warn("digest not sent", "error", err)
		return
	}
	ticker := time.NewTicker(digestEvery)
	defer ticker.Stop()
	told := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		// By the clock on the wall: the machine may have slept, or changed to summer time.
		if now := time.Now(); file.Digest.IsDue(now) && now.Format(time.DateOnly) != told {
			told = now.Format(time.DateOnly)
			s.tellOnce(ctx, file.ContentFilter.Quarantine, daily, now)
		}
	}
}

// daily returns what the configuration says of the digest.
func (s *service) daily() (quarantine.Daily, error) {
	file := s.started
	options, err := file.ContentFilterOptions(cmp.Or(s.options.NextHop, file.ContentFilter.NextHop), nil, nil)
	if err != nil {
		return quarantine.Daily{}, err
	}
	server, err := file.DigestServer(options.NextHop)
	if err != nil {
		return quarantine.Daily{}, err
	}
	host := options.Name
	if host == "" {
		if host, err = os.Hostname(); err != nil {
			return quarantine.Daily{}, err
		}
	}
	from := cmp.Or(file.Digest.From, "postmaster@"+host)
	return quarantine.Daily{To: file.Digest.To, Users: file.Digest.Users, From: from, Host: host, Hop: server}, nil
}

// tellOnce sends the digests of a day. After an error the digests of the next day have its messages,
// too.
func (s *service) tellOnce(ctx context.Context, path string, daily quarantine.Daily, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, digestTimeout)
	defer cancel()
	folder, err := quarantine.Open(path)
	if err != nil {
		s.log.Warn("digest not sent", "error", err)
		return
	}
	defer folder.Close()
	sent, missed, err := folder.Tell(ctx, daily, now)
	switch {
	case errors.Is(err, quarantine.ErrDayTaken):
		s.log.Debug("digest sent by another process")
	case err != nil:
		s.log.Warn("digest not sent", "sent", sent, "missed", missed, "error", err)
	case sent > 0:
		s.log.Info("digest sent", "sent", sent)
	}
}
