package metrics

// namespace begins the name of every metric.
const namespace = "linkmilter"
