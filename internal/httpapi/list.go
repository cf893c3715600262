package httpapi

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"net/http"
	"strconv"
)

// answerList writes an object with the fields of head, a list, and a message in base64
// unless that is nil. It needs no memory for the whole: a message may be large, and a list
// long.
func answerList[T any](c *call, head any, name string, list []T, message []byte) error {
	fields, err := marshal(head)
	if err != nil {
		return err
	}
	c.begin(http.StatusOK)
	// An error of writing means that the client is gone. It stays in out.
	out := bufio.NewWriterSize(c.w, 32<<10)
	fields = bytes.TrimSuffix(fields, []byte("}\n"))
	_, _ = out.Write(fields)
	if len(fields) > len("{") {
		_ = out.WriteByte(',')
	}
	_, _ = out.WriteString(strconv.Quote(name) + ":[")
	for i := range list {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		item, err := marshal(&list[i])
		if err != nil {
			return err
		}
		_, _ = out.Write(bytes.TrimSuffix(item, []byte("\n")))
	}
	_ = out.WriteByte(']')
	if message != nil {
		_, _ = out.WriteString(`,"message":"`)
		encoder := base64.NewEncoder(base64.StdEncoding, out)
		_, _ = encoder.Write(message)
		_ = encoder.Close()
		_ = out.WriteByte('"')
	}
	_, _ = out.WriteString("}\n")
	_ = out.Flush()
	return nil
}
