package policy_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// homographKinds has letters that people read as ASCII letters, by kind.
var homographKinds = map[string]map[string]string{
	"Cyrillic": {"a": "а", "c": "с", "e": "е", "o": "о", "p": "р", "x": "х", "y": "у", "i": "і", "j": "ј", "s": "ѕ", "k": "к", "h": "һ"},
	"Greek":    {"o": "ο", "v": "ν", "a": "α", "i": "ι", "p": "ρ", "u": "υ", "k": "κ"},
	"strokes":  {"d": "đ", "l": "ł", "o": "ø", "h": "ħ", "t": "ŧ", "i": "ı", "n": "ŋ", "b": "ƀ", "z": "ƶ"},
	"forms":    {"e": "ə", "c": "ƈ", "p": "ƥ", "k": "ⱪ", "h": "ⱨ", "u": "ʉ", "i": "ɩ", "r": "ɍ", "b": "ƅ", "y": "ɏ", "s": "ȿ", "m": "ɱ", "n": "ɲ", "w": "ⱳ", "q": "ɋ", "z": "ƶ", "v": "ʋ"},
	"ASCII":    {"m": "rn", "w": "vv", "d": "cl", "o": "0", "l": "1"},
}

// TestHomographs replaces letters of listed and popular names of five letters or more. Of the
// results, at least 98 % have a finding of medium or above.
func TestHomographs(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	j := newJudge(t, policy.Options{})
	sites := brandDomains(t)
	var popular []string
	for line := range hostsOf(t, "lists/popular.txt") {
		popular = append(popular, strings.TrimSpace(line))
	}
	random.Shuffle(len(popular), func(i, k int) { popular[i], popular[k] = popular[k], popular[i] })
	sites = append(sites, popular[:long.Rows(len(popular), 600)]...)
	for kind, letters := range homographKinds {
		c := &tally{}
		for _, site := range sites {
			name, suffix, _ := strings.Cut(site, ".")
			if len(name) < 5 || strings.HasPrefix(name, "xn--") || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" {
				continue
			}
			at := random.IntN(len(name))
			for range name {
				if letters[name[at:at+1]] != "" {
					break
				}
				at = (at + 1) % len(name)
			}
			like := letters[name[at:at+1]]
			if like == "" {
				continue
			}
			host := name[:at] + like + name[at+1:] + "." + suffix
			link, err := engine.ParseLink("https://" + host + "/")
			if err != nil {
				continue
			}
			c.all++
			switch v := j.Link(link); {
			case v.Worst() >= policy.SeverityMedium:
				c.found++
			case policy.IsPopular(host):
				c.honest++
			default:
				c.missed = append(c.missed, host)
			}
		}
		c.check(t, kind)
	}
}
