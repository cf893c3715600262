package record

import (
	"slices"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// OfMessage returns the findings of f about a message itself. Each place that
// was not read has a record: part is the number of the part, "" for the whole
// message. Detail and severity are those of its reason. Fields other than file,
// part, kind and findings are empty.
func OfMessage(file string, f *filter.Filter, r *report.Report) []Record {
	var all []Record
	add := func(part string, finding policy.Finding) {
		all = append(all, Record{File: file, Part: part, Kind: KindMessage, Findings: []policy.Finding{finding}})
	}
	for _, finding := range r.Findings {
		switch finding.Code {
		case report.CodePartial, report.CodeUnreadable:
			for _, u := range notReadPlaces(r) {
				add(u.part, policy.Finding{Code: finding.Code, Severity: f.ReadingSeverity(finding.Code, u.reason), Detail: string(u.reason)})
			}
		case report.CodeForgedField:
			add("header:"+report.FieldSummary, finding)
		default:
			add("", finding)
		}
	}
	return all
}

// notReadPlace is a place that was not read to its end, and why.
type notReadPlace struct {
	part   string
	reason report.Reason
}

// notReadPlaces returns the parts that were not read, in order, and then the
// reasons that do not belong to a part.
func notReadPlaces(r *report.Report) []notReadPlace {
	var places []notReadPlace
	known := make(map[report.Reason]bool)
	for _, p := range r.Parts {
		if p.Reason != "" {
			places = append(places, notReadPlace{p.Number, p.Reason})
			known[p.Reason] = true
		}
	}
	for _, reason := range r.Reasons {
		if !known[reason] {
			places = append(places, notReadPlace{"", reason})
		}
	}
	return places
}

// Append appends to all the records of a message in a file: those of [OfMessage], then
// one for each link. The result is not nil.
func Append(all []Record, file string, f *filter.Filter, r *report.Report) []Record {
	if all == nil {
		all = []Record{}
	}
	all = slices.Grow(append(all, OfMessage(file, f, r)...), len(r.Links))
	for i := range r.Links {
		all = append(all, New(file, r.Links[i]))
	}
	return all
}
