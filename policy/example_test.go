package policy_test

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// The zero Judge has a list of domains that phishing imitates.
func Example() {
	var judge policy.Judge // policy.New takes options
	var scanner engine.Scanner
	for link := range scanner.All("https://www.paypa1.com/login or https://example.com/") {
		verdict := judge.Link(link)
		fmt.Println(link.ASCIIHost(), verdict.Worst())
		for _, finding := range verdict.Findings {
			fmt.Println(finding.Code, finding.Label, finding.Detail)
		}
	}
	// Output:
	// www.paypa1.com high
	// lookalike paypa1 looks like paypal.com but is another site
	// example.com none
}

// A Judge reports a digit in the name of a bank, and a user name that reads as
// a host.
func ExampleJudge_Link() {
	judge, err := policy.New(policy.Options{Protected: []string{"example-bank.com"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []string{"https://example-bank.com/", "https://examp1e-bank.com/", "https://example-bank.com@example.net/"} {
		link, err := engine.ParseLink(s)
		if err != nil {
			fmt.Println(err)
			continue
		}
		verdict := judge.Link(link)
		fmt.Println(s, verdict.Worst())
		for _, f := range verdict.Findings {
			fmt.Printf("  %s: %s\n", f.Code, f.Detail)
		}
	}
	// Output:
	// https://example-bank.com/ none
	// https://examp1e-bank.com/ high
	//   lookalike: looks like example-bank.com but is another site
	// https://example-bank.com@example.net/ high
	//   userinfo: is only a user name: the link opens the host behind the @
}

// The text of a link names another domain than its target.
func ExampleJudge_TextTarget() {
	judge, err := policy.New(policy.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := engine.ParseLink("https://example.net/login")
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "https://www.\u200bpaypal.com/" // a reader does not see the zero width space
	named := scanner.Append(nil, policy.VisibleText(text))
	for _, f := range judge.TextTarget(text, named, target) {
		fmt.Println(f.Code, f.Severity, f.Detail)
	}
	// Output: text-target-mismatch high the text names paypal.com, but the link opens example.net
}

// A program can have its own severities, and turn a code off.
func ExampleOptions_severities() {
	judge, err := policy.New(policy.Options{Severities: map[policy.Code]policy.Severity{
		policy.CodeUserinfo: policy.SeverityLow,
		policy.CodeIPHost:   policy.SeverityNone,
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []string{"http://admin@example.com/", "http://192.0.2.1/"} {
		link, err := engine.ParseLink(s)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(s, judge.Link(link).Worst())
	}
	// Output:
	// http://admin@example.com/ low
	// http://192.0.2.1/ none
}

// The codes have an order, and each has the severity of its worst findings.
func ExampleCodes() {
	for code, severity := range policy.Codes() {
		fmt.Println(code, severity)
		if code == policy.CodeLookalike {
			break
		}
	}
	// Output:
	// mixed-script high
	// whole-script-confusable medium
	// lookalike high
}

// A program shows the host in Unicode only where the verdict allows it.
func ExampleVerdict() {
	var judge policy.Judge // the zero value can be used
	var scanner engine.Scanner
	for link := range scanner.All("https://bücher.example.com/ https://www.pаypal.com/ https://xn--l8jegik.jp/") {
		verdict := judge.Link(link)
		form := engine.HostASCII
		if verdict.DisplayUnicode {
			form = engine.HostUnicode
		}
		fmt.Println(verdict.Worst(), link.Readable(form))
	}
	// Output:
	// none https://bücher.example.com/
	// high https://www.xn--pypal-4ve.com/
	// none https://あいうえお.jp/
}

// An operator blocks hosts, and protects names that others must not imitate.
func ExampleOptions() {
	judge, err := policy.New(policy.Options{
		Protected: []string{"kestrelbank.com"},
		Block:     []string{".ads.example.com", "old.example.net 2020-01-31"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var scanner engine.Scanner
	for link := range scanner.All("http://x.ads.example.com/ http://old.example.net/ https://kestrelbank-login.com/") {
		for _, finding := range judge.Link(link).Findings {
			fmt.Println(link.ASCIIHost(), finding.Severity, finding.Code)
		}
	}
	// Output:
	// x.ads.example.com high blocked
	// kestrelbank-login.com medium lookalike
}

// The display name of a sender names another domain than the address.
func ExampleJudge_DisplayName() {
	var judge policy.Judge
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	address, err := engine.ParseLink("service@evil.example")
	if err != nil {
		fmt.Println(err)
		return
	}
	name := "service@paypal.com"
	for _, finding := range judge.DisplayName(name, scanner.Append(nil, name), address) {
		fmt.Println(finding.Severity, finding.Code, finding.Detail)
	}
	// Output:
	// high display-name the sender is called paypal.com, but the address is at evil.example
}
