package service

import (
	"io"
	"os"
)

// Options say what to run.
type Options struct {
	Config        string    // path of the configuration file; "": the defaults
	Milter        []string  // addresses to listen on instead of the file's milter.listen
	ContentFilter []string  // addresses to listen on instead of the file's content_filter.listen; milter.listen then does not count
	HTTP          []string  // addresses to listen on instead of the file's http.listen
	NextHop       string    // instead of the file's content_filter.next_hop
	Version       string    // of the program
	Log           io.Writer // destination of the log
	// Signals are those of the process: SIGHUP reads the configuration again,
	// any other stops the service, and a second one stops it at once.
	Signals <-chan os.Signal
}

// A ConfigError says that the service did not start because of its configuration: a
// restart would not help.
type ConfigError struct{ Err error }

func (e *ConfigError) Error() string { return e.Err.Error() }
func (e *ConfigError) Unwrap() error { return e.Err }
