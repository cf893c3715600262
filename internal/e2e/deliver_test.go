//go:build linux

package e2e

import "testing"

// kind is one of the two mail servers.
type kind struct {
	name  string
	start func(testing.TB, ...Listener) *Server
}

var kinds = []kind{
	{name: "postfix", start: StartPostfix},
	{name: "sendmail", start: StartSendmail},
}

// deliver sends one message on a connection of its own and returns what
// arrived. Sender and recipient are filled in where env has none.
func deliver(t *testing.T, server *Server, listener string, env Envelope, message []byte) Delivered {
	t.Helper()
	return send(t, Dial(t, server.Addr(listener)), server, env, message)
}

// send is deliver on a connection that is already there.
func send(t *testing.T, client *Client, server *Server, env Envelope, message []byte) Delivered {
	t.Helper()
	if env.From == "" {
		env.From = server.NewAddress(t)
	}
	if env.To == nil {
		env.To = []string{server.NewAddress(t)}
	}
	client.Send(env, message)
	return SplitDelivered(server.Receive(t, env.From, env.To[0]))
}
