package httpapi

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
)

// TestAnswerList: the object is valid JSON with and without fields, items and a message.
func TestAnswerList(t *testing.T) {
	type head struct {
		Worst string `json:"worst"`
	}
	for _, c := range []struct {
		head    any
		list    []string
		message []byte
		want    string
	}{
		{struct{}{}, nil, nil, `{"list":[]}`},
		{struct{}{}, []string{"<a>"}, nil, `{"list":["<a>"]}`},
		{head{"high"}, []string{"a", "b"}, []byte("\x00\xff"), `{"worst":"high","list":["a","b"],"message":"AP8="}`},
		{head{}, nil, []byte{}, `{"worst":"","list":[],"message":""}`},
	} {
		w := httptest.NewRecorder()
		if err := answerList(&call{w: w}, c.head, "list", c.list, c.message); err != nil {
			t.Fatal(err)
		}
		if got := w.Body.String(); got != c.want+"\n" || !json.Valid([]byte(got)) {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

// discard is a client that reads everything.
type discard struct {
	header http.Header
	bytes  int
}

func (d *discard) Header() http.Header { return d.header }
func (d *discard) WriteHeader(int)     {}
func (d *discard) Write(p []byte) (int, error) {
	d.bytes += len(p)
	return len(p), nil
}

// TestAnswerListNeedsNoCopy: a large message is written in pieces.
func TestAnswerListNeedsNoCopy(t *testing.T) {
	message := make([]byte, 16<<20)
	w := &discard{header: http.Header{}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := answerList(&call{w: w}, struct{}{}, "list", []int{1}, message); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if w.bytes < base64.StdEncoding.EncodedLen(len(message)) {
		t.Errorf("%d bytes written", w.bytes)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
		t.Errorf("%d bytes allocated", grown)
	}
}
