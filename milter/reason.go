package milter

import "github.com/linkmilter/linkmilter/internal/mailserver"

// Reasons why an edit or action was not made, beside those of every protocol.
const (
	reasonNotGranted mailserver.Reason = "not-granted" // the MTA did not grant the right to it
	reasonHeader     mailserver.Reason = "odd-header"  // the header cannot be addressed or written safely
)
