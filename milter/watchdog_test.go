package milter

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// One timer serves messages that begin at any time and have any limit: each has its
// deadline, and is late just when overtime ends.
func TestWatchdogOfManyMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w watchdog
		defer w.stop()
		for _, message := range []struct {
			before, limit, takes time.Duration
			late                 bool
		}{
			{0, 10 * time.Second, time.Second, false},
			{0, 10 * time.Second, 10500 * time.Millisecond, false}, // the timer was set for the first one
			{time.Minute, 10 * time.Second, 11 * time.Second, true},
			{0, 10 * time.Second, time.Second, false},
			{0, time.Second, 5 * time.Second, true}, // before the timer would go off
			{time.Second, time.Hour, 59 * time.Minute, false},
			{0, time.Hour, 2 * time.Hour, true},
		} {
			time.Sleep(message.before)
			start := time.Now()
			var late time.Duration
			task := new(task)
			w.begin(t.Context(), task, start, message.limit, func() { late = time.Since(start) })
			if at, ok := task.Deadline(); !ok || !at.Equal(start.Add(message.limit)) {
				t.Errorf("%+v: deadline %v", message, at)
			}
			time.Sleep(message.takes)
			synctest.Wait()
			if overdue := errors.Is(task.Err(), context.DeadlineExceeded); overdue != (message.takes >= message.limit) {
				t.Errorf("%+v: after it %v", message, task.Err())
			}
			if inTime := w.finish(task); inTime == message.late {
				t.Errorf("%+v: in time: %v", message, inTime)
			}
			if want := message.limit + overtime(message.limit); message.late && late != want || !message.late && late != 0 {
				t.Errorf("%+v: called after %v", message, late)
			}
		}
	})
}

// Work that is done in time is never late, and its context has ended.
func TestWatchdogForgetsWhatIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w watchdog
		task := new(task)
		w.begin(t.Context(), task, time.Now(), time.Second, func() { t.Error("late") })
		if err := task.Err(); err != nil {
			t.Errorf("at the beginning %v", err)
		}
		w.finish(task)
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := task.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("afterwards %v", err)
		}
		<-task.Done()
	})
}

// A watchdog that wakes up too late, on a machine that is too busy, does at once
// what it has missed.
func TestWatchdogOversleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w watchdog
		late := false
		task := new(task)
		w.begin(t.Context(), task, time.Now().Add(-time.Hour), time.Second, func() { late = true })
		synctest.Wait()
		if err := task.Err(); !late || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("late: %v, %v", late, err)
		}
	})
}

// The work ends at the deadline, when it is done, and when the server gives up;
// whoever waits for that learns it, through contexts made of this one as well.
func TestTaskEnds(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(w *watchdog, task *task, server context.CancelFunc)
		want error
	}{
		"deadline": {func(*watchdog, *task, context.CancelFunc) { time.Sleep(time.Second) }, context.DeadlineExceeded},
		"finished": {func(w *watchdog, task *task, _ context.CancelFunc) { w.finish(task) }, context.Canceled},
		"server":   {func(_ *watchdog, _ *task, server context.CancelFunc) { server() }, context.Canceled},
		"deadline, then finished": {func(w *watchdog, task *task, _ context.CancelFunc) {
			time.Sleep(time.Second)
			synctest.Wait()
			w.finish(task)
		}, context.DeadlineExceeded},
	} {
		for _, waits := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					server, cancel := context.WithCancel(context.Background())
					defer cancel()
					var w watchdog
					defer w.stop()
					task := new(task)
					w.begin(server, task, time.Now(), time.Second, func() {})
					child := context.Context(task)
					if waits {
						ctx, cancel := context.WithTimeout(task, time.Hour)
						defer cancel()
						child = ctx
					}
					if err := child.Err(); err != nil {
						t.Fatalf("at the beginning %v", err)
					}
					test.end(&w, task, cancel)
					synctest.Wait()
					for _, ctx := range []context.Context{task, child} {
						if err := ctx.Err(); !errors.Is(err, test.want) {
							t.Errorf("%v, want %v", err, test.want)
						}
						select {
						case <-ctx.Done():
						default:
							t.Error("it does not end")
						}
					}
				})
			})
		}
	}
}
