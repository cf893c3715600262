package engine

import (
	"errors"
	"fmt"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// Options select what a Scanner finds. The zero value is the default mode with the
// built-in top-level domains, without suspects and without limits.
type Options struct {
	// Strict asks for exactly UTS #58 §3.5.1 and §5.2. Without it, in default mode, these adjustments
	// change the bounds of a link, as §8 allows a program to do:
	//
	//   - "question mark": a "?" without a query after it ends a sentence (seen
	//     example.com?).
	//   - "punctuation": hyphens, symbols and emoji at the edges of a bare host are left
	//     off (→ example.com, 1️⃣example.com). So is a word in front of a host, up to the
	//     sign between them: any symbol in front of "www." (Web→www.example.com), otherwise
	//     an arrow, a pointing hand, a box line, a geometric shape, © or ®
	//     (Web→example.com). So is the rest of an emoji before an address
	//     (☎️info@example.com).
	//   - "neighbouring text": an ASCII host ends where text touches it on either side, and
	//     an ASCII local-part begins after such text. The text is in a script written without
	//     spaces, a right-to-left script, Ethiopic or Tibetan (請看example.com的,
	//     ב-example.com, ติดต่อinfo@example.com). But a host whose label goes on with such
	//     letters up to a full stop is one host, if it is valid (example.com例え.jp, but not
	//     example.comとexample.jp, which is two).
	//   - "suffixes": a hyphen and letters directly after a top-level domain are the suffix
	//     of a word (example.com-ot), and so are letters of scripts that look unlike Latin
	//     (example.com-ზე, example.comහි). They are not if a dot, colon or "@" before the
	//     next space may belong to a host. A few suffixes after a path are left out, too
	//     (https://example.com/a'dan, /a:ssa, /a-ში).
	//   - "sentence": a sentence that happens to end in a top-level domain is not a bare
	//     host (ありがとう。みんな、). Nor is the end of a sentence with the first word of the next
	//     one, if that word has two letters (Thanks.It). Nor is a sentence directly in front
	//     of an address with a full-width "@" (です。info＠example.jp).
	//   - "list mark": a URL may begin after a hyphen, or after a plus sign without a word in
	//     front of it, although these may be part of a scheme's name (-https://example.com).
	//     An address may begin after hyphens.
	//   - "marks": if a mark or quotation mark is in front of a link, the same mark ends it
	//     (*https://example.com/a*, |https://example.com/a|, 'joe@example.com').
	//   - "punctuation behind ASCII": non-ASCII punctuation ends a path, query or fragment
	//     that is ASCII up to there (/guide，谢谢, but /联合国教育、科学). Such punctuation in front
	//     of another URL ends any link.
	//   - "particles": words such as を, 를 and 了解 directly after ASCII end a path, query
	//     or fragment, unless the URL goes on after them (/pathを見て).
	//   - "dashes": dashes and ellipses at the end of a path, query or fragment are left out
	//     (https://example.com/a…). So are direction marks, and characters that end an
	//     embedding or isolate.
	//   - "less-than sign": a "<" ends a path, query or fragment. Outlook, Exchange and others
	//     write another link or markup directly after a link (/a<https://example.com/a>,
	//     /a<br>, /a<--).
	//   - "underscores": ASCII labels of a host after a scheme may have underscores, because
	//     browsers open such a host (https://my_site.example.com). The labels of a bare host or
	//     an address may not, and no host ends directly in front of an underscore.
	//   - "bare IPv6": an IPv6 address after a scheme needs no brackets, by UASG's good
	//     practice (https://2001:db8::1).
	//
	// In both modes quotes, dashes and other punctuation beyond ASCII, which IDNA2008 does
	// not allow, end a host (UTS #58 §1.4), also on its left (“example.com”).
	//
	// What an adjustment leaves off is text in which links and suspects may begin. A host
	// that an adjustment refuses is a suspect.
	Strict bool
	// TLDs are the top-level domains in which a host name may end; nil means tld.Builtin().
	TLDs *tld.Set
	// Schemes are further schemes whose URLs are links, in addition to http, https, ftp and mailto: for
	// example "tel", "sftp" and "matrix". Any text may follow the colon; it ends where a path would end
	// by UTS #58. New refuses schemes whose URLs hold code, such as javascript.
	Schemes []string
	// Suspects asks for links of KindSuspect, too: text that is not a link by the rules, but that other
	// programs turn into a link. Link.Reason says why it is not a link.
	Suspects bool
	// MaxLinks is the number of links, including suspects, at which the scan of a text stops; 0 means
	// no limit.
	MaxLinks int
	// MaxLinkLen is the length in bytes above which a link is a suspect with ReasonTooLong; 0 means no
	// limit. See Link.Head.
	MaxLinkLen int
}

// DefaultMaxLinkLen is a good value of Options.MaxLinkLen for mail. It is not the default of Options,
// which is no limit. Services that wrap links write URLs of 2 to 4 KiB; longer URLs are rare in honest
// mail.
const DefaultMaxLinkLen = 8 << 10

// validate returns an error for a value that is out of range.
func (o Options) validate() error {
	if o.TLDs != nil && o.TLDs.Len() == 0 {
		return errors.New("empty set of top-level domains")
	}
	if o.MaxLinks < 0 {
		return fmt.Errorf("negative MaxLinks %d", o.MaxLinks)
	}
	if o.MaxLinkLen < 0 {
		return fmt.Errorf("negative MaxLinkLen %d", o.MaxLinkLen)
	}
	return nil
}
