package htmlpart

// inner returns a reader of another source for the same caller: of a document within the
// source, or of the source in another form. Its items have the place at, or that of r.
func (r *reader) inner(source string, at *place) *reader {
	if r.place != nil {
		at = r.place
	}
	inner := r.room.inner
	if r.room.inner = nil; inner == nil {
		inner = new(reader)
	}
	inner.visible.reset()
	inner.hidden.reset()
	*inner = reader{
		ctx: r.ctx, readAll: r.readAll, source: source, limit: r.limit, frames: r.frames, framed: r.framed, place: at, yield: r.yield,
		known: r.known, again: r.again, spent: r.spent, outer: r.outer,
		room: inner.room, visible: inner.visible, hidden: inner.hidden,
	}
	return inner
}

// readInner reads all that an inner reader reads, and goes on where that ended.
func (r *reader) readInner(inner *reader) error {
	err := r.readAll(inner)
	r.stopped, r.err, r.spent = inner.stopped, inner.err, inner.spent
	r.partial = r.partial || inner.partial
	r.room.inner = inner
	return err
}
