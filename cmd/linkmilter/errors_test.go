package main

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestAdvice(t *testing.T) {
	listen := func(network string, errno syscall.Errno) error {
		return fmt.Errorf("milter: %w", &net.OpError{Op: "listen", Net: network, Err: os.NewSyscallError("bind", errno)})
	}
	tests := []struct {
		err  error
		want string // "": none
	}{
		{listen("tcp", syscall.EADDRINUSE), "choose another address"},
		{listen("tcp4", syscall.EADDRNOTAVAIL), "ip address"},
		{listen("tcp4", syscall.EACCES), "below 1024"},
		{listen("unix", syscall.EACCES), "write to the socket's folder"},
		{listen("unix", syscall.ENOENT), "Make the folder"},
		{listen("unix", syscall.ENOSPC), ""},
		{&net.OpError{Op: "dial", Err: syscall.EACCES}, "'ls -l'"},
		{&fs.PathError{Op: "open", Path: "a", Err: syscall.EACCES}, "'ls -l'"},
		{&fs.PathError{Op: "read", Path: "a", Err: syscall.EISDIR}, "not a folder"},
		{&fs.PathError{Op: "open", Path: "a", Err: syscall.ENOENT}, ""},
	}
	for _, tt := range tests {
		if got := advice(tt.err); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%v: advice %q, want %q", tt.err, got, tt.want)
		}
	}
}
