package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/linkmilter/linkmilter/internal/eventlog"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// An indicator is a host of flagged links, for other programs.
type indicator struct {
	host        string // A-labels, or an IP address
	first, last time.Time
	messages    int
	codes       []string // codes of findings about the messages
}

// newIndicators returns the hosts of flagged links, sorted. Logs can have anything, so it leaves
// out texts that are not hosts, and well-known hosts that only pass on to others.
func newIndicators(events []*eventlog.Event) []indicator {
	byHost := make(map[string]*indicator)
	for _, e := range events {
		for _, host := range e.Hosts {
			host = hostname.Canonical(host)
			if !hostname.IsHost(host) || !strings.Contains(host, ".") || policy.IsWellKnown(host) {
				continue
			}
			i := byHost[host]
			if i == nil {
				i = &indicator{host: host, first: e.Time, last: e.Time}
				byHost[host] = i
			}
			i.messages++
			if e.Time.Before(i.first) {
				i.first = e.Time
			}
			if e.Time.After(i.last) {
				i.last = e.Time
			}
			for _, code := range e.Findings {
				if !slices.Contains(i.codes, code) {
					i.codes = append(i.codes, code)
				}
			}
		}
	}
	var all []indicator
	for _, host := range slices.Sorted(maps.Keys(byHost)) {
		all = append(all, *byHost[host])
	}
	return all
}

// why says in a few ASCII words why a host is listed.
func (i *indicator) why() string {
	var codes []string
	for _, code := range i.codes {
		if strings.Trim(code, "abcdefghijklmnopqrstuvwxyz-") == "" {
			codes = append(codes, code)
		}
	}
	return counted(i.messages, "message") + ", " + strings.Join(codes, " ")
}

// indicatorFormats has, for each format, the function that writes indicators.
var indicatorFormats = map[string]func(w io.Writer, all []indicator, now time.Time) error{
	"hosts":        writeHosts,
	"rspamd":       writeRspamd,
	"spamassassin": writeSpamAssassin,
	"postfix":      writePostfix,
	"rpz":          writeRPZ,
	"misp":         writeMISP,
	"stix":         writeSTIX,
	"sigma":        writeSigma,
}

// writeEach writes a head, and a line for each indicator.
func writeEach(w io.Writer, head string, all []indicator, line func(i *indicator) string) error {
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for i := range all {
		if _, err := io.WriteString(w, line(&all[i])); err != nil {
			return err
		}
	}
	return nil
}

const madeBy = "# hosts of links that linkmilter flagged\n"

func writeHosts(w io.Writer, all []indicator, _ time.Time) error {
	return writeEach(w, madeBy, all, func(i *indicator) string {
		if hostname.IsIP(i.host) {
			return "" // not a name
		}
		return "0.0.0.0 " + i.host + " # " + i.why() + "\n"
	})
}

func writeRspamd(w io.Writer, all []indicator, _ time.Time) error {
	return writeEach(w, madeBy, all, func(i *indicator) string { return i.host + " # " + i.why() + "\n" })
}

func writeSpamAssassin(w io.Writer, all []indicator, _ time.Time) error {
	err := writeEach(w, madeBy+"ifplugin Mail::SpamAssassin::Plugin::WLBLEval\n", all, func(i *indicator) string { return "enlist_uri_host (LINKMILTER) " + i.host + "\n" })
	if err == nil {
		_, err = io.WriteString(w, "header LINKMILTER_HOST eval:check_uri_host_listed('LINKMILTER')\n"+
			"describe LINKMILTER_HOST Links to a host that linkmilter flagged\nscore LINKMILTER_HOST 3.0\nendif\n")
	}
	return err
}

func writePostfix(w io.Writer, all []indicator, _ time.Time) error {
	return writeEach(w, madeBy, all, func(i *indicator) string { return i.host + " REJECT flagged host (" + i.why() + ")\n" })
}

func writeRPZ(w io.Writer, all []indicator, now time.Time) error {
	head := fmt.Sprintf("$TTL 300\n@ IN SOA localhost. root.localhost. ( %d 3600 600 86400 300 )\n@ IN NS localhost.\n", now.Unix())
	return writeEach(w, head, all, func(i *indicator) string {
		if hostname.IsIP(i.host) {
			labels := strings.Split(i.host, ".")
			slices.Reverse(labels)
			return "32." + strings.Join(labels, ".") + ".rpz-ip CNAME .\n"
		}
		return i.host + " CNAME .\n*." + i.host + " CNAME .\n"
	})
}

// idOf returns an identifier that stays the same for the same parts in all reports.
func idOf(parts ...string) string {
	space := uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://github.com/linkmilter/linkmilter"))
	return uuid.NewSHA1(space, []byte(strings.Join(parts, "\x00"))).String()
}

const whatTheyAre = "Hosts of links that linkmilter flagged"

func writeMISP(w io.Writer, all []indicator, now time.Time) error {
	type attribute struct {
		UUID      string `json:"uuid"`
		Type      string `json:"type"`
		Category  string `json:"category"`
		Value     string `json:"value"`
		ToIDS     bool   `json:"to_ids"`
		Comment   string `json:"comment"`
		FirstSeen string `json:"first_seen"`
		LastSeen  string `json:"last_seen"`
		Timestamp string `json:"timestamp"`
	}
	event := struct {
		UUID          string      `json:"uuid"`
		Info          string      `json:"info"`
		Date          string      `json:"date"`
		Timestamp     string      `json:"timestamp"`
		ThreatLevelID string      `json:"threat_level_id"`
		Analysis      string      `json:"analysis"`
		Distribution  string      `json:"distribution"`
		Published     bool        `json:"published"`
		Attribute     []attribute `json:"Attribute"`
	}{
		idOf("misp", now.UTC().Format(time.RFC3339)), whatTheyAre, now.UTC().Format(time.DateOnly), fmt.Sprint(now.Unix()), "3", "0", "0", false, []attribute{},
	}
	for i := range all {
		kind := "hostname"
		if hostname.IsIP(all[i].host) {
			kind = "ip-dst"
		}
		event.Attribute = append(event.Attribute, attribute{
			idOf("misp", all[i].host), kind, "Network activity", all[i].host, true, all[i].why(),
			all[i].first.UTC().Format(time.RFC3339), all[i].last.UTC().Format(time.RFC3339), fmt.Sprint(all[i].last.Unix()),
		})
	}
	return writeIndented(w, map[string]any{"Event": event})
}

func writeSTIX(w io.Writer, all []indicator, now time.Time) error {
	const stixTime = "2006-01-02T15:04:05.000Z"
	identity := map[string]any{
		"type": "identity", "spec_version": "2.1", "id": "identity--" + idOf("stix", "identity"), "created": "2026-01-01T00:00:00.000Z", "modified": "2026-01-01T00:00:00.000Z",
		"name": "linkmilter", "identity_class": "system",
	}
	objects := []any{identity}
	for i := range all {
		what := "domain-name"
		if hostname.IsIP(all[i].host) {
			what = "ipv4-addr"
		}
		objects = append(objects, map[string]any{
			"type": "indicator", "spec_version": "2.1", "id": "indicator--" + idOf("stix", all[i].host), "created_by_ref": identity["id"],
			"created": all[i].first.UTC().Format(stixTime), "modified": all[i].last.UTC().Format(stixTime), "valid_from": all[i].first.UTC().Format(stixTime),
			"name": all[i].host, "description": all[i].why(), "indicator_types": []string{"malicious-activity"},
			"pattern_type": "stix", "pattern": fmt.Sprintf("[%s:value = '%s']", what, all[i].host),
		})
	}
	return writeIndented(w, map[string]any{"type": "bundle", "id": "bundle--" + idOf("stix", now.UTC().Format(time.RFC3339Nano)), "objects": objects})
}

func writeSigma(w io.Writer, all []indicator, now time.Time) error {
	hosts := []string{}
	for i := range all {
		hosts = append(hosts, all[i].host)
	}
	return writeIndented(w, map[string]any{
		"title": whatTheyAre, "id": idOf("sigma"), "status": "experimental", "description": "Requests to hosts of links in mail that linkmilter flagged.", "author": "linkmilter",
		"date": now.UTC().Format(time.DateOnly), "logsource": map[string]string{"category": "proxy"}, "level": "medium",
		"detection": map[string]any{"selection": map[string]any{"cs-host": hosts}, "condition": "selection"},
	})
}

func writeIndented(w io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
