// Package demo shows what linkmilter does without any set-up: a small mail server in the process
// takes sample messages by SMTP. It hands each to linkmilter in a real milter session, does what
// linkmilter asks for, and prints the message before and after. Or it runs the service and shows
// its page for operators.
package demo
