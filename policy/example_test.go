package policy_test

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

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
	//   lookalike: looks like example-bank.com
	// https://example-bank.com@example.net/ high
	//   userinfo: a user name that reads as a host, before the host
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
	text := policy.VisibleText("https://www.\u200bpaypal.com/")
	for _, f := range judge.TextTarget(text, scanner.Append(nil, text), target) {
		fmt.Println(f.Code, f.Severity, f.Detail)
	}
	// Output: text-target-mismatch high the text names paypal.com, the target is example.net
}

// A label can mix scripts that look alike.
func ExampleExplain() {
	link, err := engine.ParseLink("http://p\u0430ypal.com/")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, label := range policy.Explain(link) {
		fmt.Printf("%+q %s: %s, %v\n", label.Unicode, label.ASCII, label.Level, label.Scripts)
		for _, c := range label.Characters {
			fmt.Printf("  %U looks like %s\n", c.Rune, c.LooksLike)
		}
	}
	// Output:
	// "p\u0430ypal" xn--pypal-4ve: Minimally Restrictive, [Cyrillic Latin]
	//   U+0430 looks like a
	// "com" com: ASCII-Only, [Latin]
}
