package main

import (
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/policy"
)

// messageRecords returns what was found about a message itself. Of what could
// not be read there is one record a place: part is the number of the part, ""
// for the whole message, and the detail is the reason. Other fields than file,
// part, kind and findings are empty.
func messageRecords(file string, report *filter.Report) []record {
	var all []record
	add := func(part string, f policy.Finding) {
		all = append(all, record{File: fileName(file), Part: part, Kind: kindMessage, Findings: []policy.Finding{f}})
	}
	for _, f := range report.Findings {
		switch f.Code {
		case filter.CodePartial, filter.CodeUnreadable:
			for _, u := range notReadPlaces(report) {
				add(u.part, policy.Finding{Code: f.Code, Severity: f.Severity, Detail: string(u.reason)})
			}
		case filter.CodeForgedField:
			add("header:"+header.FieldSummary, f)
		default:
			add("", f)
		}
	}
	return all
}

// notReadPlace is a place that was not read to its end, and why.
type notReadPlace struct {
	part   string
	reason filter.Reason
}

// notReadPlaces returns the parts that were not read, in order, and then the
// reasons that are none of a part.
func notReadPlaces(report *filter.Report) []notReadPlace {
	var places []notReadPlace
	known := make(map[filter.Reason]bool)
	for _, p := range report.Parts {
		if p.Reason != "" {
			places = append(places, notReadPlace{p.Number, p.Reason})
			known[p.Reason] = true
		}
	}
	for _, reason := range report.Reasons {
		if !known[reason] {
			places = append(places, notReadPlace{"", reason})
		}
	}
	return places
}
