package engine

// numberURL handles the ":" at the offset p, behind which are a slash or backslashes. In
// default mode, a number behind them that browsers read as an IPv4 address is the host of a
// suspect, as in http:/2130706433: no full stop or "://" leads to it. One that may be a port
// is not, as in http:/8080. numberURL reports whether l was set.
func (sc *scan) numberURL(p int, l *Link) bool {
	a := skipSlashes(sc.text, p+1)
	if sc.refuseBehind(p); sc.strict || classAt(sc.text, a)&digitByte == 0 {
		return false
	}
	end := sc.numberEnd(a)
	start := sc.schemeBefore(p, sc.done)
	if end == a || start < 0 {
		return false
	}
	if isPort(sc.text[a:end]) {
		return false
	}
	return sc.suspectName(opening{start: start, scheme: a, authority: a, reason: ReasonSlashes}, end, l)
}
