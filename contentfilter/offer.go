package contentfilter

import (
	"strconv"
	"strings"
)

// offer holds the extensions of the next hop that the client was told of.
type offer map[string]bool

// passedOn are the extensions of the next hop for which linkmilter only has to pass on parameters.
var passedOn = []string{"8BITMIME", "SMTPUTF8", "DSN", "ENHANCEDSTATUSCODES"}

// newOffer returns what a next hop offers to the client, and the reply to EHLO: the
// extensions that are passed on, and those of linkmilter. withTLS and withXForward
// say whether the client may use STARTTLS and XFORWARD.
func newOffer(o *Options, h *hop, withTLS, withXForward bool) (offer, reply) {
	lines := []string{o.Name, "PIPELINING"}
	offered := offer{}
	for _, keyword := range passedOn {
		if h.offers(keyword) {
			offered[keyword] = true
			lines = append(lines, keyword)
		}
	}
	switch size := smaller(o.MaxSize, h.maxSize()); {
	case size > 0:
		lines = append(lines, "SIZE "+strconv.FormatInt(size, 10))
	case h.offers("SIZE"):
		lines = append(lines, "SIZE")
	}
	if withTLS {
		lines = append(lines, "STARTTLS")
	}
	if withXForward {
		lines = append(lines, "XFORWARD "+strings.Join(xforwardNames, " "))
	}
	lines = append(lines, "LIMITS RCPTMAX="+strconv.Itoa(o.recipients())) // RFC 9422
	var b strings.Builder
	for i, line := range lines {
		separator := "-"
		if i == len(lines)-1 {
			separator = " "
		}
		b.WriteString("250" + separator + line + "\r\n")
	}
	return offered, reply{250, b.String()}
}

// smaller returns the smaller of two limits, where 0 means no limit.
func smaller(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// needs says which extension a parameter of MAIL or RCPT belongs to.
var needs = map[string]string{
	"BODY": "8BITMIME", "SMTPUTF8": "SMTPUTF8", "SIZE": "SIZE",
	"RET": "DSN", "ENVID": "DSN", "NOTIFY": "DSN", "ORCPT": "DSN",
}

// passable returns the parameters that a next hop gets, or the refusal of a parameter that it does
// not support. If an extension was offered before and is missing now, the refusal is temporary.
func (o offer) passable(h *hop, params []string) ([]string, reply) {
	var passed []string
	for _, param := range params {
		keyword, value, _ := strings.Cut(strings.ToUpper(param), "=")
		extension := needs[keyword]
		switch {
		case h.offers(extension):
			passed = append(passed, param)
		case keyword == "SIZE", keyword == "BODY" && value == "7BIT", keyword == "AUTH":
			// The message loses nothing without it.
		case o[extension]:
			return nil, newReply(451, "4.4.1", "Next hop does not offer "+extension+" now, try again later")
		default:
			return nil, newReply(555, "5.5.4", keyword+" is not offered")
		}
	}
	return passed, reply{}
}
