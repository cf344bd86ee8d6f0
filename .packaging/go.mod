// What is needed to package margay and to build its pages is a module of its
// own, so that nobody who embeds or installs margay downloads it.
module github.com/margay-dev/margay/packaging

go 1.26.0

require golang.org/x/mod v0.43.0

require (
	github.com/margay-dev/margay v0.0.0-00010101000000-000000000000
	github.com/yuin/goldmark v1.8.7
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/net v0.62.0
)

require (
	github.com/go-jose/go-jose/v4 v4.1.9 // indirect
	github.com/hashicorp/golang-lru/v2 v2.0.7 // indirect
	github.com/ohler55/ojg v1.28.5 // indirect
	github.com/owenrumney/go-sarif/v3 v3.3.1 // indirect
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1 // indirect
	github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f // indirect
	github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415 // indirect
	github.com/xeipuuv/gojsonschema v1.2.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace github.com/margay-dev/margay => ../
