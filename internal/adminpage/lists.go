package adminpage

import (
	"cmp"
	"maps"
	"net/http"
	"slices"

	"github.com/linkmilter/linkmilter/internal/lists"
)

type listsPage struct {
	frame
	Lists []listState
}

// A listState is a list, and why lines of it are not used.
type listState struct {
	lists.State
	Whys []count
}

func (p *Page) serveLists(w http.ResponseWriter, _ *http.Request) {
	data := listsPage{frame: p.frame("Lists")}
	if p.options.Lists != nil {
		for _, s := range p.options.Lists() {
			state := listState{State: s}
			for _, why := range slices.Sorted(maps.Keys(s.Unread)) {
				state.Whys = append(state.Whys, count{why, s.Unread[why]})
			}
			slices.SortStableFunc(state.Whys, func(a, b count) int { return cmp.Compare(b.N, a.N) })
			data.Lists = append(data.Lists, state)
		}
	}
	p.render(w, "lists.html", data)
}
