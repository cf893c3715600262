package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/xurls/v2"
)

// A peer is a detector in another language: a program that reads files of messages. Its arguments are
// how often it reads each file, and the files; it prints a line for each file: the nanoseconds of
// processor time of the fastest pass, and the number of links.
type peer struct {
	name string
	// build returns the command without these arguments. It builds in the folder.
	build func(folder string) (command []string, err error)
}

// sources are folders with the source of peers. Without them cargo asks its registry.
type sources struct{ linkify, memchr string }

//go:embed peers
var peerFiles embed.FS

// peers returns the peers.
func peers(from sources) []peer {
	return []peer{
		{"linkify (Rust)", from.buildLinkify},
		{"xurls relaxed, its expression in RE2 (C++)", buildRE2},
		{"linkify-it (JavaScript)", func(folder string) ([]string, error) {
			packages, err := filepath.Abs("../internal/test/linkify")
			if err != nil {
				return nil, err
			}
			if _, err := exec.LookPath("node"); err != nil {
				return nil, err
			}
			if _, err := os.Stat(filepath.Join(packages, "node_modules", "linkify-it")); err != nil {
				return nil, fmt.Errorf("%w (run `npm ci` there)", err)
			}
			return []string{"node", filepath.Join(folder, "linkify-it.mjs"), packages}, nil
		}},
	}
}

func (from sources) buildLinkify(folder string) ([]string, error) {
	args := []string{"build", "--release", "--quiet"}
	for _, source := range []struct{ name, folder string }{{"linkify", from.linkify}, {"memchr", from.memchr}} {
		if source.folder == "" {
			continue
		}
		path, err := filepath.Abs(source.folder)
		if err != nil {
			return nil, err
		}
		args = append(args, "--config", fmt.Sprintf("patch.crates-io.%s.path=%q", source.name, path))
	}
	if from.linkify != "" && from.memchr != "" {
		args = append(args, "--offline")
	}
	return []string{filepath.Join(folder, "linkify", "target", "release", "peer")}, runIn(filepath.Join(folder, "linkify"), "cargo", args...)
}

func buildRE2(folder string) ([]string, error) {
	program, expression := filepath.Join(folder, "re2"), filepath.Join(folder, "relaxed")
	if err := os.WriteFile(expression, []byte(xurls.Relaxed().String()), 0o600); err != nil {
		return nil, err
	}
	return []string{program, expression}, runIn(folder, "c++", "-O2", "-std=c++17", "-o", program, "re2.cc", "-lre2", "-lpthread")
}

// runIn runs a command in a folder. An error has the last line that the command printed.
func runIn(folder, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("%s: %w: %s", name, err, lines[len(lines)-1])
	}
	return nil
}

// buildPeers builds the peers in the folder. It returns their commands, and why others are missing.
func buildPeers(folder string, list []peer) (commands [][]string, missing []error, err error) {
	files, err := fs.Sub(peerFiles, "peers")
	if err != nil {
		return nil, nil, err
	}
	if err := os.CopyFS(folder, files); err != nil {
		return nil, nil, err
	}
	commands, missing = make([][]string, len(list)), make([]error, len(list))
	for i, p := range list {
		commands[i], missing[i] = p.build(folder)
	}
	return commands, missing, nil
}

// messageEnd separates messages in files.
const messageEnd = "\f\n"

// peerPasses is how often a peer reads a file in each turn.
const peerPasses = 3

// runPeer returns the processor time that a peer takes to read a file, and the number of links there.
func runPeer(command []string, file string) (took time.Duration, links int, err error) {
	args := append(command[1:len(command):len(command)], strconv.Itoa(peerPasses), file)
	out, err := exec.Command(command[0], args...).Output()
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", command[0], err)
	}
	if _, err := fmt.Sscan(string(out), &took, &links); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", command[0], err)
	}
	return took, links, nil
}
