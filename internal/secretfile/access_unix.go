//go:build unix

package secretfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// checkAccess returns an error if users other than the owner may read or change a
// key file. A group may read it if this process is a member: other DKIM signers
// also accept a key of root that the service reads by its group (mode 0640). The
// group of root may read it, too: a credential of systemd has that group when an
// access list lets the service read it.
func checkAccess(info fs.FileInfo) (advice string, err error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", errors.New("the system does not report its group")
	}
	groups, err := os.Getgroups()
	if err != nil {
		return "", fmt.Errorf("groups of this process: %w", err)
	}
	return judgeAccess(info.Mode().Perm(), int(stat.Gid), os.Geteuid(), append(groups, os.Getegid(), 0))
}

// judgeAccess is checkAccess for the mode and group of a file, and the user and
// groups of a process. Root may check the configuration of a service without being
// a member of the group that the service reads by.
func judgeAccess(mode fs.FileMode, group, user int, groups []int) (advice string, err error) {
	const close = "Let only its owner read it: chmod 600 FILE"
	switch {
	case mode&0o006 != 0:
		return close, fmt.Errorf("every user may read or change it (mode %04o)", mode)
	case mode&0o020 != 0:
		return close, fmt.Errorf("its group may change it (mode %04o)", mode)
	case mode&0o040 != 0 && user != 0 && !slices.Contains(groups, group):
		return close + ", or give it to the group of linkmilter: chgrp GROUP FILE",
			errors.New("its group may read it, and linkmilter is not a member")
	}
	return "", nil
}
