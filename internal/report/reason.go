package report

// A Reason is a stable code in kebab case that says why linkmilter did not read or do
// something. The codes of [mime.Reason] are among them: for parts that package mime
// cannot read, and for messages that programs may read in more than one way.
type Reason string
