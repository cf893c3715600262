package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/secretfile"
)

// PasswordHash returns the hash of the password for the page, or "".
func (a *Admin) PasswordHash() string {
	if a.passwordHash != "" {
		return a.passwordHash
	}
	return a.Password
}

// asksPassword reports whether the page needs a password.
func (a *Admin) asksPassword() bool { return a.Password != "" || a.PasswordFile != "" }

// CheckListener returns an error for a listener that other machines can reach if the page needs
// no password.
func (a *Admin) CheckListener(l net.Listener) error {
	if a.asksPassword() || (mailserver.ListenConfig{}).CheckListener(l) == nil {
		return nil
	}
	return a.unproven(l.Addr().String())
}

// unproven is the error for an address that other machines can reach.
func (a *Admin) unproven(address string) error {
	return fmt.Errorf("address %q: other machines can reach the page (want password = \"HASH\" in [admin], with the hash that linkmilter password prints, or 127.0.0.1)", address)
}

func (r *reader) validateAdmin(f *File) {
	r.readPassword(&f.Admin)
	switch {
	case f.Admin.Listen == "":
		return
	case f.Admin.IsSocket():
		r.validateAdminSocket(f)
		return
	}
	host, _, err := net.SplitHostPort(f.Admin.Listen)
	if err != nil {
		r.problem("admin.listen", "address %q: not valid (want 127.0.0.1:8896, [::1]:8896 or unix:/path)", f.Admin.Listen)
		return
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() && len(f.Admin.Hosts) == 0 {
		r.problem("admin.listen", "address %q: not a loopback address (want 127.0.0.1 or ::1, or list the names of this host in admin.hosts)", host)
	}
	if err == nil && !ip.IsLoopback() && !f.Admin.asksPassword() {
		r.problem("admin.listen", "%v", f.Admin.unproven(f.Admin.Listen))
	}
	if isListed(f.Milter.Listen, f.Admin.Listen) {
		r.problem("admin.listen", "address %q: also in milter.listen (want another port)", f.Admin.Listen)
	}
}

// readPassword reads the file with the hash of the password.
func (r *reader) readPassword(a *Admin) {
	switch {
	case a.PasswordFile == "" || r.troubled("admin.password_file"):
		return
	case a.Password != "":
		r.problem("admin.password_file", "file %q: beside a password (want one of both keys)", a.PasswordFile)
		return
	case r.withoutKeys:
		return
	}
	text, advice, err := secretfile.Read(a.PasswordFile)
	if err == nil {
		a.passwordHash = strings.TrimSpace(string(text))
		err = bcryptHash(a.passwordHash)
	}
	if err != nil && advice != "" {
		err = errors.New(err.Error() + " (" + advice + ")")
	}
	if err != nil {
		r.problem("admin.password_file", "file %q: %v", a.PasswordFile, err)
	}
}

// validateAdminSocket checks the path of the admin listener.
func (r *reader) validateAdminSocket(f *File) {
	_, path, err := mailserver.ParseAddr(f.Admin.Listen)
	if err != nil {
		r.problem("admin.listen", "%v", err)
		return
	}
	others := map[string]string{"admin.pprof": f.Admin.Pprof}
	for key, addresses := range map[string][]string{"milter.listen": f.Milter.Listen, "content_filter.listen": f.ContentFilter.Listen} {
		for _, address := range addresses {
			if network, taken, err := mailserver.ParseAddr(mailserver.WithScheme(address)); err == nil && network == "unix" && taken == path {
				others[key] = taken
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(others)) {
		if others[key] == path {
			r.problem("admin.listen", "path %q: also in %s (want another path)", path, key)
		}
	}
}
