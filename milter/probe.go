package milter

import (
	"fmt"
	"io"

	gomilter "github.com/emersion/go-milter"
)

// probe sends the smallest offer that an MTA can make, and reads the answer.
func probe(mta io.ReadWriter) error {
	offer := []byte{
		0, 0, 0, 13, byte(gomilter.CodeOptNeg),
		0, 0, 0, 2, // version
		0, 0, 0, 0, // actions
		0, 0, 0, 0, // no-reply flags and the like
	}
	if _, err := mta.Write(offer); err != nil {
		return err
	}
	answer := make([]byte, len(offer))
	if _, err := io.ReadFull(mta, answer); err != nil {
		return err
	}
	if answer[3] != offer[3] || answer[4] != byte(gomilter.CodeOptNeg) {
		return fmt.Errorf("unexpected answer %x", answer)
	}
	_, err := mta.Write([]byte{0, 0, 0, 1, byte(gomilter.CodeQuit)})
	return err
}
