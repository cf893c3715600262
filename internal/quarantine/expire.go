package quarantine

import (
	"errors"
	"time"
)

// Retention says how long a quarantine keeps messages. Zero fields set no limit.
type Retention struct {
	Age  time.Duration
	Size int64 // bytes of all messages
}

// Expire deletes messages that are too old, and then the oldest ones until the rest is small
// enough. It returns the deleted messages, even with an error.
func (f *Folder) Expire(keep Retention, now time.Time) (deleted []Message, err error) {
	list, err := f.List()
	if err != nil {
		return nil, err
	}
	var size int64
	for _, m := range list {
		size += m.Size
	}
	var problems []error
	for _, m := range list { // the oldest first
		old := keep.Age > 0 && now.Sub(m.Time) > keep.Age
		large := keep.Size > 0 && size > keep.Size
		if !old && !large {
			break
		}
		if err := f.Delete(m.Name); err != nil {
			problems = append(problems, err)
			continue
		}
		size -= m.Size
		deleted = append(deleted, m)
	}
	return deleted, errors.Join(problems...)
}
