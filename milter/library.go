package milter

import (
	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/acceptor"
)

// negotiate reads the MTA's offer and returns what is wanted of it. The packet
// is delivered to the library again, which replies to it.
func (c *conn) negotiate() (grant, error) {
	if err := c.receive(); err != nil {
		return grant{}, err
	}
	return negotiate(c.current)
}

// run runs go-milter on the connection until that is closed or superseded,
// with a library server of its own: the library's session state ends with each
// final reply, while what CONNECT said holds for all messages of the
// connection, and what was granted differs from one to the next. milter gets all
// callbacks.
func (c *conn) run(g grant, milter gomilter.Milter) {
	library := gomilter.Server{
		NewMilter: func() gomilter.Milter { return milter },
		Actions:   g.actions,
		Protocol:  g.protocol,
	}
	// The only error is that of the second Accept.
	_ = library.Serve(&acceptor.Single{Conn: c, Closed: c.closed})
}
