package httpapi

import (
	"mime"
	"net/http"

	"github.com/linkmilter/linkmilter/internal/explain"
)

// typeJSON is the media type of JSON.
const typeJSON = "application/json"

// An explanation is what the command explain prints of a line, or why it cannot.
type explanation struct {
	explain.Record
	Error string `json:"error,omitempty"`
}

// explain explains links, hosts and addresses.
func (c *call) explain() error {
	given := c.r.Header.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(given); err != nil || kind != typeJSON {
		return problemf(http.StatusUnsupportedMediaType, "Content-Type %q: not supported (want application/json)", given).closing()
	}
	var explanations []explanation
	body, err := c.explained("inputs", func(x explain.Explanation, err error) {
		e := explanation{Record: x.Record()}
		if err != nil {
			e.Error = err.Error()
		}
		explanations = append(explanations, e)
	})
	if err != nil {
		return err
	}
	defer body.Free()
	return answerList(c, struct{}{}, "explanations", explanations, nil)
}
