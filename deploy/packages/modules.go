package main

import (
	"bytes"
	"debug/buildinfo"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// modules lists the modules that the program was built from, in the form of CycloneDX.
func (r *release) modules(binary string) (string, []byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "", nil, err
	}
	program := module(&debug.Module{Path: info.Main.Path, Version: r.version.String()})
	program.Type = cdx.ComponentTypeApplication
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: r.date.Format(time.RFC3339), Component: &program}
	// A scanner for vulnerabilities knows the standard library by this name.
	components := []cdx.Component{module(&debug.Module{Path: "stdlib", Version: "v" + strings.TrimPrefix(info.GoVersion, "go")})}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		components = append(components, module(m))
	}
	bom.Components = &components
	var content bytes.Buffer
	encoder := cdx.NewBOMEncoder(&content, cdx.BOMFileFormatJSON)
	encoder.SetPretty(true)
	if err := encoder.Encode(bom); err != nil {
		return "", nil, err
	}
	return "linkmilter-" + r.version.String() + "-linux-" + r.arch + ".cdx.json", content.Bytes(), nil
}

// module describes a module by its package URL.
func module(m *debug.Module) cdx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	return cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: url, Name: m.Path, Version: m.Version, PackageURL: url}
}
