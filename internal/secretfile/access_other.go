//go:build !unix

package secretfile

import "io/fs"

// checkAccess checks nothing, because files have no permission bits here.
func checkAccess(fs.FileInfo) (advice string, err error) { return "", nil }
