package tlds

import (
	"context"
	"slices"
)

// maxExtra is how many names from the DNS the list may have.
const maxExtra = 256

// Unknown tells the Keeper about a top-level domain that the list lacks, as an A-label or U-label.
// It never waits. If Options.DNS is set and the DNS has the name, Run adds it to the list and
// publishes the new list. The current message is judged without the name, later ones with it.
func (k *Keeper) Unknown(label string) {
	if k.dns == nil || k.Current().Set.Contains(label) {
		return
	}
	select {
	case k.unknown <- label:
	default:
	}
}

// learn asks the DNS for a name and adds it to the list if the DNS has it.
func (k *Keeper) learn(ctx context.Context, label string) {
	name, err := toName(label)
	l := k.Current()
	if err != nil || l.Set.Contains(name) || len(l.Extra) >= maxExtra {
		return
	}
	exists, err := k.dns.Exists(ctx, name)
	if err != nil {
		k.log.Debug("top-level domain not checked", "name", name, "error", err)
		return
	}
	if exists {
		k.setExtra(append(slices.Clone(l.Extra), name))
		k.log.Info("top-level domain found in the DNS", "name", name)
	}
}

// forget asks the DNS again for the names that came from it, and drops those that it
// no longer has.
func (k *Keeper) forget(ctx context.Context) {
	extra := k.Current().Extra
	if len(extra) == 0 {
		return
	}
	k.setExtra(slices.DeleteFunc(slices.Clone(extra), func(name string) bool {
		exists, err := k.dns.Exists(ctx, name)
		return err == nil && !exists
	}))
}

// setExtra replaces the names that came from the DNS.
func (k *Keeper) setExtra(names []string) {
	k.updating.Lock()
	defer k.updating.Unlock()
	if l, err := k.base.with(names); err == nil {
		k.current.Store(l)
	}
}
