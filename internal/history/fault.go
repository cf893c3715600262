package history

import (
	"errors"
	"io/fs"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Errors about a file that the history must not touch.
var (
	errNewer   = errors.New("a newer version of linkmilter wrote the file")
	errForeign = errors.New("the file is a database of another program")
	errNoFile  = errors.New("not a regular file")
)

// A fault is a kind of problem with the file.
type fault uint8

const (
	faultOther   fault = iota // of the messages: another attempt would fail, too; also any unknown problem
	faultFull                 // the disk, or the file, is full
	faultBusy                 // another process uses the file
	faultRights               // rights of the file or its folder
	faultDevice               // an error of the disk, or a limit of the process
	faultCorrupt              // the file is damaged
	faultRefused              // the history must not touch the file
)

// faults has the codes of SQLite.
var faults = map[int]fault{
	lib.SQLITE_FULL: faultFull, lib.SQLITE_BUSY: faultBusy, lib.SQLITE_LOCKED: faultBusy, lib.SQLITE_PROTOCOL: faultBusy,
	lib.SQLITE_READONLY: faultRights, lib.SQLITE_PERM: faultRights, lib.SQLITE_CANTOPEN: faultRights, lib.SQLITE_AUTH: faultRights,
	lib.SQLITE_IOERR: faultDevice, lib.SQLITE_NOMEM: faultDevice, lib.SQLITE_INTERRUPT: faultBusy,
	lib.SQLITE_CORRUPT: faultCorrupt, lib.SQLITE_NOTADB: faultCorrupt,
}

// faultOf returns the kind of an error; nil gives faultOther.
func faultOf(err error) fault {
	var failed *sqlite.Error
	var path *fs.PathError
	switch {
	case errors.Is(err, errNewer), errors.Is(err, errForeign), errors.Is(err, errNoFile):
		return faultRefused
	case errors.As(err, &failed):
		return faults[failed.Code()&0xff] // the other bits are the extended code
	case errors.As(err, &path):
		return faultRights
	}
	return faultOther
}

// advices say what an operator can do.
var advices = map[fault]string{
	faultOther:   "report the error: the messages went on",
	faultFull:    "free space on the disk of admin.history, or lower admin.history_rows",
	faultBusy:    "end the process that holds the file (fuser names it)",
	faultRights:  "give the account of linkmilter the right to write the file and its folder",
	faultDevice:  "look at the disk, the kernel's log and the limits of the process",
	faultCorrupt: "look at the disk; linkmilter begins a new file",
	faultRefused: "name another file in admin.history",
}
