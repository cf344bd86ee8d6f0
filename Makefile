# margay: everything runs from here. `make` alone lists the targets.

GO          ?= go
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
# A count such as 500x never ends in the middle of an input, as a time can.
FUZZTIME    ?= 10s
PACKAGES     = ./... ./testdata/oracletest ./testdata/gatewaygen/... ./testdata/proxybench
VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS      = -s -w -X main.version=$(VERSION)

.DEFAULT_GOAL := help
.PHONY: help run test race lint fuzz bench bench-proxy build install cross golden release docs

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

EXAMPLE = testdata/gateways/example

run: build ## show margay on an example gateway: findings, what routes get, a circuit that opens and closes
	./margay lint $(EXAMPLE)
	./margay resolve $(EXAMPLE)
	./margay emit --output example.plan.json $(EXAMPLE)
	@echo "the plan is in example.plan.json"
	@.ci/tour $(EXAMPLE)

test: ## run every test, the recordings included
	$(GO) test -timeout 20m $(PACKAGES)
	$(GO) -C .packaging test ./...

race: ## run the tests of everything concurrent under the race detector
	$(GO) test -timeout 20m -race ./runtime/...

lint: ## format, vet and staticcheck
	@unformatted=$$(gofmt -l .packaging cmd emit normalize runtime schema testdata validate); \
		test -z "$$unformatted" || { echo "not formatted: $$unformatted"; exit 1; }
	$(GO) vet $(PACKAGES)
	$(GO) run $(STATICCHECK) -checks all,-ST1003 $(PACKAGES)
	$(GO) -C .packaging vet ./...
	$(GO) -C .packaging run $(STATICCHECK) -checks all,-ST1003 ./...

fuzz: ## run every fuzz target for FUZZTIME
	@.ci/fuzz $(FUZZTIME)

bench: ## print our figures beside the peers'
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

bench-proxy: build ## compare the proxy with nginx, haproxy, Caddy and net/http, in rounds; PARTS=latency,reload OPTIONS='-rounds 15'
	PATH="$(CURDIR):$$PATH" $(GO) run ./testdata/proxybench $(if $(PARTS),-parts $(PARTS)) $(OPTIONS)

build: ## build ./margay
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o margay ./cmd/margay

install: ## install margay into GOBIN
	CGO_ENABLED=0 $(GO) install -trimpath -ldflags '$(LDFLAGS)' ./cmd/margay

cross: ## build and vet for the other systems
	@for target in windows/amd64 darwin/arm64; do echo "$$target"; export GOOS=$${target%/*} GOARCH=$${target#*/} CGO_ENABLED=0; \
		$(GO) build -o /dev/null ./cmd/margay && $(GO) vet ./cmd/... ./emit/... ./schema/... ./normalize/... ./validate/... || exit 1; done

golden: ## rewrite golden files from what the code does now; read the diff
	UPDATE=1 $(GO) test -timeout 20m $(PACKAGES)

release: ## build archives, packages and checksums into dist/release, publish nothing
	$(GO) -C .packaging run ./release $(if $(RELEASE),-version $(RELEASE))

docs: ## write the pages as HTML into dist/docs
	$(GO) -C .packaging run ./docs
