package htmlpart

import (
	"errors"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

const (
	// maxEntityDepth is the number of entities in each other that are replaced.
	maxEntityDepth = 8
	// maxEntityText bounds in bytes what entities add.
	maxEntityText = 256 << 10
)

// readEntities reads an XML document once more with the entities and attributes that
// its document type declaration defines (XML §2.8). The items have no place.
func (r *reader) readEntities() error {
	start := r.indexFold(r.source, "<!doctype")
	if start < 0 || r.place != nil && r.entities {
		return nil
	}
	end := min(len(r.source), start+maxSubset)
	subset := r.source[start:end]
	r.partial = r.partial || end < len(r.source) && r.hasDeclarations(r.source[max(start, end-len("<!attlist")):])
	if !strings.Contains(subset, "[") || !r.hasDeclarations(subset) {
		return nil
	}
	if len(r.source) > maxTreeSource {
		r.partial = true
		return nil
	}
	expanded, whole := expand(r.source, subset)
	if !whole {
		r.partial = true
	}
	inner := r.inner(expanded, &place{0, len(r.source)})
	inner.again, inner.entities = true, true
	if err := r.readInner(inner); !errors.Is(err, ErrTooComplex) {
		return err
	}
	return nil
}

// hasDeclarations reports whether a part of the source may declare entities or attributes.
func (r *reader) hasDeclarations(s string) bool {
	return r.indexFold(s, "<!entity") >= 0 || r.indexFold(s, "<!attlist") >= 0
}

// expand returns a source as its document type declaration changes it: with its entities replaced,
// and with the attributes that it adds to start tags. whole is false if something may be left out:
// without more room for them, the returned source ends.
func expand(source, subset string) (expanded string, whole bool) {
	d := declarations{
		parameters: make(map[string]string), entities: make(map[string]string), defaults: make(map[string][]byte), listed: make(map[attribute]string),
	}
	for read := 0; ; {
		d.readEntities(subset)
		replaced := d.withParameters(subset)
		if replaced == subset {
			break
		}
		subset = replaced
		if read += len(subset); read > maxSubset {
			d.partial = true
			break
		}
	}
	d.readLists(subset)
	e := expansion{entities: d.entities, room: maxEntityText}
	source = withDefaults(source, d.defaults, &e.room)
	e.replace(source, 0)
	return e.text.String(), !d.partial && e.room > 0 && !e.tooDeep
}

// expansion is a text in which entities are replaced.
type expansion struct {
	text     strings.Builder
	entities map[string]string
	room     int  // bytes that entities may still add
	tooDeep  bool // some entities are left as they are
}

// replace adds a text with its references to entities replaced. It stops when there is no more
// room.
func (e *expansion) replace(s string, depth int) {
	if depth == maxEntityDepth {
		e.tooDeep = true
		e.text.WriteString(s)
		return
	}
	replaceReferences(&e.text, s, "&", func(reference string) bool {
		value, ok := e.entities[reference[1:len(reference)-1]]
		if !ok {
			e.text.WriteString(reference)
		} else if e.room -= len(value) + 1; e.room > 0 {
			e.replace(value, depth+1)
		}
		return e.room > 0
	})
}

// withDefaults adds attributes to the start tags of elements. It stops when there is no more room.
func withDefaults(source string, defaults map[string][]byte, room *int) string {
	if len(defaults) == 0 {
		return source
	}
	var b strings.Builder
	b.Grow(len(source) + *room)
	for {
		i := strings.IndexByte(source, '<')
		if i < 0 || i+1 == len(source) {
			break
		}
		b.WriteString(source[:i+1])
		if source = source[i+1:]; !ascii.IsLetter(source[0]) {
			continue
		}
		name := tagName(source)
		b.WriteString(name)
		source = source[len(name):]
		if added := defaults[name]; len(added) > 0 {
			if *room -= len(added); *room <= 0 {
				return b.String()
			}
			b.Write(added)
		}
	}
	b.WriteString(source)
	return b.String()
}
