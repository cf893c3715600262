package mailauth

import (
	"crypto"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// tenKilobytes is a message of ten kilobytes of prose.
func tenKilobytes() []byte {
	line := "Whoever reads this will find one line of prose after the other, all alike.\r\n"
	return []byte(plainMessage + strings.Repeat(line, (10_240-len(plainMessage))/len(line)))
}

// BenchmarkSign signs a message of 10 KB in turns with linkmilter and with go-msgauth alone, with
// the same fields. "ratio" compares the medians of their times, which other work of the machine
// changes least.
func BenchmarkSign(b *testing.B) {
	for _, key := range []struct {
		name   string
		option Key
		signer crypto.Signer
	}{{"rsa2048", rsaOption(b), rsaKey()}, {"ed25519", edOption(b), edKey()}} {
		b.Run(key.name, func(b *testing.B) {
			s := newSigner(b, SignerOptions{Keys: []Key{key.option}})
			message := tenKilobytes()
			names, _, err := s.fields.keys(message)
			if err != nil {
				b.Fatal(err)
			}
			for i, name := range names {
				names[i] = strings.TrimSpace(name)
			}
			alone := &dkim.SignOptions{
				Domain: "example.com", Selector: key.option.Selector, Signer: key.signer, HeaderKeys: names,
				HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
			}
			var own, peer []time.Duration
			for b.Loop() {
				begun := time.Now()
				if _, err := s.Sign("example.com", message); err != nil {
					b.Fatal(err)
				}
				between := time.Now()
				if err := signAlone(message, alone); err != nil {
					b.Fatal(err)
				}
				own = append(own, between.Sub(begun))
				peer = append(peer, time.Since(between))
			}
			b.ReportMetric(float64(median(own).Nanoseconds()), "ns/own")
			b.ReportMetric(float64(median(peer).Nanoseconds()), "ns/peer")
			b.ReportMetric(float64(median(own))/float64(median(peer)), "ratio")
		})
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// signAlone signs as a program that uses only go-msgauth.
func signAlone(message []byte, o *dkim.SignOptions) error {
	s, err := dkim.NewSigner(o)
	if err != nil {
		return err
	}
	if _, err := s.Write(message); err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	_ = s.Signature()
	return nil
}
