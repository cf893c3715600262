module github.com/linkmilter/linkmilter/bench

go 1.26.0

toolchain go1.27.4

require (
	github.com/linkmilter/linkmilter v0.0.0
	github.com/yuin/goldmark v1.8.7
	golang.org/x/net v0.62.0
	golang.org/x/text v0.43.0
	mvdan.cc/xurls/v2 v2.6.0
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/emersion/go-message v0.18.2 // indirect
	github.com/emersion/go-msgauth v0.7.0 // indirect
	github.com/nlnwa/whatwg-url v0.6.2 // indirect
	golang.org/x/crypto v0.58.0 // indirect
)

replace github.com/linkmilter/linkmilter => ../
