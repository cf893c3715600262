# linkmilter: build, look, test. `make help` lists the targets.

# Go 1.27 brings the Unicode 17.0 tables of IDNA and normalisation; an older Go fetches it.
export GOTOOLCHAIN = auto

VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# Of all files in packages: the same commit gives the same bytes.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)
ARCH     ?= $(shell go env GOARCH)
DIST     ?= dist

PREFIX     ?= /usr/local
SYSCONFDIR ?= /etc
BINARY     ?= bin/linkmilter
# The first configuration of a new installation.
CONFIG     ?= deploy/packages/linkmilter.toml
# A linkmilter that runs on this machine writes the completions.
NATIVE     ?= $(BINARY)

FUZZTIME ?= 10m
SOAKTIME ?= 2h
FAULTMESSAGES ?= 20000

READING = /engine /filter /filter/page

.PHONY: help build install packages release demo test test-long check race bench fuzz faults soak ucd

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' Makefile

build: ## build bin/linkmilter
	go build -ldflags '-X main.version=$(VERSION)' -o bin/linkmilter ./cmd/linkmilter

install: ## install what `make build` built, below PREFIX (/usr/local), in DESTDIR if set
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/linkmilter
	test -e $(DESTDIR)$(SYSCONFDIR)/linkmilter.toml || install -D -m 644 $(CONFIG) $(DESTDIR)$(SYSCONFDIR)/linkmilter.toml
	install -D -m 644 $(CONFIG) $(DESTDIR)$(PREFIX)/share/linkmilter/linkmilter.toml
	test -z "$(TLDS)" || install -D -m 644 "$(TLDS)" $(DESTDIR)$(PREFIX)/share/linkmilter/tlds-alpha-by-domain.txt
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|/usr/local/bin/|$(PREFIX)/bin/|' systemd/linkmilter.service > $(DESTDIR)$(PREFIX)/lib/systemd/system/linkmilter.service
	install -m 644 systemd/linkmilter.socket $(DESTDIR)$(PREFIX)/lib/systemd/system/
	install -D -m 644 systemd/linkmilter.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/linkmilter.conf
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 docs/linkmilter.1
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man5 docs/linkmilter.toml.5
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(NATIVE) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/linkmilter
	$(NATIVE) completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_linkmilter
	$(NATIVE) completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/linkmilter.fish
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/linkmilter README.md CHANGELOG.md SECURITY.md CONTRIBUTING.md LICENSE LICENSE-UNICODE config.example.toml
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/linkmilter/docs docs/*.md docs/*.png
	for f in $$(find deploy -type f ! -path 'deploy/packages/*' ! -name '*.go' ! -name 'go.*'); do install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/doc/linkmilter/$$f || exit 1; done

# The tool is built as the program is: both share the standard library in the build cache.
packages: ## .deb, .rpm, tar archive and list of modules for ARCH, in DIST (dist)
	cd deploy/packages && CGO_ENABLED=0 GOFLAGS=-trimpath SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) go run . -version '$(VERSION)' -arch $(ARCH) -out '$(abspath $(DIST))'

release: ## all of the release VERSION, in DIST (dist), from a clone of HEAD, made twice and compared
	@scripts/release '$(VERSION)' '$(abspath $(DIST))'

demo: build ## send sample messages through a real milter session and show before and after
	@bin/linkmilter demo

test: ## every named case, a sample of each sweep: 3 minutes; says what it skips, and why
test-long: ## the same with all of each sweep, and all tests with real mail servers
test-long: export LINKMILTER_LONG = 1
test test-long:
	go run ./internal/test/progress -timeout 40m ./...
	cd deploy/packages && go test ./...
	cd deploy/kubernetes && go test ./...
	cd goldmark && go test ./...

check: ## formatting, vet, staticcheck, race detector, generated tables, module files, API
	@test -z "$$(go tool gofumpt -l . | tee /dev/stderr)" || { echo 'run: go tool gofumpt -w .'; exit 1; }
	go vet ./...
	go vet -tags faults ./filter
	go tool staticcheck ./...
	go mod tidy -diff
	cd deploy/packages && go mod tidy -diff && go vet ./...
	cd deploy/kubernetes && go mod tidy -diff && go vet ./... && $$(cd ../.. && go tool -n staticcheck) ./...
	cd goldmark && go mod tidy -diff && go vet ./... && $$(cd .. && go tool -n staticcheck) ./...
	go test -count 1 ./internal/test/api # apidiff: the libraries against the accepted names
	go test -count 1 -run '^TestGenerated$$' ./internal/ucd ./engine/tld
	# No goroutines meet in most of the reading, whose other tests would take minutes.
	go test -race -short -timeout 20m $$(go list ./... | grep -v -e internal/test/e2e $(READING:%=-e '%$$'))
	go test -race -run 'ConcurrentUse|FromMessageToMessage' $(READING:%=.%)
	cd goldmark && go test -race -short ./...

bench: ## benchmarks, beside the peers named in docs/performance.md
	go test -run '^$$' -bench . -benchmem ./...
	cd bench && go run .
	LINKMILTER_REFERENCE_LINES=200000 go test -count 1 -run '^TestReference$$' -v ./engine

fuzz: ## run every fuzz target for FUZZTIME (10m) each
	@scripts/fuzz $(FUZZTIME)

faults: ## FAULTMESSAGES (20000) messages through linkmilter under each fault in turn
	LINKMILTER_LONG=1 LINKMILTER_FAULTS=$(FAULTMESSAGES) go test -run '^(TestFaults|TestPanics)$$' -timeout 0 -count 1 -v ./internal/test/faults

soak: ## mail through linkmilter for SOAKTIME (2h), with faults drawn at random (LINKMILTER_SOAK_SEED)
	LINKMILTER_SOAK=$(SOAKTIME) go test -run '^TestSoak$$' -timeout 0 -count 1 -v ./internal/test/faults

ucd: ## fetch the Unicode data files into .ucd and generate the tables again
	@scripts/fetch-ucd
	LINKMILTER_UCD=$(CURDIR)/.ucd go generate ./internal/ucd
