package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// vectorFile is what deploy/vector/vector.yaml may have: the options that Vector's manual
// names for these components.
type vectorFile struct {
	Sources map[string]struct {
		Type         string
		IncludeUnits []string `yaml:"include_units"`
	}
	Transforms map[string]struct {
		Type        string
		Inputs      []string
		DropOnError bool `yaml:"drop_on_error"`
		Source      string
	}
	Sinks map[string]struct {
		Type      string
		Inputs    []string
		Endpoint  string            // of Loki
		Labels    map[string]string // of Loki
		Endpoints []string          // of OpenSearch
		Mode      string            // of OpenSearch
		Bulk      struct{ Action, Index string }
		Encoding  struct {
			Codec        string
			ExceptFields []string `yaml:"except_fields"`
		}
		Acknowledgements struct{ Enabled bool }
	}
}

// TestVector: the file for Vector has only known options, and each part reads from another one that
// exists.
func TestVector(t *testing.T) {
	content, err := os.ReadFile("../vector/vector.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file vectorFile
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for name, source := range file.Sources {
		known[name] = true
		if source.Type != "journald" || strings.Join(source.IncludeUnits, "") != "linkmilter.service" {
			t.Errorf("source %s: %+v", name, source)
		}
	}
	for name, transform := range file.Transforms {
		known[name] = true
		if transform.Type != "remap" || !transform.DropOnError || !strings.Contains(transform.Source, "parse_json!") {
			t.Errorf("transform %s: %+v", name, transform)
		}
	}
	types := map[string]bool{}
	for name, sink := range file.Sinks {
		types[sink.Type] = true
		for _, input := range sink.Inputs {
			if !known[input] {
				t.Errorf("sink %s reads %s, which is not there", name, input)
			}
		}
	}
	if !types["loki"] || !types["elasticsearch"] || len(file.Sinks) != 2 {
		t.Errorf("sinks %v", types)
	}
	if labels := file.Sinks["linkmilter_loki"].Labels; len(labels) != 3 || labels["node"] != "{{ node }}" {
		t.Errorf("labels %q", labels)
	}
}
