//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/env"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// httpAddress is the address of the HTTP API in the documents.
const httpAddress = "127.0.0.1:8897"

// serveHTTP starts linkmilter with the HTTP API and returns its address.
func serveHTTP(t *testing.T) (address string, p *Process) {
	t.Helper()
	config := writeConfig(t, "[milter]\nlisten = []\n[header]\nid = \"mx.example.com\"\n")
	p = startProcess(t, "linkmilter serve --http", exec.Command(Binary(t), "serve", "--config", config, "--http", "127.0.0.1:0"))
	log := p.WaitLog(t, "for=http address=tcp:")
	_, rest, _ := strings.Cut(log, "for=http address=tcp:")
	return strings.Fields(rest)[0], p
}

// httpCommands returns the commands of docs/http.md that ask the HTTP API, for an address.
func httpCommands(t *testing.T, address string) []string {
	t.Helper()
	var commands []string
	for _, block := range docs.Read(t, "docs/http.md").Blocks("sh") {
		for line := range strings.Lines(block.Text) {
			if strings.HasPrefix(line, "curl ") {
				commands = append(commands, strings.ReplaceAll(line, httpAddress, address))
			}
		}
	}
	return commands
}

// TestCurlRecipes: the commands of docs/http.md answer as the page says; SpamAssassin sees
// the tags of the edited message.
func TestCurlRecipes(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"curl", "jq", "base64", "spamassassin"} {
		env.Command(t, program)
	}
	address, p := serveHTTP(t)
	folder := tempDir(t)
	writeFile(t, filepath.Join(folder, "message.eml"), string(compose(textPlain, spoofedText)), 0o644)
	want := []string{`"worst":"high"`, "X-Linkmilter: mx.example.com; action=tag; worst=high;", `"worst":"high"`, `"explanations":[{"input":"xn--pypal-4ve.com"`}
	commands := httpCommands(t, address)
	if len(commands) != len(want) {
		t.Fatalf("%d commands, want %d", len(commands), len(want))
	}
	for i, command := range commands {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "HOME="+folder)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want[i]) {
			t.Errorf("%s: %v, %q is not in\n%s", command, err, want[i], out)
		}
	}
	if log := p.WaitLog(t, "worst=high"); !strings.Contains(log, "client=192.0.2.1") || !strings.Contains(log, "sender=example.net") {
		t.Errorf("the envelope is not in the log\n%s", log)
	}
}

// rspamdSettings make Rspamd answer at an address (2) with its state in a folder (1) and
// without the network. Its configuration is in another folder (3), the
// public suffixes in a file (4).
const rspamdSettings = `options {
  pidfile = "%[1]s/pid"; filters = "regexp"; cache_file = "%[1]s/cache"; history_file = "%[1]s/history";
  dynamic_conf = "%[1]s/dynamic"; control_socket = "%[1]s/control mode=0600"; url_tld = "%[4]s";
  dns { nameserver = ["127.0.0.1:1"]; timeout = 0.1s; retransmits = 1; }
}
logging { type = "console"; level = "info"; }
.include "%[3]s/common.conf"
worker "normal" { bind_socket = "%[2]s"; count = 1; }
`

// rspamdWithoutNetwork are the modules that need the network or a database.
var rspamdWithoutNetwork = strings.Fields("antivirus arc asn dkim dmarc fuzzy_check greylist mx_check phishing ratelimit rbl replies spf surbl")

// startRspamd starts Rspamd with the script and returns the URL of its scans.
func startRspamd(t *testing.T, script string) string {
	t.Helper()
	r := newRspamd(t)
	writeFile(t, filepath.Join(r.local, "rspamd.local.lua"), script, 0o644)
	for _, module := range rspamdWithoutNetwork {
		if err := os.MkdirAll(filepath.Join(r.local, "override.d"), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(r.local, "override.d", module+".conf"), "enabled = false;\n", 0o644)
	}
	address := "127.0.0.1:" + strconv.Itoa(FreePort(t))
	config := filepath.Join(r.state, "rspamd.conf")
	writeFile(t, config, fmt.Sprintf(rspamdSettings, r.state, address, r.etc, r.suffixes), 0o644)
	cmd := r.command("rspamd", "-f", "-i", "-c", config)
	p := startProcess(t, "rspamd", cmd)
	deadline := time.Now().Add(time.Minute)
	for {
		response, err := http.Get("http://" + address + "/ping")
		if err == nil {
			_ = response.Body.Close()
			return "http://" + address + "/checkv2"
		}
		if time.Now().After(deadline) || p.ended() {
			t.Fatalf("rspamd does not answer: %v", err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// rspamdSymbols returns the symbols of linkmilter that Rspamd at url gives a message, with
// their scores, and all that it answers.
func rspamdSymbols(t *testing.T, url string, message []byte) (map[string]float64, []byte) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	for field, value := range map[string]string{"IP": "192.0.2.7", "From": "a+b@example.net", "Rcpt": "anna@example.com", "User": "anna"} {
		request.Header.Set(field, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Symbols map[string]struct {
			Score   float64
			Options []string
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	scores := make(map[string]float64)
	for name, symbol := range answer.Symbols {
		if !strings.HasPrefix(name, "LINKMILTER_") {
			continue
		}
		scores[name] = symbol.Score
		if len(symbol.Options) == 0 {
			t.Errorf("%s does not say why", name)
		}
	}
	return scores, body
}

// TestRspamdHTTPRecipe: with the script of docs/http.md, Rspamd adds the symbol of the worst
// finding and its score, gives the envelope to linkmilter, adds none to a clean message, and
// says when linkmilter does not answer.
func TestRspamdHTTPRecipe(t *testing.T) {
	t.Parallel()
	address, p := serveHTTP(t)
	url := startRspamd(t, strings.ReplaceAll(docs.Read(t, "docs/http.md").Blocks("lua")[0].Text, httpAddress, address))
	spoofed := compose(textPlain, spoofedText)
	expect := func(name string, message []byte, want map[string]float64) {
		t.Helper()
		if got, body := rspamdSymbols(t, url, message); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v\n%s", name, got, want, body)
		}
	}
	expect("spoofed", spoofed, map[string]float64{"LINKMILTER_HIGH": 6})
	expect("clean", []byte("From: anna@example.com\r\nTo: bob@example.net\r\nSubject: Hello\r\n\r\nHello\r\n"), map[string]float64{})
	if log := p.WaitLog(t, "worst=high"); !strings.Contains(log, "client=192.0.2.7 sender=example.net recipients=[example.com]") || !strings.Contains(log, "rule=authenticated") {
		t.Errorf("the envelope is not in the log\n%s", log)
	}
	p.Kill(t)
	expect("without an answer", spoofed, map[string]float64{"LINKMILTER_FAIL": 0})
}
