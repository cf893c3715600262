package service

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/correspondents"
	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

// judges are a filter, and the explainer with the same configuration.
type judges struct {
	filter    *filter.Filter
	explainer *explain.Explainer
}

// current is the filter in use. One filter decides the whole message: the filter that
// is in use when the message is complete.
type current struct {
	judges atomic.Pointer[judges]
	node   string // name of this machine in tags, as in the log; it changes only at a restart
	// observe is called for each message and its result. It must copy whatever it keeps.
	lists          *lists.Set
	dns            *dnslist.Set
	correspondents *correspondents.Book
	observe        func(env *envelope.Envelope, raw []byte, result *filter.Result)
}

// Message gives a message to the filter in use.
func (c *current) Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
	result := c.judges.Load().filter.Message(ctx, env, raw)
	c.observe(&env, raw, &result)
	return result
}

// use makes a filter and puts it into use. After an error the previous filter stays.
func (c *current) use(file *config.File, list *tlds.List) error {
	options := file.Filter(list.Set)
	options.Node = c.node
	options.Policy.Lists, options.DNSLists = c.lists, c.dns
	if file.Correspondents.File != "" {
		options.Policy.Correspondents = c.correspondents
	}
	next, err := filter.New(options)
	if err != nil {
		return err
	}
	explainer, err := explain.New(next, options.Engine)
	if err != nil {
		return err
	}
	c.judges.Store(&judges{next, explainer})
	return nil
}

// probe has the filter process a small message, without logging or counting it.
func (c *current) probe(ctx context.Context) error {
	const message = "From: probe@example.com\r\nSubject: probe\r\n\r\nhttps://example.com/\r\n"
	report := c.Message(ctx, envelope.Envelope{Sender: "probe@example.com"}, []byte(message)).Report
	if reason := report.Failure; reason != "" {
		return fmt.Errorf("test message not read: %s", reason)
	}
	return nil
}
