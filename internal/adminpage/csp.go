package adminpage

// pagePolicy is the Content-Security-Policy of the pages.
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// framesPolicy is that of pages with renderings in frames.
const framesPolicy = pagePolicy + "; frame-src 'self'"

// framePolicy is that of a rendering: nothing runs, loads, opens or is sent.
const framePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
