package adminpage

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/printable"
)

const (
	// nodeTime is how long a node may take to answer, and maxMetrics how much it may say, in bytes.
	nodeTime   = 3 * time.Second
	maxMetrics = 4 << 20
)

type nodesPage struct {
	frame
	Nodes    []node
	Versions int // that differ
}

// A node is what the metrics of a node say.
type node struct {
	Name, Version string
	Source        string // the URL; "": this node
	Problem       string // why its metrics are not known
	Since         time.Time
	Messages      string
	PerHour       string
	Shares        []share
	Troubles      []string
}

// A share is a part of the messages.
type share struct{ What, Text string }

func (p *Page) serveNodes(w http.ResponseWriter, r *http.Request) {
	if len(p.options.Nodes) == 0 {
		http.NotFound(w, r)
		return
	}
	data := nodesPage{frame: p.refreshing(w, r, "Nodes", true), Nodes: make([]node, 1+len(p.options.Nodes))}
	ctx, cancel := context.WithTimeout(r.Context(), nodeTime)
	defer cancel()
	var asked sync.WaitGroup
	for i := range data.Nodes {
		asked.Go(func() {
			source := ""
			if i > 0 {
				source = p.options.Nodes[i-1]
			}
			data.Nodes[i] = p.nodeAt(ctx, source)
		})
	}
	asked.Wait()
	var versions []string
	for _, n := range data.Nodes {
		if n.Version != "" && !slices.Contains(versions, n.Version) {
			versions = append(versions, n.Version)
		}
	}
	data.Versions = len(versions)
	p.render(w, "nodes.html", data)
}

// nodeAt reads the metrics at a URL, "" for those of this node.
func (p *Page) nodeAt(ctx context.Context, source string) node {
	var text []byte
	var err error
	if source == "" {
		own := recorder{header: make(http.Header)}
		p.options.Metrics.ServeHTTP(&own, (&http.Request{Method: http.MethodGet, Header: make(http.Header)}).WithContext(ctx))
		text = own.Bytes()
	} else {
		text, err = fetchMetrics(ctx, source)
	}
	n := newNode(readMetrics(text), p.now())
	n.Source = source
	if err == nil && n.Version == "" {
		err = errors.New("no metrics of linkmilter (want the URL of /metrics)")
	}
	if err != nil {
		n = node{Source: source, Problem: history.Bounded(err.Error())}
	}
	return n
}

// fetchMetrics asks a node. It follows no redirects and uses no proxy: the configuration names the
// node itself.
func fetchMetrics(ctx context.Context, source string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d (want 200)", response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxMetrics+1))
	if len(text) > maxMetrics {
		err = fmt.Errorf("more than %d bytes", maxMetrics)
	}
	return text, err
}

// A recorder keeps an answer of this process.
type recorder struct {
	header http.Header
	bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }
func (r *recorder) WriteHeader(int)     {}

// A sample is a line of metrics.
type sample struct {
	labels map[string]string
	value  float64
}

// samples are those of metrics, by their names.
type samples map[string][]sample

// readMetrics reads the text format of Prometheus. Lines that it cannot read are left out.
func readMetrics(text []byte) samples {
	all := make(samples)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxMetrics)
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		s := sample{labels: map[string]string{}}
		if before, _, found := strings.Cut(lines.Text(), "{"); found && len(before) < len(name) {
			name = before
			var ok bool
			if s.labels, rest, ok = readLabels(lines.Text()[len(before)+1:]); !ok {
				continue
			}
		}
		var err error
		if s.value, err = strconv.ParseFloat(strings.TrimSpace(rest), 64); err == nil && !strings.HasPrefix(name, "#") {
			all[name] = append(all[name], s)
		}
	}
	return all
}

// readLabels reads labels up to their brace, and returns what follows.
func readLabels(text string) (labels map[string]string, rest string, ok bool) {
	labels = make(map[string]string)
	for {
		if after, found := strings.CutPrefix(text, "}"); found {
			return labels, after, true
		}
		key, value, found := strings.Cut(strings.TrimPrefix(text, ","), "=")
		if !found {
			return nil, "", false
		}
		// The escapes are those of Go, and fewer.
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return nil, "", false
		}
		if labels[key], err = strconv.Unquote(quoted); err != nil {
			return nil, "", false
		}
		text = value[len(quoted):]
	}
}

// sum adds the samples of a metric that have a label with a value; without a label, all.
func (s samples) sum(name string, label ...string) (sum float64) {
	for _, sample := range s["linkmilter_"+name] {
		if len(label) < 2 || sample.labels[label[0]] == label[1] {
			sum += sample.value
		}
	}
	return sum
}

// newNode returns what metrics say of a node.
func newNode(s samples, now time.Time) (n node) {
	for _, info := range s["linkmilter_build_info"] {
		n.Name, n.Version = history.Bounded(info.labels["node"]), history.Bounded(info.labels["version"])
	}
	messages := s.sum("messages_total")
	n.Messages = printable.Number(int(messages))
	if start := s["process_start_time_seconds"]; len(start) > 0 {
		n.Since = time.Unix(int64(start[0].value), 0)
		if hours := now.Sub(n.Since).Hours(); hours > 0 {
			n.PerHour = printable.Number(int(math.Round(messages / max(hours, 1))))
		}
	}
	add := func(what string, part float64) {
		text := "–"
		if messages > 0 {
			text = fmt.Sprintf("%.1f %%", 100*part/messages)
		}
		n.Shares = append(n.Shares, share{what, text})
	}
	add("Tagged", s.sum("message_actions_total", "action", "tag"))
	add("Quarantine", s.sum("message_actions_total", "action", "quarantine"))
	add("Refused", s.sum("message_actions_total", "action", "reject"))
	add("Edited", s.sum("messages_edited_total"))
	add("Not read", s.sum("messages_total", "outcome", "unread"))
	for _, t := range []struct {
		is   bool
		text string
	}{
		{len(s["linkmilter_config_last_reload_successful"]) > 0 && s.sum("config_last_reload_successful") == 0, "the configuration on disk is not in use"},
		{s.sum("list_stale") > 0, "a list is stale"},
		{s.sum("history_lost_total") > 0, "the history lacks messages"},
		{s.sum("message_actions_not_done_total", "reason", "quarantine-failed") > 0, "messages could not be put into quarantine"},
		{s.sum("messages_not_read_total", "reason", "panic") > 0, "a defect: see the log"},
	} {
		if t.is {
			n.Troubles = append(n.Troubles, t.text)
		}
	}
	return n
}
