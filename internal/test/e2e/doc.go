// Package e2e runs real mail servers for tests: a private Postfix, a private
// Sendmail and a private Exim, taken from the packages of the Debian or Ubuntu
// system the tests run on, unpacked and never installed. They listen on
// 127.0.0.1 at ports found at run time, deliver into a temporary folder only,
// and end with the test.
//
// It knows how these servers are configured, how a message is handed to
// them byte for byte, and how what arrived is compared. It must not know
// how linkmilter works: linkmilter is built and run as its users run it.
//
// The servers need Linux, root, apt-get and dpkg, and the network once, for
// the packages; these stay unpacked in the user's cache folder. Where one of
// these is missing, the tests skip and say so, or fail with
// LINKMILTER_REQUIRE=1.
package e2e
