package config

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/dnslist"
)

// DNSLists returns the block lists in the DNS, and how they are asked.
func (f *File) DNSLists() dnslist.Options {
	o := dnslist.Options{Servers: f.DNS.Servers, Time: time.Duration(f.DNS.Time)}
	for i := range f.DNS.Lists {
		o.Zones = append(o.Zones, f.DNS.Lists[i].zone())
	}
	return o
}

func (l *DNSList) zone() dnslist.Zone {
	return dnslist.Zone{Name: l.Name, Zone: strings.TrimSuffix(strings.ToLower(l.Zone), "."), Format: dnslist.Format(l.Format), Watch: l.Means == "watch", Severity: l.Severity}
}

// validateDNS notes block lists in the DNS that cannot be asked.
func (r *reader) validateDNS(d *DNS) {
	if time.Duration(d.Time) > dnslist.LongestTime && !r.troubled("dns.time") {
		r.problem("dns.time", "time %q: too long, mail waits for it (want at most %q)", d.Time, Duration(dnslist.LongestTime))
	}
	for i := range d.Lists {
		l, at := &d.Lists[i], element("dns.list", i)
		if r.troubled(at) {
			continue
		}
		zone := l.zone()
		if err := zone.Validate(); err != nil {
			key, text, _ := strings.Cut(err.Error(), ": ")
			r.problem(at+"."+key, "%s", text)
		} else if slices.ContainsFunc(d.Lists[:i], func(other DNSList) bool { return strings.EqualFold(other.Name, l.Name) }) {
			r.problem(at+".name", "name %q: used by a list above (want another name)", l.Name)
		}
	}
}

// resolver refuses what is not the address of a resolver with its port.
func resolver(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = netip.ParseAddr(host)
	}
	if n, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil || n == 0 {
		return fmt.Errorf("resolver %q: not an IP address with a port (want 127.0.0.1:53)", text)
	}
	return nil
}
