package contentfilter

import (
	"bufio"
	"fmt"
	"net"
)

// probe reads the greeting and quits.
func probe(client net.Conn) error {
	in := bufio.NewReaderSize(client, maxReplyLine)
	greeting, err := readReply(in)
	if err == nil && greeting.code != 220 {
		err = fmt.Errorf("greeting %q", greeting.text)
	}
	if err != nil {
		return err
	}
	if _, err := client.Write([]byte("QUIT\r\n")); err != nil {
		return err
	}
	_, err = readReply(in)
	return err
}
