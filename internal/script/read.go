package script

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

const (
	// MaxURLs is the number of URLs of a script that are read.
	MaxURLs = 1 << 10
	// MaxURL is the number of bytes of such a URL that are read.
	MaxURL = 4 << 10
	// maxDecoded is the number of bytes of a script whose strings are decoded.
	maxDecoded = 256 << 10
)

// Texts returns a script or JSON as written, also without escapes if it has any, and the texts that
// it joins or decodes (see Hidden). whole is false if the script is too long for that. Variables
// are not followed.
func Texts(source string) (texts []string, whole bool) {
	texts = append(texts, source)
	plain := Unescape(source)
	if plain != source {
		texts = append(texts, plain)
	}
	if len(source) > maxDecoded {
		return texts, !Decodes(source)
	}
	return append(texts, Hidden(plain)...), true
}

// Documents returns the texts that hold HTML with references.
func Documents(texts []string) (documents []string) {
	for _, text := range texts {
		if !strings.Contains(text, "<") {
			continue
		}
		if lower := strings.ToLower(text); strings.Contains(lower, "href") || strings.Contains(lower, "action=") {
			documents = append(documents, text)
		}
	}
	return documents
}

// URLs returns the first URLs of the web in texts of a script, each once.
func URLs(texts []string) (urls []string) {
	for _, text := range texts {
		for len(urls) < MaxURLs {
			i := ascii.IndexFold(text, "http")
			if i < 0 {
				break
			}
			text = text[i:]
			end := strings.IndexAny(text, "\"'`<> \t\r\n")
			if end < 0 {
				end = len(text)
			}
			url := strings.TrimRight(Unescape(text[:min(end, MaxURL)]), `\`)
			text = text[end:]
			if name, rest := scheme.Name(url); scheme.IsWeb(name) && strings.Trim(rest, `/\`) != "" && !slices.Contains(urls, url) {
				urls = append(urls, url)
			}
		}
	}
	return urls
}
