package metrics

import (
	"log/slog"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// warnings counts the lines of the log that ask for attention.
type warnings struct {
	messages *bounded
	total    *prometheus.CounterVec // level, msg
}

func newWarnings() *warnings {
	w := &warnings{newBounded(maxCodes), prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace, Name: "log_warnings_total", Help: "Lines of the log of the level warn or error, by msg; also those that log.level leaves out.",
	}, []string{"level", "msg"})}
	// A defect is there from the beginning, so that an increase can be seen.
	w.total.WithLabelValues("error", w.messages.label("panic"))
	return w
}

// count counts a line. Messages are constants of the program.
func (w *warnings) count(level slog.Level, message string) {
	w.total.WithLabelValues(strings.ToLower(level.String()), w.messages.label(message)).Inc()
}
