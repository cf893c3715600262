package main

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// Debian and other distributions look in different folders for completions of zsh.
const (
	zshFolder       = "/usr/share/zsh/site-functions/"
	debianZshFolder = "/usr/share/zsh/vendor-completions/"
)

// configuration is the file that an operator edits.
const configuration = "/etc/linkmilter.toml"

// pack makes a package of a format, deb or rpm, and returns its file name.
func (r *release) pack(format string, list []file) (string, []byte, error) {
	info := nfpm.WithDefaults(&nfpm.Info{
		Name:          "linkmilter",
		Arch:          r.arch,
		Version:       r.version.String(),
		VersionSchema: "none",
		Release:       "1",
		Section:       "mail",
		Priority:      "optional",
		Maintainer:    "The linkmilter authors <https://github.com/linkmilter/linkmilter>",
		Description:   "Mail filter for readable and safe links\nA milter for Postfix and Sendmail, and a content filter for other servers. It finds\nevery URL and e-mail address as UTS #58 says, makes links readable, and flags\nthose that deceive.",
		Homepage:      "https://github.com/linkmilter/linkmilter",
		License:       "MIT",
		MTime:         r.date,
	})
	info.RPM.BuildHost = "localhost"
	info.RPM.Group = "System Environment/Daemons"
	info.Suggests = []string{"postfix"}
	info.Recommends = []string{"ca-certificates"}
	for _, f := range list {
		if format == "deb" && f.path == configuration {
			continue // dpkg would ask about it at upgrades: postinst copies it
		}
		info.Contents = append(info.Contents, r.content(format, f))
	}
	r.scripts(format, &info.Scripts)
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return "", nil, err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return "", nil, err
	}
	var content bytes.Buffer
	if err := packager.Package(info, &content); err != nil {
		return "", nil, err
	}
	return packager.ConventionalFileName(info), content.Bytes(), nil
}

// content describes a file for a package.
func (r *release) content(format string, f file) *files.Content {
	c := &files.Content{Source: f.source, Destination: f.path, FileInfo: &files.ContentFileInfo{Mode: f.mode, MTime: r.date, Owner: "root", Group: "root"}}
	if strings.HasPrefix(f.path, "/etc/") {
		c.Type = files.TypeConfigNoReplace
	}
	if name, found := strings.CutPrefix(f.path, zshFolder); found && format == "deb" {
		c.Destination = debianZshFolder + name
	}
	return c
}

// scripts names the scripts that run at installation and removal.
func (r *release) scripts(format string, s *nfpm.Scripts) {
	folder := filepath.Join(r.root, "deploy", "packages", format)
	if format == "deb" {
		s.PostInstall, s.PreRemove, s.PostRemove = filepath.Join(folder, "postinst"), filepath.Join(folder, "prerm"), filepath.Join(folder, "postrm")
		return
	}
	s.PostInstall, s.PreRemove, s.PostRemove = filepath.Join(folder, "post"), filepath.Join(folder, "preun"), filepath.Join(folder, "postun")
}
