package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/httpapi"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/milter"
)

// Default returns the configuration without a file: linkmilter makes mail of your own
// users readable, and tags other mail that has findings.
func Default() File {
	var f File
	setDefaults(reflect.ValueOf(&f).Elem())
	fromPackages(&f)
	return f
}

// fromPackages sets the defaults that belong to the packages that use the values.
func fromPackages(f *File) {
	m := milter.DefaultOptions()
	f.Milter.SocketMode = SocketMode(mailserver.DefaultSocketMode)
	f.Milter.MaxConnections = m.MaxConnections
	f.Milter.Idle, f.Milter.Content = Duration(m.Timeouts.Idle), Duration(m.Timeouts.Content)

	c, d := &f.ContentFilter, contentfilter.DefaultOptions()
	c.SocketMode = SocketMode(mailserver.DefaultSocketMode)
	c.MaxConnections = d.MaxConnections
	c.MaxRecipients = d.MaxRecipients
	c.MaxHops = d.MaxHops
	c.NextHopTimeout = Duration(d.NextHop.Timeout)
	c.Idle, c.Content, c.Message = Duration(d.Timeouts.Command), Duration(d.Timeouts.Content), Duration(d.Timeouts.Message)

	a := httpapi.DefaultOptions()
	f.HTTP.SocketMode = SocketMode(mailserver.DefaultSocketMode)
	f.HTTP.MaxConnections = a.MaxConnections
	f.HTTP.Idle, f.HTTP.Request = Duration(a.Timeouts.Idle), Duration(a.Timeouts.Request)

	o := filter.DefaultOptions()
	l := o.Limits
	f.Limits = Limits{
		Message: Size(l.Message),
		Text:    Size(l.Text),
		Result:  Size(l.Result),
		Growth:  Size(l.Growth),
		Header:  Size(l.HeaderBytes),
		Parts:   l.Parts,
		Depth:   l.Depth,
		Links:   o.Engine.MaxLinks,
		Time:    Duration(mailserver.DefaultTime),
		Memory:  Size(mailserver.DefaultMemory),
	}
	f.Header.OptOut = o.OptOut
	f.Policy.Robots = o.Robots
	f.DKIM.Headers, f.DKIM.Oversign = mailauth.DefaultFields()
	f.TLDs.Refresh = true
	f.TLDs.URL, f.TLDs.Every = tlds.DefaultURL, Duration(tlds.DefaultEvery)
	f.Admin.SocketMode, f.Admin.HistorySize = SocketMode(mailserver.DefaultSocketMode), 1<<30
	f.Rules = rule.Builtin()
}

// empty returns a table with the defaults that its tags have.
func empty(table reflect.Type) reflect.Value {
	value := reflect.New(table).Elem()
	setDefaults(value)
	return value
}

// setDefaults sets the defaults that the tags of a table and the tables below it have.
func setDefaults(table reflect.Value) {
	for _, k := range keysOf(table.Type()) {
		target := table.Field(k.index)
		switch {
		case isTable(k.typ):
			setDefaults(target)
		case k.fallback != "":
			if err := k.setDefault(target); err != nil {
				panic("config: default of " + k.name + ": " + err.Error())
			}
		}
	}
}

// setDefault sets a value to the default of its tag. Elements of a list are words.
func (k key) setDefault(target reflect.Value) error {
	text := k.fallback
	var value any = text
	var err error
	switch {
	case k.isText():
		return k.setText(target, text)
	case k.typ == reflect.TypeFor[[]string]():
		target.Set(reflect.ValueOf(strings.Fields(text)))
		return nil
	case target.Kind() == reflect.Int:
		value, err = strconv.ParseInt(text, 10, 64)
	case target.Kind() == reflect.Bool:
		value, err = strconv.ParseBool(text)
	}
	if err == nil && !set(target, value) {
		err = fmt.Errorf("%q for %s", text, k.kind().name)
	}
	return err
}
