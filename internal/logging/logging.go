package logging

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
)

// A Format says how a line of the log is written.
type Format string

// The formats.
const (
	Auto    Format = "auto"    // Journal where the output goes to the journal, else Text
	Text    Format = "text"    // time=… level=… msg=… key=value…
	JSON    Format = "json"    // an object on each line
	Journal Format = "journal" // <6>msg=… key=value…: the journal adds the time itself
)

// New returns a logger that writes lines of at least level to w.
func New(w io.Writer, format Format, level slog.Leveler) (*slog.Logger, error) {
	options := &slog.HandlerOptions{Level: level}
	if format == Auto {
		format = Text
		if toJournal(w, os.Getenv("JOURNAL_STREAM")) {
			format = Journal
		}
	}
	switch format {
	case Text:
		return slog.New(slog.NewTextHandler(w, options)), nil
	case JSON:
		return slog.New(slog.NewJSONHandler(w, options)), nil
	case Journal:
		return slog.New(newJournal(w, level, journalSender())), nil
	}
	return nil, fmt.Errorf("log format %q: unknown (want auto, text, json or journal)", format)
}

// toJournal reports whether w is the stream that systemd announces in
// $JOURNAL_STREAM as its device and inode, "8:1234" (systemd.exec(5)). The
// variable alone proves nothing: child processes of a service inherit it.
func toJournal(w io.Writer, stream string) bool {
	file, ok := w.(*os.File)
	if !ok || stream == "" {
		return false
	}
	info, err := file.Stat()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && fmt.Sprintf("%d:%d", stat.Dev, stat.Ino) == stream
}
