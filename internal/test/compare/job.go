package main

import (
	"bytes"
	"strings"
)

// An item is one input: a file, or a line of standard input.
type item struct {
	name string // path in the working folder, or the name of the line
	line string // for commands that read lines
}

// A job is one call of a command, over one item or many.
type job struct {
	command string   // scan, explain, format, rewrite or check-config
	flags   []string // of the command
	lines   bool     // items go to standard input, not to the arguments
	items   []item
}

// class names the jobs that are counted together.
func (j job) class() string { return strings.Join(append([]string{j.command}, j.flags...), " ") }

// args returns the command line after the program.
func (j job) args() []string {
	args := append([]string{j.command}, j.flags...)
	if !j.lines {
		for _, it := range j.items {
			args = append(args, it.name)
		}
	}
	return args
}

func (j job) stdin() []byte {
	if !j.lines {
		return nil
	}
	var b bytes.Buffer
	for _, it := range j.items {
		b.WriteString(it.line)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// part returns the job for some of its items.
func (j job) part(from, to int) job {
	j.items = j.items[from:to]
	return j
}

// An outcome is all that a process let others see.
type outcome struct {
	stdout, stderr []byte
	exit           int
}

// bom is the byte order mark of UTF-8.
const bom = "\xef\xbb\xbf"
