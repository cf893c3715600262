package main

import "math/rand/v2"

// A gen has the random numbers of one input. A calm one leaves out what keeps
// messages from being edited, so that many are.
type gen struct {
	*rand.Rand
	calm bool
}

// source returns the random numbers of one input of a kind.
func source(kind string, seed uint64, i int) *gen {
	r := &gen{Rand: rand.New(rand.NewPCG(seed+uint64(len(kind))<<32, uint64(i)))}
	r.calm = chance(r, 60)
	return r
}

func pick[T any](r *gen, of []T) T { return of[r.IntN(len(of))] }

func chance(r *gen, percent int) bool { return r.IntN(100) < percent }

// odds is a chance that a calm input does not take.
func odds(r *gen, percent int) bool { return chance(r, percent) && !r.calm }

// calmly returns the ordinary value for calm inputs.
func calmly[T any](r *gen, ordinary, odd T) T {
	if r.calm {
		return ordinary
	}
	return odd
}
