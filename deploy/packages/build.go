package main

import (
	"fmt"
	"os"
	"os/exec"
)

// build builds the program for an architecture, without cgo, so that it runs on every
// distribution.
func (r *release) build(binary, arch string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.version="+r.described, "-o", binary, "./cmd/linkmilter")
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOAMD64=v1", "GOFLAGS=")
	return run(cmd)
}

// install copies the program and the files that belong to it below the folder tree. native is the
// program for this machine.
func (r *release) install(binary, native, tree string) error {
	cmd := exec.Command("make", "-s", "install", "BINARY="+binary, "NATIVE="+native, "DESTDIR="+tree, "PREFIX=/usr", "SYSCONFDIR=/etc")
	cmd.Dir = r.root
	return run(cmd)
}

func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Args[0], err, out)
	}
	return nil
}
