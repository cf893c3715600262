// Package httpapi answers programs over HTTP: it judges messages and links as the filter
// does, returns records, and on request the edited message. The file openapi.json
// describes requests and answers.
//
// It knows HTTP, JSON and tokens. It must not know the configuration file.
package httpapi
