package filter

// A Filter reads, judges and edits messages by its rules. It may be used by
// several goroutines at once.
type Filter struct {
	rules []Rule
}
