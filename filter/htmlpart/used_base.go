package htmlpart

// base is the used part of a base: absolute, without query and fragment, and with two slashes
// before its host. Its zero value is no base.
type base struct {
	url  string
	name string // of its scheme, in lower case
	end  int    // where its path begins
}

// host returns the base without its path.
func (b base) host() base { return base{b.url[:b.end], b.name, b.end} }
