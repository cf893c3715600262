package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// version is set by the Makefile (-ldflags -X); a plain `go install` leaves
// the module's own version in the build information.
var version string

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of linkmilter, Go and the Unicode tables",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printVersion(cmd.OutOrStdout())
		},
	}
}

func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, `linkmilter %s
%s %s/%s
Unicode: links %s, IDNA %s, normalisation %s, Go %s
`, programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		ucd.Release, idna.UnicodeVersion, norm.Version, unicode.Version)
	if err == nil && !engine.TablesAgree() {
		_, err = fmt.Fprintln(w, olderTables)
	}
	return err
}

// olderTables describes the limits of a build with a Go older than 1.27.
const olderTables = `note: this build's Unicode tables differ in version, so links whose host is not
ASCII are never edited; build with Go 1.27 or newer (GOTOOLCHAIN=auto) to have them edited`

func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
