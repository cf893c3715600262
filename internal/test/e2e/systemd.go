//go:build linux

package e2e

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// Machine is a running systemd with this system's files and network, which
// sees processes of its own alone. Whatever is written there goes with it.
type Machine struct {
	*Process
	// Shared is a folder that is the same inside and outside.
	Shared string
}

// machineBoot makes of namespaces what systemd takes for a machine. Arguments: an
// empty folder, and the shared one. Changes go to memory; the kernel's settings
// cannot be written; of the devices there are only harmless ones. None of this
// system's services starts, as nothing wants them.
const machineBoot = `
set -eu
work=$1 shared=$2 root=$1/root
mount --make-rprivate /
mount -t tmpfs -o mode=0755 tmpfs "$work"
mkdir "$root" "$work/upper" "$work/overlay"
mount -t overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/overlay" overlay "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mountpoint -q "$root/sys/fs/cgroup" || mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
for node in null zero full random urandom tty; do
	touch "$root/dev/$node"
	mount --bind "/dev/$node" "$root/dev/$node"
done
mkdir "$root/dev/pts" "$root/dev/shm"
for dir in dev/shm run tmp; do mount -t tmpfs -o mode=0755 tmpfs "$root/$dir"; done
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
chmod 1777 "$root/tmp" "$root/dev/shm"
mkdir -p "$root$shared"
mount --bind "$shared" "$root$shared"
units=$root/etc/systemd/system
rm -rf "$units" "$root"/lib/systemd/system/*.wants "$root/lib/systemd/system-generators" "$root/etc/fstab" \
	"$root/usr/local/bin/linkmilter" "$root/etc/linkmilter.toml" "$root/var/log/journal"
mkdir -p "$units" "$root/usr/local/bin"
printf '[Unit]\nDescription=a test\n' > "$units/default.target"
echo 0123456789abcdef0123456789abcdef > "$root/etc/machine-id"
hostname ` + hostName + `
mkdir "$root/old"
cd "$root"
pivot_root . old
cd /
umount -l old
mount --make-rshared / # as systemd expects it of a container's manager, for what it mounts for services
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	"$3" --system --unit=default.target --log-target=journal --show-status=0
`

// StartSystemd starts systemd in namespaces of its own. Shared may be on a file
// system that others do not see.
func StartSystemd(tb testing.TB) *Machine {
	tb.Helper()
	env.NeedRoot(tb)
	program := env.Command(tb, "/lib/systemd/systemd")
	for _, needed := range []string{"nsenter", "pivot_root", "systemctl", "journalctl"} {
		env.Command(tb, needed)
	}
	m := &Machine{Shared: tempDir(tb)}
	cmd := exec.Command("/bin/sh", "-c", machineBoot, "sh", tempDir(tb), m.Shared, program)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWCGROUP,
		Pdeathsig:  syscall.SIGKILL, // it takes SIGTERM for something else
	}
	m.Process = startProcess(tb, "systemd", cmd)
	m.await(tb, "systemd", func() bool {
		if m.ended() {
			env.Missing(tb, "namespaces that systemd runs in:\n"+m.Log())
		}
		_, err := m.run("systemctl", "start", "systemd-journald.service")
		return err == nil
	})
	return m
}

// run runs a program in the machine, in the shared folder, and returns what it printed.
func (m *Machine) run(args ...string) (string, error) {
	cmd := exec.Command("nsenter", append([]string{
		"--target", strconv.Itoa(m.cmd.Process.Pid), "--mount", "--pid", "--uts", "--ipc", "--cgroup",
		"/bin/sh", "-c", `cd "$0" && exec "$@"`, m.Shared,
	}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "SYSTEMD_PAGER="}
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// Run runs a program in the machine, which must succeed.
func (m *Machine) Run(tb testing.TB, args ...string) string {
	tb.Helper()
	out, err := m.run(args...)
	if err != nil {
		tb.Fatalf("%s: %v\n%s\n%s", strings.Join(args, " "), err, out, m.Journal())
	}
	return out
}

// Property returns a property of a unit.
func (m *Machine) Property(tb testing.TB, unit, name string) string {
	tb.Helper()
	return m.Run(tb, "systemctl", "show", "--value", "--property", name, unit)
}

// Journal returns what linkmilter wrote to the journal, and systemd about it.
func (m *Machine) Journal() string {
	out, _ := m.run("/bin/sh", "-c", "journalctl --sync; journalctl --no-pager --output short-monotonic --unit linkmilter.service --unit linkmilter.socket")
	return out
}

// WaitJournal waits for a text in the journal.
func (m *Machine) WaitJournal(tb testing.TB, text string) {
	tb.Helper()
	m.await(tb, "journal with "+text, func() bool { return strings.Contains(m.Journal(), text) })
}

// WaitProperty waits until a property of a unit has a value.
func (m *Machine) WaitProperty(tb testing.TB, unit, name, value string) {
	tb.Helper()
	m.await(tb, unit+" with "+name+"="+value, func() bool { return m.Property(tb, unit, name) == value })
}

// await asks again and again: systemctl has nothing to wait for these with.
func (m *Machine) await(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			tb.Fatalf("no %s after %v\n%s", what, patience, m.Journal())
		}
	}
}

// path returns the path of a file in the shared folder.
func (m *Machine) path(name string) string { return filepath.Join(m.Shared, name) }
