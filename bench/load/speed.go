//go:build linux

package main

// newLinks is how many messages with other links a stream has.
const newLinks = 200

// speed compares messages that are alike, flat out: unsigned ones with OpenDKIM that signs
// them, signed ones with OpenDKIM that verifies them.
func (r *run) speed() {
	l := startLinkmilter(r, r.binary, "")
	key, peers := r.startPeers()
	var edited, editedSigned stream
	for n := range newLinks {
		edited = append(edited, linked(author, n))
		editedSigned = append(editedSigned, key.signed(r, linked(signedSender, n)))
	}
	for _, test := range []struct {
		name   string
		mails  stream
		signed bool
		limit  limit
	}{
		{"4 KB without links", stream{plain(small)}, false, atLeast(3)},
		{"4 KB without links, signed", stream{key.signed(r, plain(small))}, true, atLeast(3)},
		{"10 KB edited", edited, false, atLeast(2)},
		{"100 KB newsletter", stream{newsletter()}, false, limit{}}, // a signature does not read HTML
		{"10 KB edited, signed", editedSigned, true, atLeast(2)},
	} {
		servers := []*server{l.milter(l.unix, test.mails)}
		var beside []*server
		for _, p := range peers {
			j, judged := p.judges(test.signed)
			s := p.server(test.mails, j)
			if servers = append(servers, s); judged {
				beside = append(beside, s)
			}
		}
		r.inTurns(servers, r.turns, len(test.mails), func() source { return flatOut(0, len(test.mails), r.turn) })
		printTable(r.out, test.name, servers)
		for _, s := range beside {
			if test.limit == (limit{}) {
				continue
			}
			r.faster(test.name, servers[0], s, test.limit)
		}
	}
}

// faster judges linkmilter's speed as a multiple of a peer's.
func (r *run) faster(mails string, ours, peer *server, l limit) {
	if r.busy {
		r.judge(mails+": processor time of "+peer.name+" as a multiple of linkmilter's", float64(peer.cost())/float64(ours.cost()), atLeast(1))
		return
	}
	r.judge(mails+": messages/s as a multiple of "+peer.name+"'s", ours.rate()/peer.rate(), l)
}

// small is the size of a small message in bytes.
const small = 4 << 10
