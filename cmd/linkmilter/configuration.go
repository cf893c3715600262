package main

import (
	"cmp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

// configuredFilter returns the filter that serve would use with the same file,
// or without one where path is empty.
func configuredFilter(path string) (*filter.Filter, error) {
	options, err := optionsOf(path, config.Load)
	if err != nil {
		return nil, err
	}
	return filter.New(options)
}

// configuredOptions returns the options of configuredFilter's filter without signing:
// commands that only judge need not read the keys.
func configuredOptions(path string) (filter.Options, error) {
	return optionsOf(path, config.LoadWithoutKeys)
}

func optionsOf(path string, load func(string) (*config.File, error)) (filter.Options, error) {
	if path == "" {
		file := config.Default()
		return file.Filter(nil), nil
	}
	file, err := load(path)
	if err != nil {
		return filter.Options{}, err
	}
	names, err := tlds.Open(file.Refresh(nil))
	if err != nil {
		return filter.Options{}, err
	}
	return file.Filter(names.Current().Set), nil
}

// readLimit returns how many bytes of a message show a filter all that it reads, and that
// there are more.
func readLimit(o filter.Options) int {
	return cmp.Or(o.Limits.Message, filter.DefaultOptions().Limits.Message) + 1
}
