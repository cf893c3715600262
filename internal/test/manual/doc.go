// Package manual reads the project's documents, so that tests can compare them with the
// program: blocks of code with their language, code in the text, headings and links.
package manual
