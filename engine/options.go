package engine

import (
	"errors"
	"fmt"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// Options select what a Scanner finds. The zero value is the default mode with the
// built-in top-level domains, without suspects and without limits.
type Options struct {
	// Strict asks for exactly UTS #58 §3.5.1 and §5.2. Without it, in default mode, these
	// adjustments of the bounds of a link hold, which §8 leaves to a higher level:
	//
	//   - "question mark": a "?" without a query behind it ends a sentence (seen
	//     example.com?).
	//   - "punctuation": hyphens, symbols and emoji at the edges of a bare host are left
	//     off (→ example.com, 1️⃣example.com), and so is text up to a symbol
	//     before "www." (Web→www.example.com), or up to an arrow, a pointing hand, a box
	//     line, a geometric shape, © or ® between a word and a host (Web→example.com). So
	//     is the rest of an emoji before an address (☎️info@example.com).
	//   - "neighbouring text": letters of scripts written without spaces, from right to
	//     left, or in Ethiopic or Tibetan end a host in ASCII on either side, and come
	//     before a local-part in ASCII (請看example.com的, ב-example.com,
	//     ติดต่อinfo@example.com), unless they go on to a full stop and the whole is a host
	//     (example.com例え.jp, but example.comとexample.jp).
	//   - "suffixes": a hyphen and letters behind a top-level domain are the suffix of a
	//     word, and so are letters that look unlike Latin ones, unless a dot, colon or "@"
	//     before the next space may belong to a host (example.com-ot, example.com-ზე,
	//     example.comහි). So are a few suffixes behind a path (https://example.com/a'dan,
	//     /a:ssa, /a-ში).
	//   - "sentence": a sentence that happens to end in a top-level domain is not a bare
	//     host (ありがとう。みんな、), and neither is one whose next sentence begins with a word of
	//     two letters (Thanks.It) or with an address with a wide "@" (です。info＠example.jp).
	//   - "list mark": a URL begins behind a hyphen, and behind a plus sign without a word
	//     before it, although these may be a part of the name of a scheme
	//     (-https://example.com). An address begins behind hyphens.
	//   - "marks": a mark or quotation mark before a link ends it where it comes again
	//     (*https://example.com/a*, |https://example.com/a|, 'joe@example.com').
	//   - "punctuation behind ASCII": punctuation beyond ASCII ends a path, query or
	//     fragment that is ASCII up to there (/guide，谢谢, but /联合国教育、科学), and so does such
	//     punctuation before another URL.
	//   - "particles": words such as を, 를 and 了解 directly behind ASCII end a path, query
	//     or fragment, unless a URL goes on behind them (/pathを見て).
	//   - "dashes": dashes and ellipses are not at the end of a path, query or fragment
	//     (https://example.com/a…), and neither are marks of direction and what ends an
	//     embedding or isolate.
	//   - "less-than sign": a "<" ends a path, query or fragment, since what Outlook, Exchange
	//     and others write behind it is another link, or markup (/a<https://example.com/a>,
	//     /a<br>, /a<--).
	//   - "underscores": labels in ASCII of a host behind a scheme may have underscores, which
	//     browsers open (https://my_site.example.com), but not where a host ends before one, nor
	//     those of a bare host or an address.
	//   - "bare IPv6": an IPv6 address behind a scheme needs no brackets, by UASG's good
	//     practice (https://2001:db8::1).
	//
	// In both modes quotes, dashes and other punctuation beyond ASCII, which IDNA2008 does
	// not allow, end a host (UTS #58 §1.4), also on its left (“example.com”).
	//
	// What an adjustment leaves off is text in which links and suspects may begin. A host
	// that an adjustment refuses is a suspect.
	Strict bool
	// TLDs are the top-level domains that the name of a host may end in; nil means
	// tld.Builtin().
	TLDs *tld.Set
	// Schemes are schemes whose URLs are links beside those of http, https, ftp and mailto:
	// for example "tel", "sftp" and "matrix". Any text may follow the colon; it ends where a
	// path would end by UTS #58. New refuses schemes that hold code, such as javascript.
	Schemes []string
	// Suspects asks for links of KindSuspect, too: text that is not a link by the rules,
	// but a link to other programs. Link.Reason says why.
	Suspects bool
	// MaxLinks is the number of links at which the scan of a text stops; 0 means no
	// limit.
	MaxLinks int
	// MaxLinkLen is the length in bytes beyond which a link is a suspect with
	// ReasonTooLong; 0 means no limit. See Link.Head.
	MaxLinkLen int
}

// DefaultMaxLinkLen is a value of Options.MaxLinkLen for mail. Services that wrap links
// write some of 2 to 4 KiB; longer ones are rare in honest mail.
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
