package adminpage

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// A Trouble is something that an operator has to mend.
type Trouble struct {
	What   string // "The configuration on disk is not in use"
	Detail string // may have texts of files and programs
	Advice string // "correct it, and reload"
}

// A frame is what every page has.
type frame struct {
	Title, Version, Node string
	HasNodes             bool
	Troubles             []Trouble
	// Refreshes says that the page loads again by itself. Toggle is the address that ends or begins
	// that; "": the page does not.
	Refreshes bool
	Toggle    string
}

func (p *Page) frame(title string) frame {
	return frame{Title: plainOf(title), Version: p.options.Version, Node: p.options.Node, HasNodes: len(p.options.Nodes) > 0, Troubles: p.troubles()}
}

// refreshTime is how often pages load again by themselves.
const refreshTime = time.Minute

// refreshing returns the frame of a page that loads again by itself, without a script: the header
// does it. The reader can end that.
func (p *Page) refreshing(w http.ResponseWriter, r *http.Request, title string, byDefault bool) frame {
	f := p.frame(title)
	values := r.URL.Query()
	f.Refreshes = byDefault
	switch values.Get("refresh") {
	case "on":
		f.Refreshes = true
	case "off":
		f.Refreshes = false
	}
	next := "on"
	if f.Refreshes {
		next = "off"
		w.Header().Set("Refresh", fmt.Sprint(int(refreshTime.Seconds())))
	}
	chosen := url.Values{"refresh": {next}}
	for key, list := range values {
		if key != "refresh" {
			chosen[key] = list
		}
	}
	f.Toggle = r.URL.Path + "?" + chosen.Encode()
	return f
}

// troubles returns what an operator has to mend now.
func (p *Page) troubles() (all []Trouble) {
	if p.options.Troubles != nil {
		all = p.options.Troubles()
	}
	if state := p.options.History.State(); state.Problem != nil {
		all = append(all, Trouble{"The history is not written", history.Bounded(state.Problem.Error()), state.Advice + ". Mail goes on"})
	}
	if p.options.Lists != nil {
		for _, l := range p.options.Lists() {
			if l.Stale {
				detail := ""
				if l.Problem != nil {
					detail = history.Bounded(l.Problem.Error())
				}
				all = append(all, Trouble{"The list " + l.Name + " is stale", detail, "look at the network and the list's site (linkmilter lists show)"})
			}
		}
	}
	if n := p.minutes.unheld(p.now()); n > 0 {
		all = append(all, Trouble{"The quarantine is not written", printable.Number(n) + " messages of the last hour were put off", "look at its disk and permissions; the log says why (msg=quarantine)"})
	}
	return all
}
