//go:build linux

package faults

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A program reads a clock by a function that the kernel maps into its memory. To set the clock of
// the machine would affect all programs. Instead, the test replaces that function in one process.
// The new one adds an offset to one clock and leaves the others alone, like a step of the wall
// clock that an operator or NTP makes.

// steppedClock is that function for amd64, up to the number of the clock.
var steppedClock = []byte{
	0xb8, 0xe4, 0x00, 0x00, 0x00, // mov eax, 228 (clock_gettime)
	0x0f, 0x05, //                   syscall
	0x83, 0xff, //                   cmp edi, the number of the clock
}

// steppedClockMiddle follows the number.
var steppedClockMiddle = []byte{
	0x75, 0x0d, // jne to the ret
	0x48, 0xb9, // mov rcx, the offset
}

// steppedClockEnd follows the offset.
var steppedClockEnd = []byte{
	0x48, 0x01, 0x0e, // add [rsi], rcx
	0xc3, //             ret
}

// stepClock moves a clock of a process away from that of the machine.
func stepClock(pid int, clock byte, by time.Duration) error {
	if runtime.GOARCH != "amd64" {
		return errors.New("the clock of a process: not known how to step it on " + runtime.GOARCH)
	}
	start, end, err := mapped(pid, "[vdso]")
	if err != nil {
		return err
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()
	image := make([]byte, end-start)
	if _, err := memory.ReadAt(image, int64(start)); err != nil {
		return err
	}
	at, err := clockFunction(image)
	if err != nil {
		return err
	}
	code := append(append(bytes.Clone(steppedClock), clock), steppedClockMiddle...)
	code = binary.LittleEndian.AppendUint64(code, uint64(by/time.Second))
	code = append(code, steppedClockEnd...)
	return whileOutside(pid, start, end, func() error {
		_, err := memory.WriteAt(code, int64(start+at))
		return err
	})
}

// mapped returns the range of addresses of a mapping of a process.
func mapped(pid int, name string) (start, end uint64, err error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(maps)) {
		if strings.HasSuffix(strings.TrimSpace(line), name) {
			_, err := fmt.Sscanf(line, "%x-%x", &start, &end)
			return start, end, err
		}
	}
	return 0, 0, fmt.Errorf("process %d has no %s", pid, name)
}

// clockFunction returns where the image has the function.
func clockFunction(image []byte) (uint64, error) {
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return 0, err
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return 0, err
	}
	for _, s := range symbols {
		if s.Name == "__vdso_clock_gettime" {
			return s.Value, nil
		}
	}
	return 0, errors.New("no function for the clock")
}

// whileOutside stops a process at a moment when none of its threads is between two
// addresses, and calls do.
func whileOutside(pid int, start, end uint64, do func() error) error {
	for range 200 {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			return err
		}
		time.Sleep(5 * time.Millisecond)
		inside, err := anyInside(pid, start, end)
		if err == nil && !inside {
			err = do()
		}
		err = errors.Join(err, syscall.Kill(pid, syscall.SIGCONT))
		if err != nil || !inside {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("process %d always reads the clock", pid)
}

// anyInside reports whether a thread of a stopped process is between two addresses, or
// still runs.
func anyInside(pid int, start, end uint64) (bool, error) {
	paths, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue
		}
		if err != nil {
			return false, err
		}
		words := strings.Fields(string(data))
		var at uint64
		if _, err := fmt.Sscanf(words[len(words)-1], "0x%x", &at); err != nil || at >= start && at < end {
			return true, nil // a thread that runs has no address
		}
	}
	return false, nil
}

// clockSteps steps the clock back and forth, by a second up to three days. (A step by
// more than history_days would delete what the history has.)
func clockSteps(ctx context.Context, p *program, r *rand.Rand) error {
	for range 2 + r.IntN(4) {
		by := time.Duration(r.Int64N(int64(3*24*time.Hour)) - int64(36*time.Hour))
		if r.IntN(2) == 0 {
			by /= 10_000
		}
		if err := stepClock(p.pid(), unix.CLOCK_REALTIME, by); err != nil {
			return err
		}
		rest(ctx, seconds(r, 0.5, 3))
	}
	return stepClock(p.pid(), unix.CLOCK_REALTIME, 0)
}
