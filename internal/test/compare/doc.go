// Command compare runs two builds of linkmilter over the same inputs and shows
// every difference in what they print and how they exit. scripts/compare builds
// the two and calls it. It holds a refactoring to its rule: behaviour stays.
//
// Generated inputs depend on the seed alone. The file allowed lists the
// behaviours that were changed on purpose.
package main
