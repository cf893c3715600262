package honestmail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/mail"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/internal/envelope"
)

// firstDay is the day of the first messages; each is an hour after the one before.
var firstDay = time.Date(2026, time.November, 2, 6, 12, 0, 0, time.UTC)

// A draft is a message in the making.
type draft struct {
	letter  letter
	service *service
	fill    *filler
	from    *mail.Address
	domain  string // of the sender, or of the option d
	charset string
	words   words // of the language, which services add
	out     bytes.Buffer
}

// compose writes the message of a letter as its service sends it.
func compose(name string, number int, l letter, s *service) (Message, error) {
	display, address, ok := strings.Cut(l.from, "<")
	if !ok {
		return Message{}, fmt.Errorf("sender %q: no address (want Name <address>)", l.from)
	}
	from := &mail.Address{Name: strings.Trim(display, ` "`), Address: strings.TrimSuffix(address, ">")}
	words, ok := languages[l.language]
	if !ok {
		return Message{}, fmt.Errorf("language %q: unknown", l.language)
	}
	date := firstDay.Add(time.Duration(number) * 55 * time.Minute)
	recipient := orElse(l.options["to"], "anna.berg") + "@nordlichtwerke.de"
	if from.Address == recipient {
		recipient = "ole.carstens@nordlichtwerke.de"
	}
	host := from.Address[strings.LastIndex(from.Address, "@")+1:]
	domain := orElse(l.options["d"], host)
	site, err := publicsuffix.EffectiveTLDPlusOne(domain)
	if err != nil {
		site = domain // gov.gr sends mail, too
	}
	site = orElse(l.options["site"], site)
	label, _, _ := strings.Cut(orElse(l.options["name"], site), ".")
	if strings.HasSuffix(domain, ".substack.com") || l.service == "substack" || l.service == "googlegroups" {
		label, _, _ = strings.Cut(from.Address, "@")
	}
	owner, repository, _ := strings.Cut(l.options["repo"], "/")
	d := &draft{letter: l, service: s, from: from, domain: domain, words: words, charset: orElse(l.options["cs"], "utf-8")}
	d.fill = newFiller(name, date, map[string]string{
		"{d}": domain, "{s}": site, "{l}": label, "{from}": from.Address, "{u}": recipient,
		"{r}":    strings.ReplaceAll(recipient[:strings.Index(recipient, "@")], ".", "-"),
		"{repo}": l.options["repo"], "{repon}": repository + "." + owner,
		"{list}": l.options["list"], "{listd}": l.options["listd"],
	})
	sender := strings.Trim(d.fill.fill(s.envelope), "<>")
	if list := l.options["envelope"]; list != "" {
		sender = list
	}
	helo := d.fill.fill(s.helo)
	client, err := netip.ParseAddr(d.fill.fill(s.address))
	if err != nil {
		return Message{}, fmt.Errorf("client %q: %w", s.address, err)
	}
	d.writeHeader(sender, recipient, helo, client, date)
	if err := d.writeBody(); err != nil {
		return Message{}, err
	}
	return Message{
		Name: name, Kind: l.kind, Language: l.language, Service: l.service, Exception: l.options["exception"],
		Raw: d.out.Bytes(),
		Envelope: envelope.Envelope{
			Sender: sender, Recipients: []string{recipient}, Client: client, Helo: helo, Host: Host,
			Authenticated: client.IsPrivate(), BodyType: "8BITMIME",
		},
	}, nil
}

// orElse returns the value, or the other one where it is empty.
func orElse(value, other string) string {
	if value == "" {
		return other
	}
	return value
}

// writeHeader writes the fields before those of the body.
func (d *draft) writeHeader(sender, recipient, helo string, client netip.Addr, date time.Time) {
	const stamp = "Mon, 2 Jan 2006 15:04:05 -0700"
	inside := client.IsPrivate()
	d.field("Return-Path", "<"+sender+">")
	if !inside {
		d.field("Authentication-Results", d.results(sender, client))
	}
	with := "ESMTPS"
	if inside {
		with = "ESMTPSA"
	}
	d.field("Received", fmt.Sprintf("from %s (%s [%s])\r\n\tby %s (Postfix) with %s id %s\r\n\tfor <%s>; %s",
		helo, helo, client, Host, with, d.fill.fill("{hex10}"), recipient, date.Add(2*time.Second).Format(stamp)))
	for _, signature := range d.service.dkim {
		selector, domain, _ := strings.Cut(d.fill.fill(signature), " ")
		d.field("DKIM-Signature", fmt.Sprintf("v=1; a=rsa-sha256; c=relaxed/relaxed; d=%s; s=%s;\r\n\th=from:to:subject:date:message-id:mime-version:content-type;\r\n\tbh=%s=;\r\n\tb=%s",
			domain, selector, d.fill.fill("{b64}"), d.fill.fill("{b64}{b64}\r\n\t {b64}{b64}=")))
	}
	d.field("Date", date.Format(stamp))
	d.field("From", d.address(d.from))
	to := orElse(d.letter.options["header-to"], recipient)
	if to == "anna.berg@nordlichtwerke.de" && d.service.page != "card" {
		to = "Anna Berg <" + to + ">"
	}
	d.field("To", to)
	for _, key := range []string{"Reply-To", "Sender", "Cc", "In-Reply-To"} {
		if value := d.letter.options[key]; value != "" {
			d.field(key, value)
		}
	}
	d.field("Subject", d.phrase(d.letter.subject))
	d.field("Message-ID", "<"+d.fill.fill(d.service.id)+">")
	for _, field := range d.service.header {
		name, value, _ := strings.Cut(d.fill.fill(field), ": ")
		d.field(strings.TrimSuffix(name, ":"), value)
	}
	if d.service.unsubscribe != "" {
		d.field("List-Unsubscribe", strings.ReplaceAll(d.fill.fill(d.service.unsubscribe), ">, <", ">,\r\n <"))
		d.field("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	if auto := d.letter.options["auto"]; auto != "" {
		d.field("Auto-Submitted", auto)
	}
	d.field("MIME-Version", "1.0")
}

// results returns what the receiver found out about the sender.
func (d *draft) results(sender string, client netip.Addr) string {
	results := Host
	for _, signature := range d.service.dkim {
		selector, domain, _ := strings.Cut(d.fill.fill(signature), " ")
		results += fmt.Sprintf(";\r\n\tdkim=pass header.d=%s header.s=%s", domain, selector)
	}
	if len(d.service.dkim) == 0 {
		results += ";\r\n\tdkim=none"
	}
	if sender == "" {
		return results + ";\r\n\tspf=pass smtp.helo=" + d.fill.fill(d.service.helo)
	}
	return results + fmt.Sprintf(";\r\n\tspf=pass (%s: domain of %s designates %s as permitted sender) smtp.mailfrom=%s", Host, sender, client, sender)
}

// field writes a header field.
func (d *draft) field(name, value string) {
	if value == "" {
		d.out.WriteString(name + ":\r\n")
		return
	}
	d.out.WriteString(name + ": " + value + "\r\n")
}

// encode writes a body part with its transfer encoding.
func (d *draft) encode(text, encoding string) error {
	b, err := encodeCharset(text, d.charset)
	if err != nil {
		return err
	}
	switch encoding {
	case "base64":
		wrapped(&d.out, b)
	case "qp":
		return quotedPrintable(&d.out, b)
	default:
		d.out.Write(b)
	}
	return nil
}

// wrapped writes base64 in lines of 76 letters.
func wrapped(out *bytes.Buffer, b []byte) {
	encoded := base64.StdEncoding.EncodeToString(b)
	for len(encoded) > 76 {
		out.WriteString(encoded[:76] + "\r\n")
		encoded = encoded[76:]
	}
	out.WriteString(encoded + "\r\n")
}
