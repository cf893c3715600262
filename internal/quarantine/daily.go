package quarantine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
)

// A Daily says who is told once a day what came into quarantine, and by which server.
type Daily struct {
	To    []string // addresses that are told of all messages
	Users []string // patterns of recipients, each of whom is told of their own
	From  string   // address for replies
	Host  string   // name of this host
	Hop   contentfilter.NextHop
}

// How far a digest looks back.
const (
	firstDigest = 24 * time.Hour     // the first one, which follows no other
	longestGap  = 7 * 24 * time.Hour // one that follows digests that could not be sent
)

// told is what the file of a day says, for the digests of the next day.
type told struct {
	Until  time.Time            // the digests have what came before
	Missed map[string]time.Time `json:",omitempty"` // by the address of a reader who got no digest: since when
}

// dayFile begins the name of the file by which a process takes the digests of a day.
const dayFile = "digest."

// ErrDayTaken says that the digests of a day were sent, or that another process sends them.
var ErrDayTaken = errors.New("digests of this day: taken")

// Tell sends the digests of the day of now, and returns how many were sent and how many not. The
// error says why, without addresses. Processes that share a Maildir, and those that start again, send
// the digests of a day once: the first one makes a file in it. The next day tells the readers who got
// none of both days.
func (f *Folder) Tell(ctx context.Context, d Daily, now time.Time) (sent, missed int, err error) {
	name := dayFile + now.Format(time.DateOnly)
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return 0, 0, ErrDayTaken
	}
	if err != nil {
		return 0, 0, fmt.Errorf("path %q: %w", filepath.Join(f.path, name), err)
	}
	defer file.Close()
	before, err := f.lastTold(name, now)
	if err != nil {
		return 0, 0, err
	}
	digests, err := f.since(before, d, now)
	if err != nil {
		return 0, 0, errors.Join(err, json.NewEncoder(file).Encode(before)) // tomorrow has all of it
	}
	after := told{Until: now, Missed: map[string]time.Time{}}
	done, err := Send(ctx, d.Hop, d.Host, digests)
	for i, digest := range digests {
		if i < len(done) && done[i] {
			sent++
			continue
		}
		missed++
		after.Missed[digest.To] = digest.Since
	}
	return sent, missed, errors.Join(err, json.NewEncoder(file).Encode(after), f.forgetDays(name))
}

// since returns the digests of what came since the last ones.
func (f *Folder) since(before told, d Daily, now time.Time) ([]Digest, error) {
	earliest := before.Until
	for _, at := range before.Missed {
		if at.Before(earliest) {
			earliest = at
		}
	}
	all, err := f.Digests(d.To, d.Users, Digest{From: d.From, Host: d.Host, Since: earliest, Now: now})
	if err != nil {
		return nil, err
	}
	var due []Digest
	for _, digest := range all {
		digest.Since = before.Until
		if at, isMissed := before.Missed[digest.To]; isMissed {
			digest.Since = at
		}
		digest.Messages = slices.DeleteFunc(slices.Clone(digest.Messages), func(m Message) bool {
			return m.Time.Before(digest.Since) || !m.Time.Before(now)
		})
		if len(digest.Messages) > 0 {
			due = append(due, digest)
		}
	}
	return due, nil
}

// lastTold returns what the file of the last day says, and of the day before without one: a file
// without content is that of a process that was killed.
func (f *Folder) lastTold(today string, now time.Time) (told, error) {
	days, err := f.days()
	if err != nil {
		return told{}, err
	}
	last := told{Until: now.Add(-firstDigest)}
	for _, day := range days { // the oldest first
		content, err := f.read(day)
		var t told
		if day != today && err == nil && json.Unmarshal(content, &t) == nil && !t.Until.After(now) {
			last = t
		}
	}
	oldest := now.Add(-longestGap)
	if last.Until.Before(oldest) {
		last.Until = oldest
	}
	for address, at := range last.Missed {
		if at.Before(oldest) {
			last.Missed[address] = oldest
		}
	}
	return last, nil
}

// days returns the names of the files of days, in order.
func (f *Folder) days() (names []string, err error) {
	top, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer top.Close()
	entries, err := top.ReadDir(-1)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), dayFile) {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// forgetDays deletes the files of the days before one.
func (f *Folder) forgetDays(today string) error {
	days, err := f.days()
	for _, day := range days {
		if day < today {
			err = errors.Join(err, f.root.Remove(day))
		}
	}
	return err
}
