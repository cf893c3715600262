// Package engine finds links in text, exactly as UTS #58 (Unicode Linkification) says,
// and writes them in the forms that people and programs need.
//
// A [Scanner] finds URLs and e-mail addresses in strings and bytes:
//
//	var scanner engine.Scanner
//	for link := range scanner.All("See example.com/größe, or write to info@example.com.") {
//		fmt.Println(link.Text, link.Href())
//	}
//
// Each [Link] has its bounds in the text, its parts ([Link.Components]), its host with
// A-labels and U-labels, the URL that a browser opens ([Link.Href]), and a form for
// people that opens the same URL ([Link.Readable]). [ParseLink] makes a Link of a whole
// string, as from an address bar.
//
// # Modes
//
// UTS #58 says where a link ends. With [Options.Strict] a Scanner does exactly that.
// Without it, in default mode, a few adjustments do what people expect in running text.
//
// # Suspects
//
// Some texts are not links by the rules, but other programs turn them into links, such as
// http://paypal.com@evil.example. With [Options.Suspects] a Scanner also finds these, as links of
// [KindSuspect], so that a program can judge or defang them.
//
// # Forms of a URL
//
// Which function is for what:
//
//	to                                       from a Link    from a string    from data
//	open it: ASCII, as browsers write it     Link.Href      FormatASCII
//	show it to people who rely on it         Link.Readable
//	store or send it with few escapes                       Format           Structure.Minimal
//	complete a relative reference                           Resolve
//
// Format and Structure.Minimal write minimal escapes (UTS #58 §4): percent-escapes only
// where a URL needs them. Link.Readable also keeps escapes of characters that could mislead
// readers, such as invisible ones. [ParseLink] makes a Link of a string.
//
// # URLs from elsewhere
//
// [Resolve] completes a relative reference, and [Equivalent] compares two URLs, both as browsers do.
// [Scanner.LinkEnd] returns the end of a link whose host another program found.
//
// # Compatibility
//
// Versions are semantic. The names of this package stay, but a minor version may find other links,
// because of new Unicode data, new top-level domains or a new adjustment.
//
// The package reads no files, makes no network request and logs nothing. Package policy
// says whether a link is safe to show, and package linkify writes links as HTML.
package engine
