module github.com/linkmilter/linkmilter/goldmark

go 1.26.0

toolchain go1.27.4

require (
	github.com/linkmilter/linkmilter v0.0.0
	github.com/yuin/goldmark v1.8.7
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/nlnwa/whatwg-url v0.6.2 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace github.com/linkmilter/linkmilter => ../
