package sqlfile

import (
	"errors"
	"io/fs"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Errors about a file that is not to be touched.
var (
	ErrNewer   = errors.New("a newer version of linkmilter wrote the file")
	ErrForeign = errors.New("the file is a database of another program")
	ErrNoFile  = errors.New("not a regular file")
)

// A Fault is a kind of problem with a file.
type Fault uint8

// The faults.
const (
	FaultOther   Fault = iota // of what is written: another attempt would fail, too
	FaultFull                 // the disk or the file
	FaultBusy                 // another process
	FaultRights               // of the file or its folder
	FaultDevice               // the disk, or a limit of the process
	FaultCorrupt              // the file
	FaultRefused              // the file is not to be touched
)

// faults has the codes of SQLite.
var faults = map[int]Fault{
	lib.SQLITE_FULL: FaultFull, lib.SQLITE_BUSY: FaultBusy, lib.SQLITE_LOCKED: FaultBusy, lib.SQLITE_PROTOCOL: FaultBusy,
	lib.SQLITE_READONLY: FaultRights, lib.SQLITE_PERM: FaultRights, lib.SQLITE_CANTOPEN: FaultRights, lib.SQLITE_AUTH: FaultRights,
	lib.SQLITE_IOERR: FaultDevice, lib.SQLITE_NOMEM: FaultDevice, lib.SQLITE_INTERRUPT: FaultBusy,
	lib.SQLITE_CORRUPT: FaultCorrupt, lib.SQLITE_NOTADB: FaultCorrupt,
}

// FaultOf returns the kind of an error, FaultOther for nil.
func FaultOf(err error) Fault {
	var failed *sqlite.Error
	var path *fs.PathError
	switch {
	case errors.Is(err, ErrNewer), errors.Is(err, ErrForeign), errors.Is(err, ErrNoFile):
		return FaultRefused
	case errors.As(err, &failed):
		return faults[failed.Code()&0xff] // the rest is the extended code
	case errors.As(err, &path):
		return FaultRights
	}
	return FaultOther
}

// Advice says what an operator can do about a fault of the file that a key of the configuration
// names. less is what makes the file smaller.
func (f Fault) Advice(key, less string) string {
	switch f {
	case FaultFull:
		return "free space on the disk of " + key + ", or lower " + less
	case FaultBusy:
		return "end the process that holds the file (fuser names it)"
	case FaultRights:
		return "give the account of linkmilter the right to write the file and its folder"
	case FaultDevice:
		return "look at the disk, the kernel's log and the limits of the process"
	case FaultCorrupt:
		return "look at the disk; linkmilter begins a new file"
	case FaultRefused:
		return "name another file in " + key
	}
	return "report the error: the messages went on"
}
