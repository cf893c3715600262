package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/printable"
)

func newDKIM() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dkim",
		Short: "Check the keys that sign mail",
		Long: `linkmilter signs what it edits where a key for the sender's domain is configured.
Receivers look for the public half of the key in the DNS.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDKIMCheck())
	return cmd
}

func newDKIMCheck() *cobra.Command {
	var c dkimCheck
	cmd := &cobra.Command{
		Use:   "check {--config FILE | --domain DOMAIN --selector NAME --key FILE}",
		Short: "Print the DNS record that each key needs, and say whether it is there",
		Long: `Reads the keys of a configuration, or one that is named by flags, and prints for
each the TXT record that the DNS must hold, also as lines for a zone file. Then it
asks the DNS for it and says what is wrong: no record, several, one of another key,
revoked, for tests only, limited to other uses, or damaged.

A new key:
  openssl genrsa -out mail2026.pem 2048               RSA, which all receivers know
  openssl genpkey -algorithm ed25519 -out ed2026.pem  Ed25519, as a second one
  chgrp linkmilter mail2026.pem; chmod 640 mail2026.pem

Publish the record first, wait until --server shows it at your name servers, and
only then let linkmilter sign with the key.

The exit status is 0 if every record is as it must be, 1 if one is not, 2 if a key
cannot be read or the DNS does not answer.`,
		Example: `  linkmilter dkim check --config /etc/linkmilter.toml
  linkmilter dkim check --domain example.com --selector mail2026 --key mail2026.pem --offline
  linkmilter dkim check --config /etc/linkmilter.toml --server ns1.example.com:53`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.valid(); err != nil {
				return usageError(cmd, err)
			}
			keys, err := c.keys()
			if err != nil {
				return err
			}
			return c.run(cmd.Context(), cmd.OutOrStdout(), keys)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&c.config, "config", "", "check the keys of the configuration in `FILE`")
	flags.StringVar(&c.key.Domain, "domain", "", "the sender's `DOMAIN` that the key is for")
	flags.StringVar(&c.key.Selector, "selector", "", "`NAME` of the key in the DNS: NAME._domainkey.DOMAIN")
	flags.StringVar(&c.key.File, "key", "", "`FILE` with the private key, in PEM")
	flags.BoolVar(&c.offline, "offline", false, "only print the records, do not ask the DNS")
	flags.StringVar(&c.server, "server", "", "ask the name server at `HOST:PORT`, not those of this system")
	flags.BoolVar(&c.json, "json", false, "one object a line for programs")
	return cmd
}

// dkimCheck has the flags of `dkim check`.
type dkimCheck struct {
	config  string
	key     mailauth.Key
	offline bool
	server  string
	json    bool
}

// valid returns an error for flags that are missing or contradict each other.
func (c *dkimCheck) valid() error {
	switch one := c.key.Domain != "" && c.key.Selector != "" && c.key.File != ""; {
	case c.config != "" && c.key != (mailauth.Key{}):
		return errors.New("name a configuration or a key, not both")
	case c.config == "" && !one:
		return errors.New("name a configuration with --config, or a key with --domain, --selector and --key")
	case c.offline && c.server != "":
		return errors.New("--offline and --server exclude each other")
	}
	return nil
}

// keys returns the keys to be checked.
func (c *dkimCheck) keys() ([]mailauth.Key, error) {
	if c.config == "" {
		return []mailauth.Key{c.key}, nil
	}
	file, err := config.Load(c.config)
	if err != nil {
		return nil, err
	}
	keys := file.Signing().Keys
	if len(keys) == 0 {
		return nil, withAdvice(fmt.Errorf("%s has no DKIM key", c.config), "Add a [[dkim.key]] with domain, selector and file")
	}
	return keys, nil
}

// A checkedKey is a key with the result of its DNS check.
type checkedKey struct {
	Name     string   `json:"name"` // name of the record in the DNS
	Type     string   `json:"type"`
	Value    string   `json:"value"`
	Strings  []string `json:"strings"` // the value, divided into the strings of a record
	Domain   string   `json:"domain"`
	Selector string   `json:"selector"`
	File     string   `json:"file"`
	Warnings []string `json:"warnings"`
	DNS      string   `json:"dns"` // "good", "wrong", "unknown" or, offline, "not asked"
	Problems []string `json:"problems"`
}

// run checks keys one by one, and goes on if one cannot be checked.
func (c *dkimCheck) run(ctx context.Context, w io.Writer, keys []mailauth.Key) error {
	var failed []error
	wrong := false
	for i, k := range keys {
		key, err := mailauth.LoadKey(k)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		checked, err := c.check(ctx, key)
		if err != nil {
			failed = append(failed, err)
		}
		wrong = wrong || checked.DNS == "wrong"
		show := checked.show
		if c.json {
			show = checked.writeJSON
		} else if i > 0 {
			fmt.Fprintln(w)
		}
		if err := show(w); err != nil {
			return outputError(err)
		}
	}
	switch {
	case len(failed) > 0:
		return errors.Join(failed...)
	case wrong:
		return errFindings
	}
	return nil
}

// check looks up the record of a key in the DNS, unless offline is set.
func (c *dkimCheck) check(ctx context.Context, key *mailauth.PrivateKey) (checkedKey, error) {
	record := key.Record()
	checked := checkedKey{
		Name: key.Name(), Type: "TXT", Value: strings.Join(record, ""), Strings: record,
		Domain: key.Domain, Selector: key.Selector, File: key.File, Warnings: key.Warnings, DNS: "not asked",
	}
	if c.offline {
		return checked, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	// The final dot keeps the resolver from adding a search domain.
	records, err := c.resolver().LookupTXT(ctx, key.Name()+".")
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) && dns.IsNotFound {
		records, err = nil, nil
	}
	if err != nil {
		err = c.byServer(err)
		checked.DNS = "unknown"
		checked.Problems = []string{"the DNS does not answer: " + err.Error()}
		return checked, fmt.Errorf("DNS lookup of %s: %w", key.Name(), err)
	}
	checked.DNS = "good"
	if checked.Problems = key.CheckRecords(records); len(checked.Problems) > 0 {
		checked.DNS = "wrong"
	}
	return checked, nil
}

// byServer returns an error that names the server of --server: Go names the resolver of this system,
// whose address it handed to the function that connects.
func (c *dkimCheck) byServer(err error) error {
	var dns *net.DNSError
	if c.server == "" || !errors.As(err, &dns) {
		return err
	}
	return &net.DNSError{Err: dns.Err, Name: dns.Name, Server: c.server, IsTimeout: dns.IsTimeout, IsTemporary: dns.IsTemporary}
}

func (c *dkimCheck) resolver() *net.Resolver {
	if c.server == "" {
		return net.DefaultResolver
	}
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, c.server)
		},
	}
}

// show prints a key for people.
func (k checkedKey) show(w io.Writer) error {
	rows := [][]cell{
		{plainCell("key"), plainCell(printable.Text(k.File))},
		{plainCell("name"), plainCell(k.Name)},
		{plainCell("type"), plainCell(k.Type)},
		{plainCell("value"), plainCell(k.Value)},
	}
	for _, warning := range k.Warnings {
		rows = append(rows, []cell{plainCell("warning"), plainCell(warning)})
	}
	problems := k.Problems
	state := k.DNS
	if len(problems) > 0 {
		state += ": " + problems[0]
		problems = problems[1:]
	}
	rows = append(rows, []cell{plainCell("dns"), plainCell(printable.Text(state))})
	for _, problem := range problems {
		rows = append(rows, []cell{plainCell(""), plainCell(printable.Text(problem))})
	}
	_, err := fmt.Fprintf(w, "%s\nfor a zone file:\n%s", columns("", rows), k.zoneLines())
	return err
}

// zoneLines returns the record in the format of a zone file (RFC 1035 §5).
func (k checkedKey) zoneLines() string {
	return k.Name + ". IN TXT (\n    \"" + strings.Join(k.Strings, "\"\n    \"") + "\" )\n"
}

// writeJSON prints a key for programs.
func (k checkedKey) writeJSON(w io.Writer) error {
	for _, list := range []*[]string{&k.Warnings, &k.Problems} {
		if *list == nil {
			*list = []string{}
		}
	}
	var b strings.Builder
	if err := json.NewEncoder(&b).Encode(k); err != nil {
		return err
	}
	_, err := io.WriteString(w, printable.JSON(b.String()))
	return err
}
