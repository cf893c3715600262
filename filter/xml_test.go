package filter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// TestFilesInXMLEnd: the texts of XML are searched for files until the context ends.
func TestFilesInXMLEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := "<a>" + strings.Repeat("QUFB", 99) + "</a>"
	source := "<a>" + strings.Repeat("x ", meter.Every) + "</a>" + file
	if got := filter.FilesInXML(t.Context(), source); got != 1 {
		t.Errorf("%d files", got)
	}
	for _, source := range []string{source, "<a>" + strings.Repeat("QUFB", meter.Every) + "</a>" + file} {
		if got := filter.FilesInXML(ctx, source); got != 0 {
			t.Errorf("%d files after the end", got)
		}
	}
}
