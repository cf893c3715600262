// Package e2e runs real mail servers for tests: a private Postfix, a private
// Sendmail and a private Exim, taken from the packages of the Debian or Ubuntu
// system the tests run on, unpacked and never installed. They listen on
// 127.0.0.1 at ports found at run time, deliver into a temporary folder only,
// and end with the test.
//
// It configures these servers, sends them messages byte for byte, and compares
// the messages that arrive. It must not know the packages of linkmilter: it
// builds and runs the program as users do.
//
// The servers need Linux, root, apt-get and dpkg, and the network once, for
// the packages, which stay unpacked in the user's cache folder. Without one of
// these the tests skip and say so, or fail with LINKMILTER_REQUIRE=1.
package e2e
