package main

import (
	"os"

	"github.com/linkmilter/linkmilter/filter"
)

// defaultOptions are those of a filter without a configuration. It signs its
// header fields with the name of this host, where that is fit for it.
func defaultOptions() filter.Options {
	name, err := os.Hostname()
	if err != nil || filter.ValidateID(name) != nil {
		return filter.Options{}
	}
	return filter.Options{ID: name}
}
