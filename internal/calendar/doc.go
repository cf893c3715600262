// Package calendar reads iCalendar (RFC 5545), vCalendar 1.0, vCard 2.1, 3.0 and 4.0 (RFC
// 6350), and LDIF (RFC 2849), as calendars and address books do. It finds the values that may
// hold links, in well-formed and broken files alike. It is a part of the linkmilter program,
// not a library for others.
package calendar
