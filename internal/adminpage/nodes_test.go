package adminpage

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// metricsOf returns the metrics of a node that has run for two hours.
func metricsOf(name, version string, messages int, more ...string) string {
	return fmt.Sprintf("# HELP x y\nlinkmilter_build_info{goversion=\"go1\",node=%q,version=%q} 1\n"+
		"linkmilter_messages_total{outcome=\"complete\",rule=\"a } b\"} %d\nlinkmilter_messages_total{outcome=\"unread\",rule=\"x\"} %d\n"+
		"linkmilter_message_actions_total{action=\"tag\"} %d\nlinkmilter_config_last_reload_successful 1\nlinkmilter_list_age_seconds{list=\"x\"} NaN\n"+
		"linkmilter_list_stale{list=\"x\"} 0\nprocess_start_time_seconds %d\n%s\n",
		name, version, messages, messages, messages, time.Now().Add(-2*time.Hour).Unix(), strings.Join(more, "\n"))
}

// Nodes are side by side, by their metrics. One that does not answer, or answers with something else, is
// told of, and keeps the others from nothing.
func TestNodes(t *testing.T) {
	p, _ := newTestPage(t, 1)
	p.options.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, metricsOf("mx1", "1.0", 1500))
	})
	if w := get(p, "/nodes"); w.Code != http.StatusNotFound || strings.Contains(get(p, "/").Body.String(), "/nodes") {
		t.Error(w.Code)
	}
	serve := func(answer http.HandlerFunc) string {
		s := httptest.NewServer(answer)
		t.Cleanup(s.Close)
		return s.URL + "/metrics"
	}
	say := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	secret := serve(say(metricsOf("secret", "1.0", 1)))
	p.options.Nodes = []string{
		serve(say(metricsOf("mx2", "1.1", 0, `linkmilter_list_stale{list="y"} 1`, "linkmilter_history_lost_total 3", `linkmilter_broken{a="b} 1`))),
		serve(say(strings.Replace(metricsOf("mx3", "1.0", 7), "successful 1", "successful 0", 1))),
		gone.URL, serve(say("<html>")), serve(http.NotFound),
		serve(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, secret, http.StatusFound) }),
		serve(say(metricsOf("mx9", "1.0", 1) + strings.Repeat("x 1\n", maxMetrics/4))),
	}
	has(t, p, "/nodes", "<bdi>mx1</bdi>|class=\"number\">3,000</td><td data-label=\"An hour\" class=\"number\">1,500</td>|50.0 %|<bdi>mx2</bdi>|a list is stale|the history lacks messages|<bdi>mx3</bdi>|"+
		"the configuration on disk is not in use|connection refused|no metrics of linkmilter|status 404 (want 200)|status 302 (want 200)|more than 4194304 bytes|run 2 different versions|–")
	if body := get(p, "/nodes").Body.String(); strings.Contains(body, "secret") || strings.Contains(body, "mx9") || strings.Count(body, "<tr><td data-label=\"Node\"") != 8 {
		t.Error(body)
	}
	has(t, p, "/", `<a href="/nodes">Nodes</a>`)
}
