//go:build unix

package mailauth

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// checkAccess reports an error where others than the owner of a key file may
// read or change it. Its group may read it if this process belongs to it: a key
// of root that the service reads by its group (0640) is what others that sign
// accept, too. So may the group of root: a credential of systemd looks like that
// where an access list lets the service read it.
func checkAccess(info fs.FileInfo) (advice string, err error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", errors.New("its group cannot be found out")
	}
	groups, err := os.Getgroups()
	if err != nil {
		return "", fmt.Errorf("groups of this process: %w", err)
	}
	return judgeAccess(info.Mode().Perm(), int(stat.Gid), os.Geteuid(), append(groups, os.Getegid(), 0))
}

// judgeAccess is checkAccess for a file with a mode and a group, and a process of
// a user that may read by groups. Root, who checks the configuration of a service,
// need not belong to the group that the service reads by.
func judgeAccess(mode fs.FileMode, group, user int, groups []int) (advice string, err error) {
	const close = "Let only its owner read it: chmod 600 FILE"
	switch {
	case mode&0o006 != 0:
		return close, fmt.Errorf("every user may read or change it (mode %04o)", mode)
	case mode&0o020 != 0:
		return close, fmt.Errorf("its group may change it (mode %04o)", mode)
	case mode&0o040 != 0 && user != 0 && !slices.Contains(groups, group):
		return close + ", or give it to the group of linkmilter: chgrp GROUP FILE",
			errors.New("a group may read it that linkmilter does not belong to")
	}
	return "", nil
}
