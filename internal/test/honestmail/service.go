package honestmail

import (
	"fmt"
	"strings"
)

// A service writes mail in its own way. Its texts have names in braces, see [filler].
type service struct {
	envelope       string // return path
	helo, address  string
	dkim           []string // selector and domain
	id             string
	link           string // that counts clicks; "": links are direct
	image          string
	unsubscribe    string
	form, encoding string
	page           string
	header         []string
}

// readServices reads testdata/services.txt.
func readServices() (map[string]*service, error) {
	const name = "testdata/services.txt"
	all, err := lines(name)
	if err != nil {
		return nil, err
	}
	services := make(map[string]*service)
	var s *service
	for _, source := range all {
		key, value, _ := strings.Cut(source, " ")
		if key == "=" {
			s = new(service)
			services[value] = s
			continue
		}
		if s == nil {
			return nil, fmt.Errorf("%s: line %q: before the first service", name, source)
		}
		switch key {
		case "return":
			s.envelope = value
		case "helo":
			s.helo, s.address, _ = strings.Cut(value, " ")
		case "dkim":
			s.dkim = append(s.dkim, value)
		case "id":
			s.id = value
		case "link":
			s.link = value
		case "image":
			s.image = value
		case "unsub":
			s.unsubscribe = value
		case "form":
			s.form, s.encoding, _ = strings.Cut(value, " ")
		case "page":
			s.page = value
		case "head":
			s.header = append(s.header, value)
		default:
			return nil, fmt.Errorf("%s: line %q: unknown key (want return, helo, dkim, …)", name, source)
		}
	}
	return services, nil
}
