package filter_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"time"

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

// TestFilesInXMLOnce: a file that is in all readings of the charset of another is read once.
func TestFilesInXMLOnce(t *testing.T) {
	f := newFilter(t, filter.Options{})
	nested := func(deep int) string {
		source := "<html><body>\x83\xfc\x1b$B~{" + strings.Repeat("<a href=http://m\xfcller.de/>\xe9\xff</a>", 300)
		for range deep {
			source = "<?xml version=\"1.0\"?><plist><data>" + base64.StdEncoding.EncodeToString([]byte(source)) + "</data><string>\x83\xfc\x1b$B~{</string></plist>"
		}
		return source
	}
	took := func(deep int) time.Duration {
		message := attached("application/octet-stream", "x.plist", nested(deep))
		start := time.Now()
		f.Scan(message)
		return time.Since(start)
	}
	took(1)
	if one, four := took(1), took(4); four > 20*one {
		t.Errorf("%v, in four files %v", one, four)
	}
}
