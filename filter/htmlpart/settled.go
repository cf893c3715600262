package htmlpart

import "golang.org/x/net/html"

// Most of an irregular source is regular: a table with a fault is among tables without one. An element is
// settled where a parser reads its content as the pass did, whatever is around it: all that begins in
// it ends in it, and a parser asks for nothing that may be around. Comments, style sheets and scripts are
// settled, too. A parser takes most of the time of a reading, so it gets something short in place of each settled
// piece. If the tree has that where it may be, and shows it as the pass saw it, the pass has read all that
// is in the piece.

// settled is a piece of the source that is settled.
type settled struct {
	start, end int
	kind       html.NodeType // html.ElementNode, html.CommentNode or html.TextNode, for a style sheet or script
	look       look          // of an element
	missed     bool          // the tree shows it in another way than the pass saw it
}
