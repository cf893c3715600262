package adminpage

import (
	"slices"
	"sync"
	"time"
)

// Bounds of the bytes of the messages that are kept before and after an edit.
const (
	maxEdited    = 1 << 20  // of one message, both forms together
	maxAllEdited = 16 << 20 // of all
)

// edited is a message before and after its edit.
type edited struct {
	ID            string
	Time          time.Time
	QueueID       string
	MessageID     string
	Rule          string
	Before, After []byte
}

func (e *edited) size() int { return len(e.Before) + len(e.After) }

// editions keep the newest edited messages in memory. Several goroutines may use them.
type editions struct {
	mu   sync.Mutex
	most int
	list []edited // the oldest first
	size int      // bytes of all
}

// add keeps copies of a message in place of the oldest ones, unless it is too large.
func (k *editions) add(e edited) {
	if e.size() > maxEdited {
		return
	}
	e.Before, e.After = slices.Clone(e.Before), slices.Clone(e.After)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, e)
	k.size += e.size()
	for len(k.list) > k.most || k.size > maxAllEdited {
		k.size -= k.list[0].size()
		k.list = slices.Delete(k.list, 0, 1)
	}
}

// newest returns all, the newest first.
func (k *editions) newest() []edited {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := slices.Clone(k.list)
	slices.Reverse(list)
	return list
}

// find returns the newest one that matches.
func (k *editions) find(matches func(*edited) bool) (edited, bool) {
	for _, e := range k.newest() {
		if matches(&e) {
			return e, true
		}
	}
	return edited{}, false
}
