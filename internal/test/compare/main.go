// Command compare says what one program of linkmilter finds that another does not: before and
// after a change of how HTML is read.
//
//	go run ./internal/test/compare -record DIR
//	go run ./internal/test/compare -before FILE -after FILE -html DIR -mail DIR,DIR
//
// The first form collects the HTML that the tests of this repository read (see [record]), in a checkout
// of 81c55721, the last commit with filter/htmlpart. The
// second form has both programs scan it, and folders of mail. It counts sources by test and by what
// became of them: ff were flagged and still are, fc were flagged and are clean now.
//
//	f  flagged   a finding of medium or above about a link, a text or a sender
//	r  reported  another finding of low or above: something was not read
//	c  clean     none of these
//
// -list names each source of a class, such as fc, with its tests and its findings; "changed" is
// the sources that stay in their class with other findings. Changed mail is always named.
package main

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	var c comparison
	flag.StringVar(&c.before, "before", "", "the `program` before the change")
	flag.StringVar(&c.after, "after", "", "the `program` after the change")
	flag.StringVar(&c.config, "config", "", "`file` with the configuration of both")
	html := flag.String("html", "", "`folder` with the HTML that -record collected")
	mail := flag.String("mail", "", "`folders` with messages, separated by commas")
	flag.StringVar(&c.list, "list", "", "name the sources of a `class`: ff, fr, fc, rf, rr, rc, cf, cr, cc or changed")
	flag.BoolVar(&c.all, "all", false, "count tests without a change, too")
	to := flag.String("record", "", "run the tests and collect the HTML that they read in a `folder`")
	flag.Parse()
	if err := c.run(*to, *html, *mail); err != nil {
		log.Fatalln("compare:", err)
	}
}

func (c *comparison) run(to, html, mail string) error {
	c.out = os.Stdout
	if to != "" {
		return record(to, flag.Args()...)
	}
	if c.before == "" || c.after == "" || flag.NArg() > 0 {
		return errors.New("-before and -after are needed, and no arguments (want -before FILE -after FILE -html DIR)")
	}
	if html != "" {
		if err := c.compareHTML(html); err != nil {
			return err
		}
	}
	for dir := range strings.SplitSeq(mail, ",") {
		if dir == "" {
			continue
		}
		if err := c.compareMail(dir); err != nil {
			return err
		}
	}
	return nil
}

// comparison compares what two programs find.
type comparison struct {
	before, after, config string
	list                  string // class whose sources are named
	all                   bool
	out                   io.Writer
}

// compareHTML counts the sources in a folder by test and by class.
func (c *comparison) compareHTML(dir string) error {
	sources, err := readIndex(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		return err
	}
	messages, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(messages)
	for _, s := range sources {
		content, err := os.ReadFile(filepath.Join(dir, s.Name+".html"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(messages, s.Name+".eml"), message(content, s.Bases), 0o600); err != nil {
			return err
		}
	}
	results, err := c.scanBoth(messages)
	if err != nil {
		return err
	}
	t := newTable()
	for _, s := range sources {
		result := results[s.Name+".eml"]
		t.count(s.Tests, result)
		if result.isIn(c.list) {
			fmt.Fprintf(c.out, "%s\t%s\n\t%s\n", filepath.Join(dir, s.Name+".html"), strings.Join(s.Tests, " "), result)
		}
	}
	t.print(c.out, dir, c.all)
	return nil
}

// message makes a message of HTML. Its base64 keeps each byte.
func message(html []byte, bases []string) []byte {
	var m strings.Builder
	m.WriteString("From: anna@example.com\r\nTo: bob@example.org\r\nSubject: Hello\r\nDate: Mon, 5 Jan 2026 10:00:00 +0000\r\nMessage-ID: <1@example.com>\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n")
	for _, base := range bases {
		m.WriteString("Content-Base: " + strings.Join(strings.Fields(base), "") + "\r\n")
	}
	m.WriteString("\r\n")
	for line := range slices.Chunk(html, 57) {
		m.WriteString(base64.StdEncoding.EncodeToString(line) + "\r\n")
	}
	return []byte(m.String())
}

// compareMail names the messages in a folder whose findings changed.
func (c *comparison) compareMail(dir string) error {
	results, err := c.scanBoth(dir)
	if err != nil {
		return err
	}
	messages := maps.Collect(filesIn(dir))
	for name := range results {
		if _, isFile := messages[name]; !isFile { // "file:2" is a message of an mbox
			delete(messages, name[:max(strings.LastIndexByte(name, ':'), 0)])
			messages[name] = true
		}
	}
	t := newTable()
	for name := range messages {
		t.count(nil, results[name])
	}
	t.print(c.out, dir, false)
	for _, file := range slices.Sorted(maps.Keys(results)) {
		if result := results[file]; result.before.codes() != result.after.codes() {
			fmt.Fprintf(c.out, "  %s %s\t%s\n", result.change(), filepath.Join(dir, file), result)
		}
	}
	return nil
}

// filesIn iterates over the names of the files below a folder.
func filesIn(dir string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err == nil && !yield(name, true) {
				return filepath.SkipAll
			}
			return err
		})
		if err != nil {
			log.Println("compare:", err)
		}
	}
}

// scanBoth has both programs scan a folder. Files without findings are not in the results.
func (c *comparison) scanBoth(dir string) (map[string]result, error) {
	results := make(map[string]result)
	before, err := c.scan(c.before, dir)
	if err != nil {
		return nil, err
	}
	after, err := c.scan(c.after, dir)
	if err != nil {
		return nil, err
	}
	for file, found := range before {
		results[file] = result{before: found, after: after[file]}
	}
	for file, found := range after {
		results[file] = result{before: before[file], after: found}
	}
	return results, nil
}

// scan returns the findings of a program by file.
func (c *comparison) scan(program, dir string) (map[string]findings, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	arguments := []string{"scan", "--format", "json", "--quiet"}
	if c.config != "" {
		config, err := filepath.Abs(c.config)
		if err != nil {
			return nil, err
		}
		arguments = append(arguments, "--config", config)
	}
	cmd := exec.Command(program, append(arguments, ".")...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	found, err := readFindings(out)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("findings of %s in %s: %w", program, dir, err), cmd.Process.Kill(), cmd.Wait())
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("%s in %s: %w", strings.Join(cmd.Args, " "), dir, err)
	}
	log.Printf("%s scanned %s in %.1f s", program, dir, time.Since(begin).Seconds())
	return found, nil
}

// readFindings reads the lines of a scan.
func readFindings(r io.Reader) (map[string]findings, error) {
	found := make(map[string]findings)
	for decoder := json.NewDecoder(r); ; {
		var line struct {
			File     string `json:"file"`
			Findings []struct {
				Code     string `json:"code"`
				Severity string `json:"severity"`
			} `json:"findings"`
		}
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		for _, f := range line.Findings {
			if f.Severity == "info" {
				continue
			}
			if found[line.File] == nil {
				found[line.File] = make(findings)
			}
			found[line.File][f.Code+" "+f.Severity] = isFlagged(f.Code, f.Severity)
		}
	}
}

// isFlagged reports whether a finding is about a link, a text or a sender, and worth a tag.
func isFlagged(code, severity string) bool {
	return (severity == "medium" || severity == "high") && !slices.Contains([]string{"partial", "unreadable", "opaque", "styled-text"}, code)
}

// findings are the codes and severities that a message gets, true where they flag it.
type findings map[string]bool

// class returns f, r or c (see the documentation of the command).
func (f findings) class() string {
	for _, flags := range f {
		if flags {
			return "f"
		}
	}
	if len(f) > 0 {
		return "r"
	}
	return "c"
}

func (f findings) codes() string {
	if len(f) == 0 {
		return "nothing"
	}
	return strings.Join(slices.Sorted(maps.Keys(f)), ", ")
}

// A result is what both programs find in a message.
type result struct{ before, after findings }

func (r result) change() string { return r.before.class() + r.after.class() }

// isIn reports whether a message is in a class that may be listed.
func (r result) isIn(class string) bool {
	if class == "changed" {
		return r.before.class() == r.after.class() && r.before.codes() != r.after.codes()
	}
	return class == r.change()
}

func (r result) String() string { return r.before.codes() + " -> " + r.after.codes() }

// changes are the columns of a table.
var changes = []string{"ff", "fr", "fc", "rf", "rr", "rc", "cf", "cr", "cc"}

// A table counts messages by test and by change.
type table struct {
	rows  map[string]map[string]int
	total map[string]int
	sum   int
}

func newTable() *table {
	return &table{rows: make(map[string]map[string]int), total: make(map[string]int)}
}

func (t *table) count(tests []string, r result) {
	change := r.change()
	t.total[change]++
	t.sum++
	for _, test := range tests {
		if t.rows[test] == nil {
			t.rows[test] = make(map[string]int)
		}
		t.rows[test][change]++
	}
}

// print prints the rows with a change, or all, those with the most lost findings last.
func (t *table) print(w io.Writer, title string, all bool) {
	lost := func(row map[string]int) int { return row["fc"]*1000 + row["fr"]*10 + row["rc"] }
	tests := slices.SortedFunc(maps.Keys(t.rows), func(a, b string) int {
		return cmp.Or(cmp.Compare(lost(t.rows[a]), lost(t.rows[b])), cmp.Compare(a, b))
	})
	out := bufio.NewWriter(w)
	defer out.Flush()
	fmt.Fprintf(out, "\n%s: %d\n", title, t.sum)
	for _, change := range changes {
		fmt.Fprintf(out, "%7s", change)
	}
	fmt.Fprintln(out)
	for _, test := range tests {
		row := t.rows[test]
		if !all && row["fr"]+row["fc"]+row["rf"]+row["rc"]+row["cf"]+row["cr"] == 0 {
			continue
		}
		for _, change := range changes {
			fmt.Fprintf(out, "%7d", row[change])
		}
		fmt.Fprintln(out, "  "+test)
	}
	for _, change := range changes {
		fmt.Fprintf(out, "%7d", t.total[change])
	}
	fmt.Fprintln(out, "  all")
	for _, change := range changes {
		fmt.Fprintf(out, "%6.1f%%", 100*float64(t.total[change])/float64(max(t.sum, 1)))
	}
	fmt.Fprintln(out)
}
