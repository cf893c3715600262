//go:build linux

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/linkmilter/linkmilter/internal/test/load"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// The addresses of the envelope.
const (
	author    = "anna@" + domain
	addressee = "ben@example.com"
)

// Sizes of the mixed corpus in bytes.
const (
	smallest = 1 << 10
	largest  = 10 << 20
)

// kinds are the kinds of each ten messages: six without links, three in HTML, one hostile.
var kinds = []traffic.Kind{
	traffic.Plain, traffic.HTML, traffic.Plain, traffic.Plain, traffic.HTML, traffic.Plain, traffic.Hostile, traffic.Plain, traffic.HTML, traffic.Plain,
}

var kindNames = map[traffic.Kind]string{traffic.Plain: "without links", traffic.HTML: "HTML", traffic.Linked: "links", traffic.Hostile: "hostile"}

// mixed returns n messages of a seed, of 1 KB to most bytes, the larger the rarer.
func mixed(seed uint64, n int, most float64) stream {
	r := rand.New(rand.NewPCG(seed, 0))
	s := make(stream, n)
	for i := range s {
		kind := kinds[i%len(kinds)]
		size := int(most)
		if i < n-1 {
			size = sizeAt((float64(i)+r.Float64())/float64(n), most)
		}
		composed := traffic.Compose(kind, size, r)
		s[i] = newMail(fmt.Sprintf("%s, %d bytes", kindNames[kind], len(composed.Raw)), author, addressee, composed.Trusted, composed.Raw)
	}
	r.Shuffle(n, func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}

// sizeAt returns the size that a share of the messages does not exceed: nine tenths are
// smaller than 10 KB.
func sizeAt(share, most float64) int {
	const few, steep = 0.9, 4
	if share < few {
		return int(smallest * math.Pow(10, share/few))
	}
	return int(min(most, 10*smallest*math.Pow(most/(10*smallest), math.Pow((share-few)/(1-few), steep))))
}

// header is that of the messages that are alike.
const header = "Received: from client.example.net ([192.0.2.7]) by mx.example.org; Sun, 1 Nov 2026 10:00:00 +0000\r\n" +
	"Date: Sun, 1 Nov 2026 10:00:00 +0000\r\nFrom: Anna <" + author + ">\r\nTo: Ben <" + addressee + ">\r\nSubject: The meeting on Tuesday\r\n" +
	"Message-ID: <load@" + domain + ">\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"

// plain returns a message of prose without links.
func plain(size int) *mail {
	return newMail("without links", author, addressee, true, []byte(header+load.Prose(size)))
}

// linked returns a message of 10 KB with three links, which gets an HTML alternative. Another n
// gives other links.
func linked(sender string, n int) *mail {
	const around = 5000
	return newMail("10 KB, three links", sender, addressee, true, []byte(header+load.Prose(around)+load.NewLinks(n)+load.Prose(around)))
}

// newsletter returns HTML of 100 KB with a hundred links.
func newsletter() *mail {
	const row = `<tr><td align="center" style="font-size:0px;padding:10px 25px"><div style="font-size:13px;color:#333333">` +
		`<a href="https://news.example.com/click?id=%d&amp;user=ben" target="_blank" style="color:#0066cc"><b>Story</b> number %d</a>%s</div></td></tr>` + "\r\n"
	var b strings.Builder
	b.WriteString(strings.Replace(header, "text/plain", "text/html", 1) + "<!DOCTYPE html><html><body><table>\r\n")
	for n := range 100 {
		fmt.Fprintf(&b, row, n, n, load.Prose(700))
	}
	b.WriteString("</table></body></html>\r\n")
	return newMail("newsletter", author, addressee, true, []byte(b.String()))
}
