package config

import (
	"reflect"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// reviewRules warns of rules and of their keys that have no effect.
func (r *reader) reviewRules(f *File) {
	var valid []rule.Rule
	var index []int // indexes of the valid rules
	for i, u := range f.Rules {
		at := r.rules[i]
		if at != "" && r.troubled(at) {
			continue
		}
		valid, index = append(valid, u), append(index, i)
		if at != "" {
			r.reviewRule(at, f, &u)
		}
	}
	for _, remark := range unreachable(valid) {
		switch at := r.rules[index[remark.rule]]; {
		case at == "":
			text, _, _ := strings.Cut(remark.text, " (want ")
			r.warn("builtin_rules", "built-in %s (want the name \"others\" for the rule for all other mail, or narrower conditions there)", text)
		case remark.key == "":
			r.warn(at, "%s", remark.text)
		default:
			r.warn(at+"."+remark.key, "%s", remark.text)
		}
	}
	trusted := func(u rule.Rule) bool { return u.Trusted }
	if len(valid) == len(f.Rules) && !slices.ContainsFunc(f.Rules, trusted) {
		r.warn(element("rule", 0), "no rule is trusted: linkmilter takes all mail for that of strangers, except from clients that log in "+
			"(want trusted = true in the rule for your networks, or builtin_rules = true)")
	}
}

func (r *reader) reviewRule(at string, f *File, u *rule.Rule) {
	when := reflect.ValueOf(u.When)
	for _, k := range keysOf(when.Type()) {
		path := at + ".when." + k.name
		if value := when.Field(k.index); (value.Kind() == reflect.Slice || value.Kind() == reflect.Map) && value.Len() == 0 && r.has(path) {
			r.warn(path, "empty: no condition, so that the rule matches with any value (want a value, or not this key)")
		}
	}
	r.reviewEdit(at, u)
	r.reviewOn(at, f, u)
	if !u.SignRelayed {
		return
	}
	loggedIn := u.When.Authenticated != nil && *u.When.Authenticated
	switch path := at + ".sign_relayed"; {
	case len(f.DKIM.Keys) == 0:
		r.warn(path, "no effect without a key (want [[dkim.key]])")
	case loggedIn:
		r.warn(path, "no effect on clients that logged in, whose mail is signed in any case (want it in another rule)")
	case !u.Trusted:
		r.warn(path, "no effect on mail that is not trusted (want trusted = true)")
	}
}

// reviewEdit warns of edits that never happen, and of keys that only matter for such edits.
func (r *reader) reviewEdit(at string, u *rule.Rule) {
	bounces := len(u.When.Sender) > 0 && !slices.ContainsFunc(u.When.Sender, func(p string) bool { return p != "<>" })
	removes := !u.KeepLists && u.Flagged != rule.FlaggedLink
	edits := []struct {
		key     string
		asks    bool
		flagged bool // the edit is for flagged links, too
	}{
		{"edit", u.Edit == rule.EditFlagged, removes},
		{"html", u.HTML != rule.HTMLNever, false},
		{"html_part", u.ReadableHTML, removes},
		{"unseen", u.RemoveUnseen, !u.KeepLists},
		{"plain", u.Plain != rule.PlainKeep, removes && u.Flagged == rule.FlaggedDefang},
	}
	asks := false
	for _, edit := range edits {
		asks = asks || edit.asks
		switch {
		case edit.asks && u.Edit == rule.EditNever:
			r.warn(at+"."+edit.key, "no effect with edit = \"never\" (want another value there)")
		case edit.asks && bounces && !edit.flagged:
			r.warn(at+"."+edit.key, "no effect on bounces, which linkmilter does not edit (want other senders than <>)")
		}
	}
	if u.SubjectTag != "" && u.On == (rule.On{}) && (!asks || u.IfNotEditable == rule.ActionNone) {
		r.warn(at+".subject_tag", "no effect without an action (want on = { medium = \"tag\" })")
	}
	if asks && u.Edit == rule.EditNever && u.Flagged != rule.FlaggedUnlink {
		r.warn(at+".flagged", "no effect with edit = \"never\" (want another value there)")
	}
	if asks {
		return
	}
	for _, choice := range []struct {
		key string
		set bool
	}{
		{"flagged", u.Flagged != rule.FlaggedUnlink},
		{"flagged_sender", u.FlaggedSender},
		{"signed", u.EditSigned},
		{"lists", u.KeepLists},
		{"if_not_editable", u.IfNotEditable != rule.ActionTag},
	} {
		if choice.set {
			r.warn(at+"."+choice.key, "no effect in a rule that edits nothing (want html, html_part or plain, too)")
		}
	}
}

// reviewOn warns of actions without effect because a lower severity has a stricter one, and of
// quarantine if the content filter has no folder for it.
func (r *reader) reviewOn(at string, f *File, u *rule.Rule) {
	c := &f.ContentFilter
	noQuarantine := len(c.Listen) > 0 && c.Quarantine == "" && c.Hold == "" && !r.troubled("content_filter")
	below := rule.ActionNone
	for _, step := range []struct {
		key    string
		action rule.Action
		ladder bool
	}{
		{"info", u.On.Info, true},
		{"low", u.On.Low, true},
		{"medium", u.On.Medium, true},
		{"high", u.On.High, true},
		{"unreadable", u.On.Unreadable, false},
		{"partial", u.On.Partial, false},
	} {
		path := at + ".on." + step.key
		if step.ladder && step.action < below && r.has(path) {
			r.warn(path, "%q: no effect, since %q for a lower severity is stricter (want that or a stricter action)", step.action, below)
		}
		if step.ladder {
			below = max(below, step.action)
		}
		if step.action == rule.ActionQuarantine && noQuarantine {
			r.warn(path, "%q: over SMTP the message goes on, tagged (want content_filter.quarantine or content_filter.hold)", step.action)
		}
	}
}
