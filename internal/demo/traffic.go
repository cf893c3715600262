package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"net"

	"github.com/linkmilter/linkmilter/internal/mta"
)

// sendTraffic sends the sample messages, those of users and those of strangers, through the milter
// on a Unix socket.
func sendTraffic(socket string) error {
	number := 0
	for _, from := range []struct {
		files  embed.FS
		client string
	}{{samples, here}, {traffic, elsewhere}} {
		names, err := fs.Glob(from.files, "*/*.eml")
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := from.files.ReadFile(name)
			if err != nil {
				return err
			}
			number++
			message := []byte(mta.CRLF(string(data)))
			s := session{
				server:  &server{milter: &net.UnixAddr{Name: socket, Net: "unix"}, client: from.client},
				queueID: fmt.Sprintf("4hDm%04dz", number), sender: value(message, "From"), recipients: []string{value(message, "To")},
			}
			if _, err := s.filter(message); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
