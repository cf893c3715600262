//go:build unix

// Package traffic makes mail and sends it through linkmilter, as mail servers do that
// try again. It checks each reply and each message that comes out, and keeps account of
// those that are lost, damaged or doubled.
//
//	corpus, err := traffic.NewCorpus(f, seed)      // f is the filter that linkmilter uses
//	account := traffic.NewAccount()
//	sender := &traffic.Milter{Milter: mta.Milter{Network: "unix", Address: path, Host: traffic.Host}, Account: account}
//	err = sender.Send(ctx, corpus.Message(n))      // for each n; returns when linkmilter answered
//	account.Totals()
//
// A [Milter] or [SMTP] sends one message at a time over one connection: a goroutine
// each. They say nothing about rates. By SMTP, a [Sink] is the next hop. A server by SMTP
// needs the name [Host], which is in the tags; the filter then does the same with a
// message by both ways.
//
// The corpus has 60 % messages without links, 30 % with links in HTML or in texts that
// get an HTML alternative, and 10 % that are hostile. Most have 1 to 10 KB, the largest
// 10 MB. The same seed gives the same messages.
package traffic
