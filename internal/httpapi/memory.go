package httpapi

const (
	// linkSize is the size of a text for which Work counts as much as for a link in a report,
	// about 1 KiB: it counts eight times the size.
	linkSize = 1024 / 8
	// longLink is the memory for the work on a link of many parts, as a multiple of that on
	// a message of its size.
	longLink = 8
	// shortestString is the size of an empty string in a list, in bytes.
	shortestString = len(`"",`)
	// recordSize is about the size of a record in bytes, beside its texts.
	recordSize = 512
	// textFactor is the memory for the texts of an answer about links, as a multiple of the
	// request: its forms, and all in JSON. One link may be almost all of the request.
	textFactor = 8
)

// work waits for the memory for the work on a text of size bytes, whose links need more
// bytes. The function that it returns ends the work.
func (c *call) work(size int, links int64) (end func(), err error) {
	need := max(int64(size), min(links, c.Budget().Limits().Memory/3))
	granted, end := c.Work(need)
	if granted < need {
		end()
		return nil, busy("no memory for another request (limits.memory): try again")
	}
	return end, nil
}
