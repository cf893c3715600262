package main

// predicates are the conditions that need code. Each checks that a change is of
// exactly one kind, so that it hides no other.
var predicates = map[string]term{
	"host-goes-on":          hostGoesOn,
	"host-goes-on-unlinked": hostGoesOnUnlinked,
	"full-width-host":       fullWidthHost,
	"reading-severity":      readingSeverity,
	"reading-in-table":      readingInTable,
	"chosen-reason-tag":     chosenReasonTag,
	"link-too-long":         linkTooLong,
	"forged-field":          forgedField,
	"escaped-error":         escapedError,
	"bom":                   bomIgnored,
	"defang":                defangWidened,
	"bare-host":             bareHostUnlinked,
	"late-tags":             lateTags,
	"detail-in-table":       detailInTable,
	"as-objects":            asObjects,
	"own-fields":            ownFieldsFollow,
	"fewer-links":           fewerLinks,
	"anchors":               anchorsFollow,
	"text-target":           textTarget,
	"name-shown":            nameShown,
	"forged-nul":            forgedNUL,
	"more-forged":           moreForged,
	"full-width-explained":  fullWidthExplained,
	"within-limit":          withinLimit,
	"config-wording":        configWording,
	"listens":               listens,
}
