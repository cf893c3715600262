package main

import (
	_ "embed"
	"html/template"
)

//go:embed trial.html
var trialReport string

// trialTemplate writes the report of `try` as one HTML file.
var trialTemplate = template.Must(template.New("trial.html").Parse(trialReport))
