package page

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// action is an action of schema.org, which mail programs show as a button.
type action struct {
	name string // of the button
	urls []string
}

// maxActions is the number of actions, and of the URLs of one, that are read.
const maxActions = 16

// actionsIn returns the actions in JSON.
func actionsIn(source string) (actions []action) {
	if !strings.Contains(source, `Action"`) {
		return nil
	}
	var value any
	if json.Unmarshal([]byte(source), &value) != nil {
		return nil
	}
	eachObject(value, func(object map[string]any) {
		name, _ := object["name"].(string)
		kind, _ := object["@type"].(string)
		if name == "" || !strings.HasSuffix(kind, "Action") || len(actions) == maxActions {
			return
		}
		a := action{name: name}
		for _, key := range [...]string{"target", "url", "handler"} {
			a.addURLs(object[key])
		}
		actions = append(actions, a)
	})
	return actions
}

// eachObject calls use with the objects in a value of JSON.
func eachObject(value any, use func(map[string]any)) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			eachObject(element, use)
		}
	case map[string]any:
		use(value)
		for _, key := range slices.Sorted(maps.Keys(value)) {
			eachObject(value[key], use)
		}
	}
}

// addURLs adds the URLs in a value of JSON: one, those of a list, or those of an object, which has one for
// each kind of program.
func (a *action) addURLs(value any) {
	switch value := value.(type) {
	case string:
		if ascii.HasPrefixFold(value, "http") && len(a.urls) < maxActions {
			a.urls = append(a.urls, value)
		}
	case []any:
		for _, element := range value {
			a.addURLs(element)
		}
	case map[string]any:
		for _, key := range [...]string{"urlTemplate", "url", "@id"} {
			a.addURLs(value[key])
		}
	}
}
