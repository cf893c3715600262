package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// combined is how many messages combinedMessages returns.
const combined = 420

// combinedMessages returns messages put together at random, the same in each run: greetings,
// sentences, links of many kinds, lists, signatures and quoted replies.
func combinedMessages() []message {
	all := make([]message, 0, combined)
	for n := range combined {
		c := combination{chance: rand.New(rand.NewPCG(58, uint64(n))), index: n % len(languages)}
		c.language = languages[c.index]
		text := c.text()
		form := "combined"
		if c.quotes {
			form = "combined-reply"
		}
		all = append(all, message{
			fmt.Sprintf("%s-%s-%d", c.code, form, n),
			[]byte(head(n, form) + encoded("plain", "utf-8", text, n)), c.escapes && c.sentences > 0,
		})
	}
	return all
}

// A combination is a message that is combined by chance.
type combination struct {
	language
	index     int // of the language
	chance    *rand.Rand
	sentences int
	escapes   bool // a link outside of quoted text is over-escaped
	quotes    bool
}

// text returns the text of the message.
func (c *combination) text() string {
	var b strings.Builder
	if c.percent(70) {
		b.WriteString(c.greeting + "\n\n")
	}
	for range 1 + c.chance.IntN(3) {
		b.WriteString(c.paragraph())
	}
	switch c.chance.IntN(5) {
	case 0:
		b.WriteString("\n" + c.thanks + "\n")
	case 1:
		b.WriteString("\n-- \n" + c.thanks + "\nm.novak@example.org\n")
	case 2:
		b.WriteString("\n-- \nMarek Novak\nhttps://www.example.org/\n+42 1 2345 678\n")
	}
	if c.quotes = c.percent(30); c.quotes {
		b.WriteString("\n> " + c.sentence + "\n> " + escaped(c.page) + "\n> " + c.another + "\n")
	}
	return b.String()
}

// paragraph returns sentences with links among them.
func (c *combination) paragraph() string {
	switch c.chance.IntN(8) {
	case 0:
		return c.said() + "\n"
	case 1:
		return c.said() + " " + c.link() + "\n"
	case 2:
		return c.said() + " (" + c.link() + ") " + c.said() + "\n"
	case 3:
		return c.link() + "\n"
	case 4:
		return c.said() + "\n" + c.list() + "\n"
	case 5:
		return c.list() + "\n"
	case 6:
		return c.link() + " " + c.said() + "\n\n"
	}
	return c.said() + "\n" + c.link() + "\n\n"
}

func (c *combination) percent(n int) bool { return c.chance.IntN(100) < n }

// said returns a sentence.
func (c *combination) said() string {
	c.sentences++
	return []string{c.sentence, c.another, c.short}[c.chance.IntN(3)]
}

// list returns two to four links as a list.
func (c *combination) list() string {
	mark := []string{"* ", "- ", "1. ", ""}[c.chance.IntN(4)]
	var lines []string
	for range 2 + c.chance.IntN(3) {
		lines = append(lines, mark+c.link())
	}
	return strings.Join(lines, "\n")
}

// link returns a link as people or programs write it.
func (c *combination) link() string {
	_, path, _ := strings.Cut(c.page, "/")
	other := otherLinks(c.index)[c.chance.IntN(3)]
	switch c.chance.IntN(16) {
	case 0, 1, 2, 3:
		c.escapes = true
		return escaped(c.page)
	case 4:
		c.escapes = true
		return strings.Replace(strings.ToLower(escaped(c.page)), "https", "http", 1)
	case 5:
		c.escapes = true
		return escaped("www.example.de/"+path) + "?q=1&lang=" + c.code
	case 6:
		c.escapes = true
		return strings.TrimPrefix(escaped("www.example.de/"+path), "https://")
	case 7:
		c.escapes = true
		return other
	case 8:
		return "https://" + c.host + "/"
	case 9:
		return "https://" + c.host + "/" + path
	case 10:
		c.escapes = true
		return escaped(aLabels(c.host) + "/" + path)
	case 11:
		return "https://" + aLabels(c.host) + "/"
	case 12:
		return "ann@example.com"
	case 13:
		return "https://" + c.page
	case 14:
		return "mailto:ann@example.com"
	}
	return "https://www.example.com/schedule.html"
}
