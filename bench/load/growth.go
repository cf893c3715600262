//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// growth checks that the heap of linkmilter does not grow under a moderate load of small messages.
// It compares the bytes in use after a garbage collection in the last fifth of the time with those
// in the second fifth. In the first, caches fill.
func (r *run) growth() {
	l := startLinkmilter(r, r.binary, "")
	const most = 10 * smallest
	mails := mixed(r.seed, different*r.messages, most)
	s := l.milter(l.unix, mails)
	if err := s.connections(r.connections); err != nil {
		r.Fatal(err)
	}
	defer s.closeAll()
	if err := s.turn(flatOut(0, len(mails), 0)); err != nil {
		r.Fatal(err)
	}
	s.taken = taken{}
	const fifths, perFifth = 5, 12
	heaps := make([][]float64, fifths)
	for i := range heaps {
		for range perFifth {
			if err := s.turn(paced(0, len(mails), r.growingRate, r.growing/(fifths*perFifth))); err != nil {
				r.Fatal(err)
			}
			heap, err := l.heap()
			if err != nil {
				r.Fatal(err)
			}
			heaps[i] = append(heaps[i], heap)
			if err := l.emptyLog(); err != nil {
				r.Fatal(err)
			}
		}
		fmt.Fprintf(r.out, "\nheap after %d/%d of %v: %s\n", i+1, fifths, r.growing, megabytes(int64(median(heaps[i]))))
	}
	printTable(r.out, fmt.Sprintf("mixed mail up to 10 KB, %g messages/s", r.growingRate), []*server{s})
	bound := atMost(1.1)
	if r.busy {
		bound = atMost(2) // caches still fill in a short time
	}
	r.judge(fmt.Sprintf("heap after %v as a multiple of that in the second fifth", r.growing), median(heaps[fifths-1])/median(heaps[1]), bound)
}

// different is how many times as many messages as usual there are, so that caches get full.
const different = 20

// heap returns the bytes of the heap in use, after a garbage collection.
func (l *linkmilter) heap() (float64, error) {
	if _, err := get(l.profiler, "/debug/pprof/heap?gc=1"); err != nil {
		return 0, err
	}
	metrics, err := get(l.admin, "/metrics")
	if err != nil {
		return 0, err
	}
	const name = "go_memstats_heap_alloc_bytes "
	for line := range strings.Lines(metrics) {
		if value, found := strings.CutPrefix(line, name); found {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("no metric %s", name)
}

// get asks a server on a Unix socket.
func get(socket, path string) (string, error) {
	client := http.Client{Timeout: patience, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
	}}
	response, err := client.Get("http://localhost" + path)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, response.Status)
	}
	return string(body), err
}
