package milter

import "github.com/linkmilter/linkmilter/internal/mailserver"

// Reasons why an edit or action was not made, beside those of every protocol.
const (
	reasonNotGranted mailserver.Reason = "not-granted" // the MTA did not grant the right to the edit or action
	reasonHeader     mailserver.Reason = "odd-header"  // linkmilter cannot address or write the header safely
)
