package engine

import (
	"strconv"
	"strings"
)

// reason returns why an authority is not valid, or otherwise if it is. It looks for the
// reasons in the order of their declaration, except for those that need a valid host.
func (h *hostRules) reason(authority string, otherwise Reason) Reason {
	host, port, hasPort := strings.Cut(authority, ":")
	switch {
	case strings.Contains(authority, "@"):
		return ReasonUserinfo
	case strings.HasPrefix(authority, "["), isIPv6(authority):
		return ReasonInvalidIP
	case host == "":
		return ReasonNoHost
	}
	if r := h.hostReason(host); r != "" {
		return r
	}
	switch {
	case hasPort && port != "" && (!isPort(port) || otherwise == ""):
		return ReasonInvalidPort
	case otherwise != "":
		return otherwise
	}
	return ReasonInvalidHost
}

// isPort reports whether port is a port number.
func isPort(port string) bool {
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

// hostReason returns why a host is not valid, or "".
func (h *hostRules) hostReason(host string) Reason {
	name := strings.TrimSuffix(labelDots.Replace(host), ".")
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case name == "":
		return ReasonNoHost
	case hasEmptyLabel(name), strings.HasSuffix(name, "."):
		return ReasonEmptyLabel
	case strings.ContainsFunc(name, func(r rune) bool { return r != '.' && r != '_' && !h.isInHost(r) }):
		return ReasonInvalidHost
	case strings.Contains(name, "_"):
		return ReasonUnderscore
	}
	if len(host) <= maxTyped {
		// An address may have full-width digits, too.
		if ascii, err := detection.ToASCII(name); err == nil {
			name, last = ascii, ascii[strings.LastIndexByte(ascii, '.')+1:]
		}
		if endsInNumber(name) {
			if _, err := ipv4(name); err != nil {
				return ReasonInvalidIP
			}
			return ReasonObfuscatedIP
		}
	}
	for _, l := range labels {
		if strings.HasPrefix(l, "-") || strings.HasSuffix(l, "-") {
			return ReasonHyphen
		}
	}
	switch {
	case len(labels) == 1:
		return ReasonSingleLabel
	case !h.tlds.Contains(last):
		return ReasonUnknownTLD
	}
	if _, ok := h.names.judge(name); ok {
		return ""
	}
	if isTooLong(host) {
		return ReasonTooLong
	}
	return ReasonInvalidIDNA
}

// isTooLong reports whether a label or the name is over the limits of RFC 1035
// §2.3.4. A host without an ASCII form is not.
func isTooLong(host string) bool {
	if len(host) > maxTyped {
		return true
	}
	ascii, err := lookup.ToASCII(host)
	if err != nil {
		return false
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if len(label) > maxLabel {
			return true
		}
	}
	return len(strings.TrimSuffix(ascii, ".")) > maxName
}
