package main

// A term is a condition on one change of a difference.
type term func(*judgement) bool

// A judgement is what terms look at.
type judgement struct {
	runner *runner
	*difference
	change  *change
	explain func(*difference) // by the whole table
}
