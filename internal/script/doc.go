// Package script reads the strings in scripts and JSON without running them.
package script
