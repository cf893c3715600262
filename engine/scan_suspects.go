package engine

// nextWithSuspects is nextLink with the suspects between links.
func (sc *scan) nextWithSuspects(l *Link) bool {
	if !sc.isAhead {
		sc.count = 0
		if sc.done > sc.lastEnd {
			sc.refuse(sc.lastEnd, min(sc.done+1, len(sc.text)), true) // behind an address, with the dot there
		}
		found := sc.nextLink(l)
		if sc.count == 0 || found && sc.refused[0].from >= l.Start {
			sc.lastEnd = l.End
			return found
		}
		sc.end = len(sc.text)
		if found {
			sc.end = l.Start
		}
		sc.current, sc.unread, sc.symbols, sc.labels, sc.isAhead, sc.ahead = 0, 0, 0, looseLabels{}, true, *l
		if !found {
			sc.ahead.Kind = KindNone
		}
	}
	if !sc.looseHost(l) {
		sc.isAhead, *l = false, sc.ahead
	}
	sc.lastEnd = l.End
	return l.Kind != KindNone
}
