package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// inputs is everything that the builds are run over.
type inputs struct {
	corpus    []item // files of testdata folders, as messages and as texts
	texts     []item // official files
	generated []item // messages
	lines     []item // links, hosts and addresses
	urls      []item // for format
	rewrites  []rewriteWay
	checks    []item // configurations for check-config
}

func (in inputs) summary() string {
	return fmt.Sprintf("%d files, %d generated messages, %d lines, %d URLs, %d configurations",
		len(in.corpus)+len(in.texts), len(in.generated), len(in.lines), len(in.urls), len(in.checks))
}

// prepare writes all inputs into the working folder.
func prepare(o options) (inputs, error) {
	var in inputs
	w := writer{folder: o.folder}
	in.corpus = w.corpus(o.repo)
	in.texts = w.official(o)
	for i := range o.count {
		in.generated = append(in.generated, w.file(fmt.Sprintf("generated/%05d.eml", i), generateMessage(o.seed, i)))
		in.lines = append(in.lines, item{name: fmt.Sprintf("link-%05d", i), line: generateLine(o.seed, i)})
		in.urls = append(in.urls, item{name: fmt.Sprintf("url-%05d", i), line: generateURL(o.seed, i)})
	}
	for _, text := range in.texts {
		more := officialLines(filepath.Join(o.folder, text.name))
		in.lines = append(in.lines, more...)
		in.urls = append(in.urls, more...)
	}
	in.rewrites = w.rewriteWays()
	in.checks = w.checkConfigs(o.repo)
	return in, w.err
}

// corpus copies the files of all testdata folders. Of a seed of a fuzz target
// each value becomes a file.
func (w *writer) corpus(repo string) []item {
	var all []item
	err := filepath.WalkDir(repo, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != repo && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		name, err := filepath.Rel(repo, path)
		if err != nil || !entry.Type().IsRegular() || !strings.Contains("/"+filepath.ToSlash(name), "/testdata/") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all = append(all, w.file(filepath.Join("corpus", name), raw))
		for i, value := range seedValues(raw) {
			all = append(all, w.file(filepath.Join("seeds", fmt.Sprintf("%s.%d", name, i)), value))
		}
		return nil
	})
	w.err = errors.Join(w.err, err)
	return all
}

// seedValues returns the strings and byte slices of a file of Go's fuzzing.
func seedValues(raw []byte) [][]byte {
	rest, found := bytes.CutPrefix(raw, []byte("go test fuzz v1\n"))
	if !found {
		return nil
	}
	var values [][]byte
	for line := range strings.Lines(string(rest)) {
		line = strings.TrimSpace(line)
		for _, kind := range []string{"string(", "[]byte("} {
			literal, ok := strings.CutPrefix(line, kind)
			if value, err := strconv.Unquote(strings.TrimSuffix(literal, ")")); ok && err == nil {
				values = append(values, []byte(value))
			}
		}
	}
	return values
}

// official copies the test files of UTS #58. Without them the run goes on, and says so.
func (w *writer) official(o options) []item {
	var all []item
	for _, name := range []string{"LinkDetectionTest.txt", "LinkFormattingTest.txt"} {
		raw, err := readOfficial(o, name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "compare: %s is missing and left out: set LINKMILTER_UCD, or run make ucd\n", name)
			continue
		}
		all = append(all, w.file("official/"+name, raw))
	}
	return all
}

func readOfficial(o options, name string) ([]byte, error) {
	for _, folder := range []string{o.ucd, filepath.Join(o.repo, ".ucd"), filepath.Join(o.repo, "../shared/unicode")} {
		for _, below := range []string{"17.0.0/linkification", "linkification", ""} {
			if folder == "" {
				continue
			}
			if raw, err := os.ReadFile(filepath.Join(folder, below, name)); err == nil {
				return raw, nil
			}
		}
	}
	return nil, fs.ErrNotExist
}

// officialLines returns the columns of a test file, with the marks of links and without.
func officialLines(path string) []item {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	var all []item
	marks := strings.NewReplacer("⸠", "", "⸡", "")
	scanner := bufio.NewScanner(file)
	for number := 1; scanner.Scan(); number++ {
		line := scanner.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		texts := append(strings.Split(line, ";"), line)
		if _, link, found := strings.Cut(line, "⸠"); found {
			link, _, _ = strings.Cut(link, "⸡")
			texts = append(texts, link)
		}
		for i, text := range texts {
			name := fmt.Sprintf("%s-%d-%d", filepath.Base(path), number, i)
			all = append(all, item{name: name, line: strings.TrimSpace(marks.Replace(text))})
		}
	}
	return all
}
