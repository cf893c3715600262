package meter_test

import (
	"context"
	"errors"
	"testing"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// TestSpend: Spend returns the error of the context after Every bytes, and then always.
func TestSpend(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := meter.New(ctx)
	if err := m.Spend(2 * meter.Every); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := m.Spend(meter.Every - 1); err != nil {
		t.Errorf("asked too early: %v", err)
	}
	for range 2 {
		if err := m.Spend(1); !errors.Is(err, context.Canceled) || !errors.Is(m.Err(), err) {
			t.Errorf("%v, then %v", err, m.Err())
		}
	}
}

// TestInPieces: InPieces passes all bytes on, and stops when the context ends or the sink fails.
func TestInPieces(t *testing.T) {
	input := make([]byte, 3*meter.Every+5)
	ctx, cancel := context.WithCancel(t.Context())
	got := 0
	count := func(piece []byte) error {
		if len(piece) > meter.Every {
			t.Errorf("a piece of %d bytes", len(piece))
		}
		got += len(piece)
		return nil
	}
	if err := meter.New(ctx).InPieces(input, count); err != nil || got != len(input) {
		t.Errorf("%d bytes of %d, %v", got, len(input), err)
	}
	full := errors.New("full")
	if err := meter.New(ctx).InPieces(input, func([]byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("sink failed, %v", err)
	}
	cancel()
	got = 0
	if err := meter.New(ctx).InPieces(input, count); !errors.Is(err, context.Canceled) || got != meter.Every {
		t.Errorf("%d bytes after the end, %v", got, err)
	}
}
