//go:build unix

package milter

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// TestBuffersAreNotMixed: connections share buffers, and each gets its own message back, of many
// sizes at once.
func TestBuffersAreNotMixed(t *testing.T) {
	f := realFilter(t)
	client := newClient(startUnix(t, Options{Options: mailserver.Options{Filter: f}}), benchProtocol)
	var sending sync.WaitGroup
	for i := range 8 {
		sending.Go(func() {
			session, err := open(client)
			if err != nil {
				t.Error(err)
				return
			}
			defer session.Close()
			for j := range 40 {
				header := fieldsOf(t, "From", " <a@example.org>", "Subject", fmt.Sprintf(" message %d of %d", j, i))
				link := fmt.Sprintf("See https://example.org/wiki/%%E0%%A4%%AE%d-%d.\r\n", i, j)
				body := link + strings.Repeat(fmt.Sprintf("Line of message %d of %d.\r\n", j, i), (7*i+13*j)%40*j)
				mods, action, err := deliver(session, header, []byte(body), "i", "Q", "{auth_authen}", "alice")
				if err != nil || action.Code != gomilter.ActAccept {
					t.Errorf("%v, %v", action, err)
					return
				}
				var got []byte
				for _, mod := range mods {
					if mod.Code == gomilter.ActReplBody {
						got = append(got, mod.Body...)
					}
				}
				if want := editedBody(t, f, header, body); !bytes.Equal(got, want) {
					t.Errorf("message %d of %d: body of %d bytes, want %d", j, i, len(got), len(want))
				}
			}
		})
	}
	sending.Wait()
}
