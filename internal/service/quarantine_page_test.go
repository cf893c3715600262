package service

import (
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/linkmilter/linkmilter/internal/test/chromium"
)

// ask sends a request to the page, with the password unless it is empty.
func ask(tb testing.TB, method, address, password, origin string, form url.Values) (status int, body string) {
	tb.Helper()
	request, err := http.NewRequest(method, address, strings.NewReader(form.Encode()))
	if err != nil {
		tb.Fatal(err)
	}
	if password != "" {
		request.SetBasicAuth("anna", password)
	}
	if origin != "" {
		request.Header.Set("Origin", origin)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}).Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// runQuarantine starts a service with a page with the password "secret" and a quarantine. It returns the
// URL of the page and the socket that takes mail for it.
func runQuarantine(tb testing.TB, hop *nextHop) (r *running, base, socket string) {
	tb.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte("secret"), bcrypt.MinCost)
	if err != nil {
		tb.Fatal(err)
	}
	socket = filepath.Join(tb.TempDir(), "smtp")
	r = run(tb, smtpTable(socket, hop, `quarantine = "`+filepath.Join(tb.TempDir(), "quarantine")+`"`)+ruleWith(`on = { high = "quarantine" }`)+
		"[admin]\nlisten = \"127.0.0.1:0\"\npassword = \""+string(hash)+"\"\nhistory_subjects = true\n[log]\naddresses = \"full\"\n")
	r.logs.wait(tb, "for=admin", 1)
	r.logs.wait(tb, "for=smtp", 1)
	return r, "http://" + r.logs.after(tb, "for=admin address=tcp:"), socket
}

// In a browser a message in quarantine is found by the name that it imitates, looked at in a frame in
// which nothing runs, and released. Bad configurations are told of.
func TestQuarantineInChromium(t *testing.T) {
	hop := newNextHop(t)
	r, base, socket := runQuarantine(t, hop)
	hostile := "http://paypa1.com/login <script>alert(1)</script>\r\n"
	for range 2 {
		if reply := sendSMTP(t, "unix", socket, hostile); !strings.HasPrefix(reply, "250") {
			t.Fatal(reply)
		}
	}
	p := chromium.Open(t)
	p.Load(strings.Replace(base, "http://", "http://anna:secret@", 1) + "/")
	p.Load(base + "/")
	p.Click(`main a[href="/findings"]`)
	p.Fill("#q", "paypal.com")
	p.Click("form button")
	shows(t, p, "2 flagged messages")
	shows(t, p, "In quarantine now")
	shows(t, p, "b@example.com")
	p.Click(`a[href^="/quarantine/"]`)
	shows(t, p, "As mail programs show it")
	p.Click("button[value=release]")
	shows(t, p, "without their tags")
	p.Click("form button")
	shows(t, p, ": released.")
	hop.received(t)
	p.Load(base + "/findings?q=paypal.com")
	shows(t, p, "then released by anna")
	if all := p.Complaints(); all != nil {
		t.Errorf("%q", all)
	}
	r.reload(t, "nonsense = 1")
	accessible(t, p, map[string]func(){
		"quarantine": func() { p.Load(base + "/quarantine") },
		"held":       func() { p.Load(base + "/quarantine"); p.Click("td a") },
		"sure":       func() { p.Load(base + "/quarantine"); p.Click("td a"); p.Click("button[value=delete]") },
		"found":      func() { p.Load(base + "/findings?q=paypal.com") },
		"week":       func() { p.Load(base + "/week") },
	})
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// A message in quarantine is found on the page, and released to its recipients by the next hop; only
// with the password, and not for another site.
func TestQuarantineOnPage(t *testing.T) {
	hop := newNextHop(t)
	r, base, socket := runQuarantine(t, hop)
	if reply := sendSMTP(t, "unix", socket, "http://paypa1.com/login\r\n"); !strings.HasPrefix(reply, "250") {
		t.Fatal(reply)
	}
	for _, path := range []string{"/quarantine", "/quarantine/x", "/quarantine/x/shown"} {
		if status, body := ask(t, "GET", base+path, "", "", nil); status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	status, body := ask(t, "GET", base+"/quarantine", "secret", "", nil)
	link := regexp.MustCompile(`href="/quarantine/([^"]+)"`).FindStringSubmatch(body)
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(body)
	if status != 200 || link == nil || token == nil || !strings.Contains(body, "a@example.org") {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := ask(t, "GET", base+"/quarantine/"+link[1], "secret", "", nil); status != 200 || !strings.Contains(body, "paypa1.com/login") {
		t.Errorf("%d %s", status, body)
	}
	form := url.Values{"token": {token[1]}, "do": {"release"}, "name": {link[1]}, "sure": {"yes"}}
	for _, c := range []struct {
		password, origin string
		want             int
	}{{"", base, 401}, {"wrong", base, 401}, {"secret", "https://evil.example", 403}, {"secret", "null", 403}} {
		if status, body := ask(t, "POST", base+"/quarantine", c.password, c.origin, form); status != c.want {
			t.Errorf("%v: %d %s", c, status, body)
		}
	}
	if len(hop.messages) > 0 {
		t.Fatal("released")
	}
	if status, body := ask(t, "POST", base+"/quarantine", "secret", base, form); status != 200 || !strings.Contains(body, ": released.") {
		t.Errorf("%d %s", status, body)
	}
	if message := hop.received(t); !strings.Contains(message, "paypa1.com/login") || strings.Contains(message, "X-Linkmilter") {
		t.Errorf("%s", message)
	}
	r.logs.wait(t, `msg="quarantine released"`, 1)
	if all := r.logs.String(); !regexp.MustCompile(`level=INFO msg="quarantine released" .*name=.* user=anna client=127\.0\.0\.1`).MatchString(all) {
		t.Error(all)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// Without a password the page shows no quarantine.
func TestNoQuarantineWithoutPassword(t *testing.T) {
	hop := newNextHop(t)
	r := run(t, smtpTable(filepath.Join(t.TempDir(), "smtp"), hop, `quarantine = "`+t.TempDir()+`"`)+"[admin]\nlisten = \"127.0.0.1:0\"\n")
	r.logs.wait(t, "for=admin", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")
	if status, body := get(t, base+"/quarantine"); status != 200 || !strings.Contains(body, "only with a password") || strings.Contains(body, "<form") {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := get(t, base+"/quarantine/x"); status != 404 {
		t.Errorf("%d", status)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// A configuration on disk that is not in use, and one that waits for a restart, are on the page until
// they are mended.
func TestPageTellsOfTheConfiguration(t *testing.T) {
	document := ruleWith() + "[admin]\nlisten = \"127.0.0.1:0\"\n"
	r := run(t, document)
	r.logs.wait(t, "for=admin", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")
	shows := func(want string) {
		t.Helper()
		_, body := get(t, base+"/findings")
		if got := strings.Contains(body, "role=\"alert\""); got != (want != "") || !strings.Contains(body, want) {
			t.Errorf("no %q in %s", want, body)
		}
	}
	shows("")
	r.reload(t, "nonsense = 1")
	shows("The configuration on disk is not in use</bdi></strong>: <bdi>")
	shows("nonsense: unknown key")
	r.reload(t, document)
	shows("")
	r.reload(t, document+"keep = 7\n")
	shows("Changes of the configuration wait</bdi></strong>: <bdi>admin.keep</bdi>. To mend it: restart the service.")
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}
