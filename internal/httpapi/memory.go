package httpapi

// A link of a report takes about 1 KiB, and a short message may have thousands. Work counts
// eight times the size of a message.
const (
	linkSize     = 1024 / 8
	shortestLink = len("a.co ")
	// shortestString is the size of an empty string in a list, in bytes.
	shortestString = len(`"",`)
	// recordSize is about the size of a record in bytes, beside its texts.
	recordSize = 512
)

// work waits for the memory for the work on a text of size bytes with a number of links.
// The function that it returns ends the work.
func (c *call) work(size, links int) (end func(), err error) {
	need := max(int64(size), min(int64(links)*linkSize, c.Budget().Limits().Memory/3))
	granted, end := c.Work(need)
	if granted < need {
		end()
		return nil, busy("no memory for another request (limits.memory): try again")
	}
	return end, nil
}
