// Package rtf reads rich text (RTF 1.9.1): bodies of Outlook, and documents that Word and others open
// by their first bytes, whatever their names say.
package rtf
