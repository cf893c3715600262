package httpapi

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// TestDefinitionIsServed: the definition is valid, and the server has it.
func TestDefinitionIsServed(t *testing.T) {
	s := start(t, Options{})
	response, text := s.do(s.request("GET", "/v1/openapi.json", "", ""))
	if response.StatusCode != http.StatusOK || text != string(definition) {
		t.Errorf("%s, %d bytes", response.Status, len(text))
	}
	if s.doc.OpenAPI[:4] != "3.1." {
		t.Errorf("version %s", s.doc.OpenAPI)
	}
}

// TestDefinitionHasAllRoutes: paths and methods are those of the handlers.
func TestDefinitionHasAllRoutes(t *testing.T) {
	doc := loadDefinition(t)
	var paths []string
	for path, item := range doc.Paths.Map() {
		paths = append(paths, path)
		for method := range item.Operations() {
			if !slices.Contains(routes[path].methods, method) {
				t.Errorf("%s %s is not served", method, path)
			}
		}
	}
	slices.Sort(paths)
	if got := slices.Sorted(maps.Keys(routes)); !slices.Equal(got, paths) {
		t.Errorf("routes %q, paths %q", got, paths)
	}
}

// TestDefinitionForbidsUnknownFields: no object of an answer or request may have fields that the
// definition lacks. So a new field fails the tests until it is described.
func TestDefinitionForbidsUnknownFields(t *testing.T) {
	objects := 0
	for name, schema := range loadDefinition(t).Components.Schemas {
		if !schema.Value.Type.Is(openapi3.TypeObject) {
			continue
		}
		objects++
		if has := schema.Value.AdditionalProperties.Has; has == nil || *has {
			t.Errorf("%s may have any field", name)
		}
	}
	if objects < 8 {
		t.Errorf("%d objects", objects)
	}
}

// TestDefinitionNamesAllActions: the enumerations have the words of the code.
func TestDefinitionNamesAllActions(t *testing.T) {
	var actions []any
	for action := rule.ActionNone; action <= rule.ActionReject; action++ {
		actions = append(actions, action.String())
	}
	if got := loadDefinition(t).Components.Schemas["CheckedMessage"].Value.Properties["action"].Value.Enum; !reflect.DeepEqual(got, actions) {
		t.Errorf("actions %q, want %q", got, actions)
	}
}

// TestExamplesOfTheDefinition: the server carries out each example.
func TestExamplesOfTheDefinition(t *testing.T) {
	s := start(t, Options{})
	examples := 0
	for path, item := range s.doc.Paths.Map() {
		if item.Post == nil {
			continue
		}
		for kind, content := range item.Post.RequestBody.Value.Content {
			if content.Example == nil {
				continue
			}
			examples++
			body, err := marshal(content.Example)
			if err != nil {
				t.Fatal(err)
			}
			if response, text := s.do(s.request("POST", path, kind, string(body))); response.StatusCode != http.StatusOK {
				t.Errorf("%s: %s %s", path, response.Status, text)
			}
		}
	}
	if examples < 2 {
		t.Errorf("%d examples", examples)
	}
}

// filterFunc is a filter that is a function.
type filterFunc func(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result

func (f filterFunc) Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
	return f(ctx, env, raw)
}

// TestStatuses: each status of the definition occurs, and no other. Each error is an object that
// says what to do.
func TestStatuses(t *testing.T) {
	tokens, err := parseTokens([]byte("0123456789abcdefghij test\n"))
	if err != nil {
		t.Fatal(err)
	}
	plain := start(t, Options{
		Options:  mailserver.Options{Limits: mailserver.Limits{MaxMessage: 1000}},
		Timeouts: Timeouts{Request: time.Second},
	})
	locked := start(t, Options{Credentials: Credentials{Tokens: tokens}})
	failing := start(t, Options{Options: mailserver.Options{Filter: filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result {
		panic("defect")
	})}})
	full := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{Memory: 1 << 20}}})
	if !full.Budget().Reserve(1 << 20) {
		t.Fatal("memory in use")
	}
	defer full.Budget().Release(1 << 20)
	type edit func(*http.Request)
	field := func(name, value string) edit { return func(r *http.Request) { r.Header.Set(name, value) } }
	seen := map[int]bool{http.StatusRequestTimeout: true} // see TestSlowBody
	for name, c := range map[string]struct {
		server              *testServer
		method, path, kind  string
		body                string
		edit                edit
		status              int
		text, header, value string
	}{
		"message":           {plain, "POST", "/v1/check", "message/rfc822", spoofed, nil, 200, "", "Cache-Control", "no-store"},
		"head":              {plain, "HEAD", "/v1/openapi.json", "", "", nil, 200, "", "X-Content-Type-Options", "nosniff"},
		"another path":      {plain, "POST", "/v2/check", "message/rfc822", spoofed, nil, 404, "/v1/check", "", ""},
		"slash":             {plain, "POST", "/v1/check/", "message/rfc822", spoofed, nil, 404, "/v1/check", "", ""},
		"get":               {plain, "GET", "/v1/check", "", "", nil, 405, "want POST", "Allow", "POST"},
		"options":           {plain, "OPTIONS", "/v1/explain", "", "", nil, 405, "want POST", "Access-Control-Allow-Origin", ""},
		"no type":           {plain, "POST", "/v1/check", "", spoofed, nil, 415, "message/rfc822", "Connection", "close"},
		"form":              {plain, "POST", "/v1/check", "application/x-www-form-urlencoded", spoofed, nil, 415, "application/json", "", ""},
		"text":              {plain, "POST", "/v1/explain", "text/plain", "x", nil, 415, "application/json", "", ""},
		"compressed":        {plain, "POST", "/v1/check", "message/rfc822", spoofed, field("Content-Encoding", "gzip"), 415, "Content-Encoding", "", ""},
		"empty":             {plain, "POST", "/v1/check", "message/rfc822", "", nil, 400, "no message", "", ""},
		"large":             {plain, "POST", "/v1/check", "message/rfc822", strings.Repeat("x", 1001), nil, 413, "limits.message", "Connection", "close"},
		"unknown parameter": {plain, "POST", "/v1/check?form=a", "message/rfc822", spoofed, nil, 400, `parameter \"form\": unknown (want from`, "", ""},
		"twice":             {plain, "POST", "/v1/check?client=1.1.1.1&client=2.2.2.2", "message/rfc822", spoofed, nil, 400, "given twice", "", ""},
		"no address":        {plain, "POST", "/v1/check?client=x", "message/rfc822", spoofed, nil, 400, "192.0.2.1", "", ""},
		"no truth":          {plain, "POST", "/v1/check?edit=1", "message/rfc822", spoofed, nil, 400, "want true or false", "", ""},
		"bad query":         {plain, "POST", "/v1/check?from=%zz", "message/rfc822", spoofed, nil, 400, "query", "", ""},
		"query with links":  {plain, "POST", "/v1/check?edit=true", "application/json", `{"links": ["a"]}`, nil, 400, "messages alone", "", ""},
		"not JSON":          {plain, "POST", "/v1/check", "application/json", `links`, nil, 400, `{\"links\": [`, "", ""},
		"unknown field":     {plain, "POST", "/v1/check", "application/json", `{"links": ["a"], "x": 1}`, nil, 400, `\"x\" instead of \"}\"`, "", ""},
		"more":              {plain, "POST", "/v1/check", "application/json", `{"links": ["a"]} {}`, nil, 400, "more behind", "", ""},
		"wrong type":        {plain, "POST", "/v1/explain", "application/json", `{"inputs": "a"}`, nil, 400, `{\"inputs\": [`, "", ""},
		"no link":           {plain, "POST", "/v1/check", "application/json", `{"links": []}`, nil, 400, "at least one", "", ""},
		"null":              {plain, "POST", "/v1/explain", "application/json", `null`, nil, 400, `\"null\" instead of \"{\"`, "", ""},
		"not UTF-8":         {plain, "POST", "/v1/check", "application/json", "{\"links\": [\"\xff\"]}", nil, 400, "not UTF-8", "", ""},
		"foreign name":      {plain, "POST", "/v1/check", "message/rfc822", spoofed, func(r *http.Request) { r.Host = "rebound.example.net" }, 421, "localhost", "", ""},
		"foreign page":      {plain, "POST", "/v1/check", "message/rfc822", spoofed, field("Origin", "https://example.net"), 403, "web pages", "", ""},
		"without a token":   {locked, "POST", "/v1/check", "message/rfc822", spoofed, nil, 401, "http.token_file", "WWW-Authenticate", `Bearer realm="linkmilter"`},
		"definition":        {locked, "GET", "/v1/openapi.json", "", "", nil, 401, "http.token_file", "", ""},
		"with a token":      {locked, "POST", "/v1/check", "message/rfc822", spoofed, field("Authorization", "bearer 0123456789abcdefghij"), 200, "", "", ""},
		"any name with it": {locked, "POST", "/v1/check", "message/rfc822", spoofed, func(r *http.Request) {
			r.Host = "mx.example.com"
			field("Authorization", "Bearer 0123456789abcdefghij")(r)
		}, 200, "", "", ""},
		"defect":    {failing, "POST", "/v1/check", "message/rfc822", spoofed, nil, 500, "the log says how", "", ""},
		"no memory": {full, "POST", "/v1/check", "message/rfc822", spoofed, nil, 503, "limits.memory", "Retry-After", "1"},
	} {
		r := c.server.request(c.method, c.path, c.kind, c.body)
		if c.edit != nil {
			c.edit(r)
		}
		response, text := c.server.do(r)
		seen[response.StatusCode] = true
		if response.StatusCode != c.status || !strings.Contains(text, c.text) {
			t.Errorf("%s: %s, want %d with %q\n%s", name, response.Status, c.status, c.text, text)
		}
		if got := response.Header.Get(c.header); c.header != "Connection" && got != c.value {
			t.Errorf("%s: %s: %q", name, c.header, got)
		}
		if c.header == "Connection" && !response.Close {
			t.Errorf("%s: the connection stays open", name)
		}
		if response.StatusCode >= 400 && !strings.HasPrefix(text, `{"error":"`) {
			t.Errorf("%s: %s", name, text)
		}
		if len(response.Cookies()) > 0 {
			t.Errorf("%s: cookies", name)
		}
	}
	for status := range plain.doc.Components.Responses {
		if n, err := strconv.Atoi(status); err != nil || !seen[n] {
			t.Errorf("status %s does not occur", status)
		}
	}
	if !strings.Contains(locked.log.String(), "token=test") || strings.Contains(locked.log.String(), "0123456789") {
		t.Errorf("log without the name of the token, or with it\n%s", locked.log)
	}
}
