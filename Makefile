# linkmilter: build, look, test. `make help` lists the targets.

# Go 1.27 brings the Unicode 17.0 tables of IDNA and normalisation; an older Go fetches it.
export GOTOOLCHAIN = auto

VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
FUZZTIME ?= 10m
SOAKTIME ?= 10m

.PHONY: help build demo test check race bench fuzz soak ucd

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-7s %s\n", $$1, $$2}' Makefile

build: ## build bin/linkmilter
	go build -ldflags '-X main.version=$(VERSION)' -o bin/linkmilter ./cmd/linkmilter

demo: build ## send sample messages through a real milter session and show before and after
	@bin/linkmilter demo

test: ## run all tests; what needs root, a mail server or Unicode's files is skipped loudly
	go test -timeout 20m ./...

check: ## formatting, vet, staticcheck, race detector, generated tables, module files
	@test -z "$$(go tool gofumpt -l . | tee /dev/stderr)" || { echo 'run: go tool gofumpt -w .'; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	go mod tidy -diff
	go test -count 1 -run '^TestGenerated$$' ./internal/ucd ./engine/tld
	go test -race -short -timeout 20m $$(go list ./... | grep -v internal/test/e2e)

bench: ## benchmarks, beside the peers named in docs/performance.md
	go test -run '^$$' -bench . -benchmem ./...
	cd bench && go run .

fuzz: ## run every fuzz target for FUZZTIME (10m) each
	@scripts/fuzz $(FUZZTIME)

soak: ## messages through the milter for SOAKTIME (10m), watching memory, goroutines and descriptors
	LINKMILTER_SOAK=$(SOAKTIME) go test -run '^TestSoak$$' -timeout 0 -count 1 -v ./milter

ucd: ## fetch the Unicode data files into .ucd and generate the tables again
	@scripts/fetch-ucd
	LINKMILTER_UCD=$(CURDIR)/.ucd go generate ./internal/ucd
