package main

import (
	"errors"
	"io/fs"
	"net"
	"syscall"
)

// withAdvice adds a line to an error that says what to do.
func withAdvice(err error, advice string) error { return errors.Join(err, errors.New(advice)) }

// advice returns how to solve an error of the operating system, or "" if the error
// needs no advice.
func advice(err error) string {
	var listen *net.OpError
	if errors.As(err, &listen) && listen.Op == "listen" {
		return listenAdvice(listen)
	}
	switch {
	case errors.Is(err, syscall.EISDIR):
		return "Name a file, not a folder"
	case errors.Is(err, fs.ErrPermission):
		return "The account that runs linkmilter has no right to that; 'ls -l' shows who has"
	}
	return ""
}

func listenAdvice(err *net.OpError) string {
	unix := err.Net == "unix"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "Another program listens there ('ss -lntp' names it): stop it, or choose another address"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "No network interface of this machine has that address ('ip address' shows those it has)"
	case errors.Is(err, syscall.ENOENT) && unix:
		return "Make the folder for the socket first, and give it to the account that runs linkmilter"
	case errors.Is(err, fs.ErrPermission) && unix:
		return "The account that runs linkmilter needs the right to write to the socket's folder"
	case errors.Is(err, fs.ErrPermission):
		return "Ports below 1024 are for root: choose a higher one"
	}
	return ""
}
