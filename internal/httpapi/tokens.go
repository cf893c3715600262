package httpapi

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/secretfile"
)

// Tokens are the bearer tokens (RFC 6750) of clients.
type Tokens struct{ list []token }

type token struct {
	name string // for the log
	sum  [sha256.Size]byte
}

// minToken is the length of the shortest token that is allowed, in characters.
const minToken = 20

var (
	tokenSyntax = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`) // RFC 6750 §2.1
	nameSyntax  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
)

// ReadTokens reads a file with one token on each line, perhaps followed by the name of its client
// for the log. # begins a comment. Only the owner of the file and a group of this process may read
// it.
func ReadTokens(path string) (*Tokens, error) {
	data, advice, err := secretfile.Read(path)
	if err == nil {
		var tokens *Tokens
		if tokens, err = parseTokens(data); err == nil {
			return tokens, nil
		}
	}
	if advice != "" {
		err = fmt.Errorf("%w (%s)", err, advice)
	}
	return nil, fmt.Errorf("file %q: %w", path, err)
}

func parseTokens(data []byte) (*Tokens, error) {
	tokens := new(Tokens)
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\uFEFF"))) {
		number++
		text, _, _ := strings.Cut(string(line), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		t := token{name: fmt.Sprintf("line-%d", number), sum: sha256.Sum256([]byte(fields[0]))}
		// Errors do not quote the line: it has a secret.
		switch {
		case len(fields) > 2:
			return nil, fmt.Errorf("line %d: more than a token and a name", number)
		case !tokenSyntax.MatchString(fields[0]):
			return nil, fmt.Errorf("line %d: not a token (want letters, digits and -._~+/, such as openssl rand -hex 32 prints)", number)
		case len(fields[0]) < minToken:
			return nil, fmt.Errorf("line %d: token too short (want at least %d characters)", number, minToken)
		case len(fields) == 2 && !nameSyntax.MatchString(fields[1]):
			return nil, fmt.Errorf("line %d: name not valid (want letters, digits and ._-)", number)
		case len(fields) == 2:
			t.name = fields[1]
		}
		tokens.list = append(tokens.list, t)
	}
	if len(tokens.list) == 0 {
		return nil, errors.New("no token (want one a line)")
	}
	return tokens, nil
}

// nameOf returns the name of the client with a token, or reports false. The time that it
// takes does not depend on how much of a token is right.
func (t *Tokens) nameOf(given string) (name string, ok bool) {
	sum := sha256.Sum256([]byte(given))
	found := -1
	for i := range t.list {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], t.list[i].sum[:]), i, found)
	}
	if found < 0 {
		return "", false
	}
	return t.list[found].name, true
}

// bearer returns the token of an Authorization field (RFC 6750 §2.1).
func bearer(field string) string {
	scheme, given, _ := strings.Cut(field, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.Trim(given, " ")
}
