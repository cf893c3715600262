package correspondents

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// A year is the generated mail of a company with 60 users and 500 partners.
type year struct {
	*rand.Rand
	partners []partner
	others   []string // domains of strangers: services, newsletters, applicants, offers
	used     map[string]bool
}

// A partner is a company that users write to. Some also send from a second domain, and some change
// their name within the year.
type partner struct {
	domain, second, later string
}

var (
	families = strings.Fields(`mueller schmidt schneider fischer weber meyer wagner becker schulz hoffmann hofmann schaefer koch bauer richter klein wolf schroeder neumann
		schwarz zimmermann braun krueger hartmann lange werner krause lehmann koehler maier meier mayer schmitt schmitz schmid huber kaiser fuchs peters lang scholz
		moeller weiss jung hahn vogel schubert roth beck lorenz baumann franke albrecht schuster simon ludwig boehm winter kraus martin schumacher kramer vogt stein
		jaeger otto sommer gross seidel heinrich brandt haas schreiber graf dietrich ziegler kuhn kuehn pohl engel horn busch bergmann thomas voigt sauer arnold wolff
		pfeiffer hansen jansen janssen petersen pedersen paulsen clausen claussen nielsen larsen lindqvist lindner linden brinkmann steinmann wagenknecht rossi bianchi
		moreau lefebvre dubois novak nowak kowalski kowalska horvath visser devries janssens peeters garcia fernandez silva santos costa pereira smith taylor brown`)
	trades = strings.Fields(`bau technik logistik transporte druck metall holz holzbau metallbau pumpen werke systems media energie consulting elektro elektronik heizung sanitaer
		maschinenbau werkzeuge verpackungen spedition immobilien steuerberatung rechtsanwaelte kanzlei architekten gartenbau catering getraenke moebel textil optik
		software solutions engineering handel papier glas stahl kunststoff folien farben lacke moden reisen hotel verlag foto design marketing personal`)
	places    = strings.Fields(`hamburg kiel luebeck rostock bremen hannover leipzig dresden koeln bonn mainz ulm augsburg regensburg passau trier aachen muenster jena erfurt nord sued west rhein elbe weser`)
	syllables = strings.Fields(`ve ra no lu mi ta zen tri ko ba di al pro sy lo ne xa qui for min ter sol gra vi pla cor del fa ge hu ja ki bri cla dra fle gno hel ister kan lek mur nex ost pri quo rell sta tuv ulm vor wex yor zed bur cam dop ent`)
	suffixes  = strings.Fields(`de de de de de de com com com net eu org at ch nl fr it pl co.uk dk se info`)
)

func (y *year) pick(list []string) string { return list[y.IntN(len(list))] }

// name returns a name of a company, in the forms that real ones have.
func (y *year) name() string {
	hyphen := y.pick([]string{"", "-"})
	switch n := y.IntN(20); {
	case n < 2:
		return y.pick(families)
	case n < 9:
		return y.pick(families) + hyphen + y.pick(trades)
	case n < 12:
		return y.pick(trades) + "-" + y.pick(places)
	case n < 14:
		return y.pick(families) + "-" + y.pick(families)
	case n < 15:
		return y.pick(families) + hyphen + y.pick(places)
	}
	name := ""
	for range 3 + y.IntN(2) {
		name += y.pick(syllables)
	}
	return name + y.pick([]string{"", "", "tech", "group", "soft", "med"})
}

// domain returns a domain that nobody has.
func (y *year) domain() string {
	for {
		if d := y.name() + "." + y.pick(suffixes); !y.used[d] {
			y.used[d] = true
			return d
		}
	}
}

func newYear(seed uint64) *year {
	y := &year{Rand: rand.New(rand.NewPCG(seed, 49)), used: map[string]bool{}}
	for i := range 500 {
		p := partner{domain: y.domain()}
		name, suffix, _ := strings.Cut(p.domain, ".")
		switch {
		case i%20 == 0: // another ending, the commonest second domain
			p.second = name + "." + y.pick(slices.DeleteFunc(slices.Clone(suffixes), func(s string) bool { return s == suffix }))
		case i%50 == 1:
			p.second = name + y.pick([]string{"-group", "-gmbh", "-gruppe", "-holding"}) + "." + suffix
		case i%50 == 2 && strings.Contains(name, "-"):
			p.second = strings.ReplaceAll(name, "-", "") + "." + suffix
		case i%50 == 3:
			p.later = y.domain() // the company changed its name
		case i%50 == 4:
			p.later = name + "-" + y.pick(trades) + "." + suffix
		}
		y.partners = append(y.partners, p)
	}
	for range 3000 {
		y.others = append(y.others, y.domain())
	}
	return y
}

// partner returns one of the partners, the first ones far more often.
func (y *year) partner() partner {
	f := y.Float64()
	return y.partners[int(f*f*f*float64(len(y.partners)))]
}

// mistyped returns a domain with a typing error.
func (y *year) mistyped(domain string) string {
	i := 1 + y.IntN(strings.IndexByte(domain, '.')-2)
	switch y.IntN(3) {
	case 0:
		return domain[:i] + domain[i+1:]
	case 1:
		return domain[:i] + domain[i+1:i+2] + domain[i:i+1] + domain[i+2:]
	}
	return domain[:i] + string(rune('a'+y.IntN(26))) + domain[i:]
}

// user returns the address of a user; a partner has two or three of them whom he knows.
func (y *year) user(domain string) string {
	return fmt.Sprintf("user%d@nordkai-werft.de", (len(domain)*7+int(domain[0])+y.IntN(3))%60)
}

// domainOn returns from which domain a partner writes on a day.
func (p partner) domainOn(y *year, day int) string {
	switch {
	case p.later != "" && day > 180:
		return p.later
	case p.second != "" && y.IntN(4) == 0:
		return p.second
	}
	return p.domain
}

// TestHonestYear: of 10,000 honest messages of a year, with second domains, names that change and typing
// errors of one's own users, at most one has a finding of medium.
func TestHonestYear(t *testing.T) {
	all, flagged := 0, 0
	for seed := range long.Rows(6, 1) {
		y := newYear(uint64(seed))
		b, _ := newTest(t, filepath.Join(t.TempDir(), "correspondents.db"))
		n, bad := y.run(t, b, long.Rows(40, 12))
		b.Close()
		all, flagged = all+n, flagged+bad
	}
	if flagged > 1 && flagged*10_000 > all {
		t.Errorf("%d of %d honest messages are flagged", flagged, all)
	}
}

// run sends the mail of a year, and returns how many messages came from outside, and how many of them were
// flagged.
func (y *year) run(t *testing.T, b *Book, perDay int) (all, flagged int) {
	f := newFilter(t, b)
	first, low, typed := 0, 0, 0
	for day := range 250 {
		when := today.AddDate(0, 0, day)
		for range 60 {
			to := y.partner().domainOn(y, day)
			if y.IntN(100) == 0 {
				to = y.mistyped(to)
				typed++
			}
			b.Learn(sent(y.user(to), fmt.Sprintf("info%d@%s", y.IntN(3), to)), when)
		}
		settle(t, b)
		for range perDay {
			from := y.pick(y.others)
			if y.IntN(10) < 6 {
				from = y.partner().domainOn(y, day)
			}
			fields := []string{fmt.Sprintf("From: Firma <info%d@%s>", y.IntN(3), from)}
			if y.IntN(20) == 0 {
				fields = append(fields, "Reply-To: rechnung@"+from)
			}
			raw := mail("Guten Tag,\r\n\r\nsiehe https://www."+from+"/angebot und https://"+y.pick(y.others)+"/\r\n", fields...)
			result := f.Message(context.Background(), outside("bounce@"+from), raw)
			all++
			if slices.ContainsFunc(result.Report.Findings, func(f policy.Finding) bool { return f.Code == report.CodeFirstContact }) {
				first++
			}
			switch result.Report.Worst() {
			case policy.SeverityLow:
				low++
			case policy.SeverityMedium, policy.SeverityHigh:
				flagged++
				t.Logf("day %d: %s: %s", day, from, findings(&result.Report))
			}
		}
	}
	domains := b.State().Domains
	t.Logf("%d messages, %d of first contacts, %d low, %d flagged; %d domains learnt, %d recipients mistyped", all, first, low, flagged, domains, typed)
	if domains < 400 || typed < 100 || first < all/20 || first > all*2/3 {
		t.Errorf("%d domains learnt, %d first contacts of %d", domains, first, all)
	}
	return all, flagged
}
