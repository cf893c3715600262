package httpapi

import (
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/envelope"
)

// A query has the parameters of a request to check a message.
type query struct {
	envelope.Envelope
	edit bool // the edited message is asked for
}

// readQuery reads the parameters. Without parameters a message counts as one from a stranger.
func readQuery(raw string) (query, error) {
	q := query{Envelope: envelope.Envelope{Sender: envelope.AnySender}}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return q, problemf(http.StatusBadRequest, "query: %s", err)
	}
	for name, given := range values {
		if name == "to" {
			for _, to := range given {
				q.Recipients = append(q.Recipients, address(to))
			}
			continue
		}
		if len(given) > 1 {
			return q, problemf(http.StatusBadRequest, "parameter %s: given twice (want it once)", name)
		}
		if err := q.set(name, given[0]); err != nil {
			return q, err
		}
	}
	return q, nil
}

// set sets a parameter that may be given once.
func (q *query) set(name, value string) (err error) {
	switch name {
	case "from":
		q.Sender = address(value)
	case "client":
		if q.Client, err = netip.ParseAddr(value); err != nil {
			return problemf(http.StatusBadRequest, "parameter client %q: not an IP address (want one such as 192.0.2.1)", value)
		}
	case "auth":
		q.Authenticated, err = truth(name, value)
	case "edit":
		q.edit, err = truth(name, value)
	case "helo":
		q.Helo = value
	case "host":
		q.Host = value
	case "daemon":
		q.Daemon = value
	case "queue_id":
		q.QueueID = value
	default:
		return problemf(http.StatusBadRequest, "parameter %q: unknown (want from, to, client, auth, helo, host, daemon, queue_id or edit)", name)
	}
	return err
}

// address returns an address without angle brackets.
func address(text string) string { return strings.Trim(text, "<>") }

func truth(name, value string) (bool, error) {
	yes, err := strconv.ParseBool(value)
	if err != nil || value != strconv.FormatBool(yes) {
		return false, problemf(http.StatusBadRequest, "parameter %s %q: not valid (want true or false)", name, value)
	}
	return yes, nil
}
