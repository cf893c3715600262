package httpapi

import (
	"context"
	"mime"
	"net/http"

	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// typeJSON is the media type of JSON.
const typeJSON = "application/json"

// An explanation has the output of the command explain for a line, or an error.
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

// explained explains each text of the list that the body has under a key. A text that is not a
// link, host or address gets an error. It reads as many texts as the limits for a message allow.
// The caller must call Free of the result.
func (c *call) explained(key string, each func(explain.Explanation, error)) (*mailserver.Collected, error) {
	body, err := c.json()
	if err != nil {
		return nil, err
	}
	n, err := c.explainAll(body.Raw, key, each)
	if err == nil && !body.Take(int64(n)*recordSize+int64(len(body.Raw))*textFactor) {
		err = busy("no memory for the answer (limits.memory): try again")
	}
	if err != nil {
		body.Free()
		return nil, err
	}
	return body, nil
}

// explainAll is explained for the content of the body. It returns the number of texts.
func (c *call) explainAll(raw []byte, key string, each func(explain.Explanation, error)) (int, error) {
	ctx, cancel := context.WithTimeout(c.r.Context(), c.Budget().Limits().Time)
	defer cancel()
	defer context.AfterFunc(c.Context(), cancel)()
	_, explainer := c.options.Judges()
	most := explainer.MaxLinks()
	end, err := c.work(len(raw), max(int64(min(len(raw)/shortestString, most))*linkSize, int64(len(raw))*longLink))
	if err != nil {
		return 0, err
	}
	defer end()
	texts, err := readStrings(raw, key, most)
	if err != nil {
		return 0, err
	}
	for _, text := range texts {
		if ctx.Err() != nil {
			return 0, busy("not finished in time (limits.time): send fewer links")
		}
		each(explainer.Explain(text))
	}
	return len(texts), nil
}
