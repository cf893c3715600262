package mime

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-message"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestGoMessageReadsTheSame reads the edited messages of testdata/alternative with go-message,
// which shares only the charset decoders with this package. Its leaves and their texts must be the
// same as here.
func TestGoMessageReadsTheSame(t *testing.T) {
	files, err := filepath.Glob("testdata/alternative/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			raw := string(archive.Files[3].Data)
			for _, raw := range []string{raw, crlf(raw)} {
				entity, err := message.Read(strings.NewReader(raw))
				if err != nil {
					t.Fatal(err)
				}
				want := entityLeaves(t, entity)
				m := parse([]byte(raw), Limits{})
				var got []string
				for leaf := range m.Leaves() {
					content, err := m.content(leaf)
					if err != nil {
						t.Fatal(err)
					}
					if leaf.isText() {
						text, err := m.leafText(leaf)
						if err != nil {
							t.Fatal(err)
						}
						content = []byte(text.content)
					}
					got = append(got, leaf.MediaType, string(content))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// entityLeaves returns the media types and decoded bodies of the leaves of e.
func entityLeaves(t testing.TB, e *message.Entity) []string {
	t.Helper()
	parts := e.MultipartReader()
	if parts == nil {
		mediaType, _, err := e.Header.ContentType()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(e.Body)
		if err != nil {
			t.Fatal(err)
		}
		return []string{mediaType, string(body)}
	}
	var leaves []string
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			return leaves
		}
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, entityLeaves(t, p)...)
	}
}
