package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// scores are the rules that fire for a message, with their scores.
type scores map[string]float64

func (s scores) sum() float64 {
	total := 0.0
	for _, score := range s {
		total += score
	}
	return total
}

// A host has the programs.
type host struct {
	command  func(ctx context.Context, program string, args ...string) *exec.Cmd
	suffixes string // file with public suffixes, which Rspamd needs
}

// installed has the programs that are installed here.
var installed = host{exec.CommandContext, "/usr/share/rspamd/effective_tld_names.dat"}

// spamassassin returns the scores of messages by SpamAssassin's local rules, in order.
func spamassassin(ctx context.Context, on host, raws [][]byte) ([]scores, error) {
	home, err := os.MkdirTemp("", "delivery")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	const separator = "From a@b Sun Nov 22 10:00:00 2026\n"
	var box bytes.Buffer
	for i, raw := range raws {
		// SpamAssassin sorts a mailbox by date, so numbers match results to messages.
		fmt.Fprintf(&box, "%sX-Number: %d\n%s\n", separator, i, bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")))
	}
	path := filepath.Join(home, "box")
	if err := os.WriteFile(path, box.Bytes(), 0o600); err != nil {
		return nil, err
	}
	cmd := on.command(ctx, "spamassassin", "-L", "--mbox", "--cf=add_header all Status tests=_TESTSSCORES(,)_", path)
	cmd.Env = append(os.Environ(), "HOME="+home)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("spamassassin: %w", err)
	}
	all := make([]scores, len(raws))
	for _, marked := range strings.Split(string(out), separator)[1:] {
		m, err := mail.ReadMessage(strings.NewReader(marked))
		if err != nil {
			return nil, fmt.Errorf("spamassassin: %w", err)
		}
		n, err := strconv.Atoi(m.Header.Get("X-Number"))
		if err != nil || n >= len(all) {
			return nil, fmt.Errorf("spamassassin: number %q of a message", m.Header.Get("X-Number"))
		}
		_, tests, _ := strings.Cut(strings.Join(strings.Fields(m.Header.Get("X-Spam-Status")), ""), "tests=")
		all[n] = make(scores)
		for test := range strings.SplitSeq(tests, ",") {
			name, value, _ := strings.Cut(test, "=")
			if score, err := strconv.ParseFloat(value, 64); err == nil {
				all[n][name] = score
			}
		}
	}
	for i, s := range all {
		if s == nil {
			return nil, fmt.Errorf("spamassassin: no answer for message %d", i)
		}
	}
	return all, nil
}

// rspamd is Rspamd with its modules for the network off.
type rspamd struct {
	url    string
	folder string
	cmd    *exec.Cmd
}

// rspamdOff are the modules that ask the network or learn.
var rspamdOff = []string{
	"antivirus", "arc", "asn", "bayes", "dkim", "dmarc", "fuzzy_check", "greylist", "mx_check", "ratelimit", "rbl", "replies", "spf", "surbl",
}

const rspamdConfig = `options {
  pidfile = "%[1]s/pid"; filters = "chartable,regexp"; url_tld = "%[3]s"; cache_file = "%[1]s/cache";
  history_rows = 10; history_file = "%[1]s/history"; dynamic_conf = "%[1]s/dynamic"; control_socket = "%[1]s/control mode=0600";
  dns { nameserver = ["127.0.0.1:1"]; timeout = 0.1s; retransmits = 1; }
}
logging { type = "file"; filename = "%[1]s/log"; level = "error"; }
.include "/etc/rspamd/common.conf"
worker "normal" { bind_socket = "%[2]s"; count = 1; }
`

// startRspamd starts Rspamd on a free port. The caller stops it.
func startRspamd(ctx context.Context, on host) (*rspamd, error) {
	folder, err := os.MkdirTemp("", "rspamd")
	if err != nil {
		return nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := free.Addr().String()
	_ = free.Close()
	files := map[string]string{"rspamd.conf": fmt.Sprintf(rspamdConfig, folder, addr, on.suffixes)}
	for _, module := range rspamdOff {
		files["local/override.d/"+module+".conf"] = "enabled = false;\n"
	}
	for name, content := range files {
		path := filepath.Join(folder, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600))
	}
	if err != nil {
		return nil, err
	}
	r := &rspamd{url: "http://" + addr, folder: folder}
	r.cmd = on.command(context.WithoutCancel(ctx), "rspamd", "-f", "-i", "-c", folder+"/rspamd.conf", "--var=LOCAL_CONFDIR="+folder+"/local", "--var=DBDIR="+folder, "--var=RUNDIR="+folder, "--var=LOGDIR="+folder)
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	const patience = 300
	for range patience {
		if response, err := http.Get(r.url + "/ping"); err == nil {
			_ = response.Body.Close()
			return r, nil
		}
		if ctx.Err() != nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	r.stop()
	return nil, errors.New("rspamd: does not answer")
}

func (r *rspamd) stop() {
	_ = r.cmd.Process.Signal(os.Interrupt)
	_ = r.cmd.Wait()
	_ = os.RemoveAll(r.folder)
}

// byChance matches rules that ask DNS or look at the clock, which fail here at random.
var byChance = regexp.MustCompile(`HFILTER_(FROMHOST|HELO|HOSTNAME)|RDNS|ONCE_RECEIVED|DATE_IN|_DNS`)

// scoreAll returns the scores of messages, in order. Rspamd waits for DNS most of the time,
// and so takes several at a time.
func (r *rspamd) scoreAll(ctx context.Context, raws [][]byte) ([]scores, error) {
	all, errs := make([]scores, len(raws)), make([]error, len(raws))
	const atATime = 8
	slots := make(chan struct{}, atATime)
	var wait sync.WaitGroup
	for i, raw := range raws {
		slots <- struct{}{}
		wait.Go(func() {
			all[i], errs[i] = r.score(ctx, raw)
			<-slots
		})
	}
	wait.Wait()
	return all, errors.Join(errs...)
}

// worst scores a message several times and returns the worst scores.
func (r *rspamd) worst(ctx context.Context, raw []byte) (scores, error) {
	const tries = 12
	all, err := r.scoreAll(ctx, slices.Repeat([][]byte{raw}, tries))
	if err != nil {
		return nil, err
	}
	worst := make(scores)
	for _, s := range all {
		for rule, score := range s {
			if old, ok := worst[rule]; !ok || score > old {
				worst[rule] = score
			}
		}
	}
	return worst, nil
}

// score returns the scores of a message.
func (r *rspamd) score(ctx context.Context, raw []byte) (scores, error) {
	var err error
	for range 4 { // a worker that ends is started again
		var body []byte
		if body, err = r.post(ctx, raw); err == nil {
			var answer struct {
				Symbols map[string]struct{ Score float64 }
			}
			if err = json.Unmarshal(body, &answer); err == nil {
				s := make(scores)
				for name, symbol := range answer.Symbols {
					if !byChance.MatchString(name) {
						s[name] = symbol.Score
					}
				}
				return s, nil
			}
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("rspamd: %w", err)
}

func (r *rspamd) post(ctx context.Context, raw []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/checkv2", bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"IP": "192.0.2.7", "From": "marek.novak@example.org", "Rcpt": "anna.berg@example.com", "Helo": "client.example.org"} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}
