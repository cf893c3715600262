// Package secretfile reads files with secrets, such as private keys and tokens, and refuses
// those that other users of the machine may read or change.
package secretfile
