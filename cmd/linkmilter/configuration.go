package main

import (
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

// configuredFilter returns the filter that serve would use with the same file,
// or without one where path is empty.
func configuredFilter(path string) (*filter.Filter, error) {
	if path == "" {
		file := config.Default()
		return filter.New(file.Filter(nil))
	}
	file, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	names, err := tlds.Open(file.Refresh(nil))
	if err != nil {
		return nil, err
	}
	return filter.New(file.Filter(names.Current().Set))
}
