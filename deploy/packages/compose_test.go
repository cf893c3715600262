package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestCompose: the file for Compose names files that exist.
func TestCompose(t *testing.T) {
	content, err := os.ReadFile("../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Build   struct{ Context, Dockerfile string }
			Volumes []string
			Depends []string `yaml:"depends_on"`
		}
	}
	if err := yaml.Unmarshal(content, &compose); err != nil {
		t.Fatal(err)
	}
	service, found := compose.Services["linkmilter"]
	if !found || len(service.Volumes) != 1 || len(compose.Services["postfix"].Depends) != 1 {
		t.Fatalf("%+v", compose)
	}
	source, _, _ := strings.Cut(service.Volumes[0], ":")
	for _, path := range []string{filepath.Join("..", source), filepath.Join("..", service.Build.Context, service.Build.Dockerfile)} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
