package recent_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/linkmilter/linkmilter/internal/recent"
)

// TestTable: a text is remembered until another one takes its slot.
func TestTable(t *testing.T) {
	table := recent.NewTable[int](1)
	if got := table.Get("a"); got != nil {
		t.Errorf("an empty table remembers %d", *got)
	}
	table.Put("a", 1)
	if got := table.Get("a"); got == nil || *got != 1 {
		t.Errorf("a: %v", got)
	}
	table.Put("a", 2)
	if got := table.Get("a"); got == nil || *got != 2 {
		t.Errorf("a, the second time: %v", got)
	}
	if table.Get("b") != nil {
		t.Error("b has the slot of a, and was taken for it")
	}
	table.Put("b", 3)
	if table.Get("a") != nil {
		t.Error("a and b are in one slot")
	}
}

// TestNoSlots: a table without slots remembers nothing.
func TestNoSlots(t *testing.T) {
	table := recent.NewTable[int](0)
	table.Put("a", 1)
	if table.Get("a") != nil {
		t.Error("it remembers something")
	}
}

// TestSlots: texts use all slots.
func TestSlots(t *testing.T) {
	const slots, texts = 100, 2000
	table := recent.NewTable[int](slots)
	for i := range texts {
		table.Put(strconv.Itoa(i), i)
	}
	kept := 0
	for i := range texts {
		if got := table.Get(strconv.Itoa(i)); got != nil {
			kept++
			if *got != i {
				t.Fatalf("%d is remembered as %d", i, *got)
			}
		}
	}
	// The chance that none of 2,000 texts takes one of 100 slots is 100 * 0.99^2000.
	if kept != slots {
		t.Errorf("%d of %d slots are used", kept, slots)
	}
}

func TestGetAllocatesNothing(t *testing.T) {
	table := recent.NewTable[int](16)
	const text = "a text that is longer than what Go keeps on the stack for conversions"
	table.Put(text, 1)
	if n := testing.AllocsPerRun(100, func() { table.Get(text) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestConcurrentUse: several goroutines put and get the same texts.
func TestConcurrentUse(t *testing.T) {
	table := recent.NewTable[string](8)
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			for i := range 10_000 {
				text := fmt.Sprint(i % 31)
				if got := table.Get(text); got != nil && *got != "value of "+text {
					t.Errorf("%s: %s", text, *got)
					return
				}
				table.Put(text, "value of "+text)
			}
		})
	}
	users.Wait()
}
