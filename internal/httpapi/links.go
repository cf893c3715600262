package httpapi

import (
	"context"
	"net/http"

	"github.com/linkmilter/linkmilter/internal/explain"
)

// explained explains each text, with an error for one that is not a link, host or address.
// It reads as many as the limits for a message allow.
func (c *call) explained(texts []string, size int, each func(explain.Explanation, error)) error {
	_, explainer := c.options.Judges()
	switch most := explainer.MaxLinks(); {
	case len(texts) == 0:
		return problemf(http.StatusBadRequest, "no link (want at least one)")
	case len(texts) > most:
		return problemf(http.StatusRequestEntityTooLarge, "%d links: too many (want at most %d, limits.links)", len(texts), most)
	}
	ctx, cancel := context.WithTimeout(c.r.Context(), c.Budget().Limits().Time)
	defer cancel()
	defer context.AfterFunc(c.Context(), cancel)()
	end, err := c.work(size, len(texts))
	if err != nil {
		return err
	}
	defer end()
	for _, text := range texts {
		if ctx.Err() != nil {
			return busy("not finished in time (limits.time): send fewer links")
		}
		each(explainer.Explain(text))
	}
	return nil
}
