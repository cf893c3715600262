package htmltoken

import "golang.org/x/net/html/atom"

// IsVoid reports whether the element has no content and no end tag (HTML §13.1.2, and
// §13.2.6.4.7 for those that are out of use).
func IsVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr, atom.Img,
		atom.Input, atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// IsFormatting reports whether a parser opens the element again where another that ends has
// closed it (HTML §13.2.4.3).
func IsFormatting(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong,
		atom.Tt, atom.U:
		return true
	}
	return false
}

// IsHeading reports whether the element is h1 to h6.
func IsHeading(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
