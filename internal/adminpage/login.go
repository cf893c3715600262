package adminpage

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"

	"golang.org/x/crypto/bcrypt"
)

// mayEnter reports whether a request has the password, if one is configured. bcrypt is
// slow by design, so the hash of the password that was right last is kept.
func (p *Page) mayEnter(r *http.Request) bool {
	if p.options.Password == "" {
		return true
	}
	_, password, ok := r.BasicAuth()
	if !ok {
		return false
	}
	sum := sha256.Sum256([]byte(password))
	if last := p.login.Load(); last != nil && subtle.ConstantTimeCompare(last[:], sum[:]) == 1 {
		return true
	}
	if bcrypt.CompareHashAndPassword([]byte(p.options.Password), []byte(password)) != nil {
		return false
	}
	p.login.Store(&sum)
	return true
}
