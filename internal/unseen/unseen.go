// Package unseen finds texts of a message that programs read and people do not see: invisible
// characters, and hidden text of HTML that is written for an assistant.
//
// It is a part of the program linkmilter. It knows texts, neither parts nor links.
package unseen

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

const (
	// longPadding is the smallest number of filler characters that are reported. Mail programs
	// leave one or two, and newsletters pad their preheader with hundreds.
	longPadding = 16
	// longestPreheader is how many letters and signs an honest newsletter hides at most as its
	// preheader. Mail programs show up to 200 of them in the list of messages.
	longestPreheader = 400
	// fewTags is the number of tag characters that say nothing, because they are the rest of a
	// broken flag.
	fewTags = 3
)

// Append appends the unseen characters of a text, with offsets into the text.
func Append(all []report.Unseen, text string) []report.Unseen {
	for u := range engine.Unseen(text) {
		if severity := severityOf(&u); severity > policy.SeverityNone {
			all = append(all, report.Unseen{Start: u.Start, End: u.End, Kind: u.Kind.String(), Count: u.Count, Says: u.Decoded, Severity: severity})
		}
	}
	return all
}

// severityOf returns the severity of unseen characters: medium if only deception has them, low if
// newsletters do, and none if mail programs write them.
func severityOf(u *engine.UnseenText) policy.Severity {
	switch {
	case u.Kind == engine.UnseenTags && u.Count <= fewTags:
		return policy.SeverityLow
	case u.Kind.Deceives():
		return policy.SeverityMedium
	case u.Kind == engine.UnseenBreak, u.Kind == engine.UnseenFiller && u.Count >= longPadding:
		return policy.SeverityLow
	}
	return policy.SeverityNone
}

// Hidden judges a text of HTML that a style hides. It accepts a preheader and a copy of the page
// for small screens, which newsletters hide.
func Hidden(text string) (u report.Unseen, ok bool) {
	u = report.Unseen{Kind: report.UnseenHidden, Says: shortened(text), Severity: policy.SeverityLow}
	if Speaks(text) {
		u.Kind, u.Severity = report.UnseenPrompt, policy.SeverityMedium
		return u, true
	}
	for _, r := range text {
		if unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) {
			u.Count++
		}
	}
	return u, u.Count > longestPreheader
}

// Prompt judges a comment, or a text of HTML that may be hidden. It is reported only if it speaks
// to a program.
func Prompt(text string) (report.Unseen, bool) {
	return report.Unseen{Kind: report.UnseenPrompt, Says: shortened(text), Severity: policy.SeverityMedium}, Speaks(text)
}

// shortened returns the beginning of a text, with one space in place of each run of white space.
func shortened(text string) string {
	const longest = 2 << 10
	if len(text) > longest {
		text = text[:longest]
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
}

// Speaks reports whether a text speaks to a program that reads mail for people: it tells it what to
// ignore, whom to obey or what to keep from its user. Use it only for text that people do not see,
// because an article about such attacks speaks so, too.
func Speaks(text string) bool {
	const (
		longest = 64 << 10 // bytes of the text
		around  = 240      // bytes on either side of a word
		most    = 4        // places of a word that are read
	)
	text = strings.ToLower(engine.Clean(text[:min(len(text), longest)]))
	for _, word := range promptWords {
		for at, n := 0, 0; n < most; n++ {
			i := strings.Index(text[at:], word)
			if i < 0 {
				break
			}
			at += i
			if prompts.MatchString(text[max(0, at-around):min(len(text), at+around)]) {
				return true
			}
			at += len(word)
		}
	}
	return false
}

// promptWords are words of which every prompt has one. Searching for them first takes much less
// time.
var promptWords = []string{
	"instruc", "ignor", "disregard", "prompt", "assistant", " ai ", "llm", "language model", "chatbot", "gpt", "copilot", "gemini", "claude", "system",
	"summari", "exfiltrate", "<admin", "inst]", "im_start", "anweisung", "consigne", "olvida", "игнорир", "забудь", "忽略", "无视", "無視", "忘", "recipient", "the user",
}

// prompts matches sentences to language models, as in public collections of prompt injections.
var prompts = regexp.MustCompile(`(?is)` + strings.Join([]string{
	// It says what to forget: most published prompts begin so.
	`\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|my|these|of|previous|prior|earlier|above|other|system|safety|developer|current|and)\s+){1,6}(?:instruction|prompt|command|guideline|rule|direction|directive|constraint|context|polic)`,
	`\b(?:ignoriere|vergiss)\s+(?:(?:alle|bisherigen|vorherigen|obigen|deine|die|vorigen|früheren)\s+){1,4}(?:anweisung|instruktion|regel|befehl|prompt)`,
	`\b(?:ignorez?|oublie[zr]?)\s+(?:(?:toutes?|tous|les|vos|tes|précédentes?|instructions)\s+){1,4}(?:instruction|consigne|règle|précédente|prompt)`,
	`\b(?:ignora|olvida|ignore)\s+(?:(?:todas?|todos|las|os|as|le|tus|suas|tutte|anteriores|instrucciones|instruções|istruzioni)\s+){1,4}(?:instrucci|instruç|istruzion|anterior|precedent|órdenes|prompt)`,
	`(?:игнорируй|забудь)(?:те)?\s+(?:\S+\s+){0,3}(?:инструкци|указани|правил)`,
	`(?:忽略|无视|無視|忘记).{0,12}(?:指令|指示|提示|规则)`, `(?:以前|上記|これまで|前)の(?:すべての)?(?:指示|命令|プロンプト)を(?:無視|忘れ)`,
	// It says to whom it speaks.
	`\b(?:as|if you are|if you're|you are|you're|you are now|act as|acting as)\s+(?:an?\s+|the\s+)?(?:(?:helpful|advanced|automated|email|e-mail|large)\s+)*(?:ai|llm|language model|chatbot|gpt|ai[- ]?(?:assistant|agent|model|system)|virtual assistant)\b[^.?!]{0,80}?\b(?:you|must|should|shall|do not|don't|never|always|ignore|please|summari[sz]|respond|reply|reading|processing|include|tell|add|mark|classify)\b`,
	`\b(?:attention|note|instructions?|message|important)\s*(?:to|for)\s+(?:the\s+|any\s+|all\s+)?(?:ai|llms?|language models?|ai[- ]?(?:assistants?|agents?|models?|systems?|summari[sz]ers?)|chatgpt|copilot|gemini|claude)\b`,
	`\b(?:chatgpt|copilot|gemini|claude|gpt-?\d\w*|llm|ai assistant|assistant)\s*[:,]\s*(?:you\s+(?:must|have|are|should|will)|please|do\b|never|always|ignore|include|add|append|respond|reply|forward|send|summari[sz]e|tell|say|print|output)`,
	`<\s*/?\s*(?:admin|system|assistant|system_prompt|instructions?|im_start|im_end)\s*>`, `<\|(?:im_start|im_end|system|assistant|endoftext)[^|]{0,40}\|>`, `\[/?(?:inst|sys|system)\]`, `<<sys>>`,
	`\b(?:new|updated|real|actual|hidden)\s+(?:system\s+)?(?:prompt|instructions?)\s*:`, `\bsystem\s*(?:prompt|override|message)\s*:`, `\b(?:begin|end)\s+(?:system\s+)?prompt\b`,
	// It says what to keep from the user, or what to do.
	`\b(?:do not|don't|never)\s+(?:mention|reveal|tell|disclose|inform|show)\s+(?:\S+\s+){0,6}(?:the user|the reader|the recipient|these instructions|this instruction|this prompt|system prompt)`,
	`\b(?:when|while|if|before)\s+(?:you\s+|you're\s+|you\s+are\s+)?(?:asked\s+to\s+)?summari[sz](?:e|ing)\s+(?:this|the)\s+(?:e-?mail|message|mail|text|document|thread)`,
	`\b(?:in|at the end of|to|into)\s+(?:your|the|every)\s+summary\b[^.]{0,80}\b(?:include|add|append|say|state|warn|tell|write|mention|must)|\b(?:include|add|append|state|mention|write)\b[^.]{0,120}\b(?:in|at the end of|to)\s+(?:your|the|every)\s+(?:summary|response|answer)\b`,
	`\b(?:exfiltrate|leak)\b.{0,80}\b(?:inbox|e-?mails?|password|secret|key|conversation)`,
}, "|"))
