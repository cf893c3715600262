// Package policy judges links as a careful browser does: by UTS #39 (Unicode Security
// Mechanisms) and UTS #46, by further rules of browsers, and by likeness to domains that
// phishing often imitates.
//
// [Judge.Link] takes a link of package engine and returns a [Verdict]: its findings, and
// whether a reader may see the host in Unicode.
//
//	var judge policy.Judge
//	verdict := judge.Link(link)
//	if verdict.Worst() >= policy.SeverityMedium {
//		// do not make the link clickable
//	}
//
// Other methods compare a link with the text that a reader sees for it. These are
// [Judge.TextTarget], [Judge.LabelTarget], [Judge.TextScheme] and, for addresses,
// [Judge.DisplayName].
//
// Versions are semantic. Codes keep their names and their meaning; the severity of a
// finding, and what a code finds, may change with a minor version.
//
// The package does not act on findings, reads no files and makes no network request. Its lists
// of domains and words are in the program.
package policy
