-- A session of several messages with linkmilter at `socket`, for miltertest.

-- miltertest keeps error messages to itself.
local function fail(what)
	mt.echo(what)
	error(what)
end

local function check(err)
	if err ~= nil then fail(err) end
end

local function ensure(ok, what)
	if not ok then fail(what) end
end

-- send sends a message, up to the filter's answer to it.
local function send(conn, body, fields)
	check(mt.mailfrom(conn, "<anna@example.test>", "BODY=8BITMIME"))
	check(mt.rcptto(conn, "<b@example.test>"))
	for _, field in ipairs(fields) do
		check(mt.header(conn, field[1], " " .. field[2]))
	end
	check(mt.eoh(conn))
	if body ~= "" then check(mt.bodystring(conn, body)) end
	check(mt.eom(conn))
	ensure(mt.getreply(conn) == SMFIR_ACCEPT, "not accepted: " .. mt.getreply(conn))
end

local plain = {
	{ "From", "a@example.test" }, { "To", "b@example.test" }, { "Subject", "one" }, { "Date", "Fri, 20 Nov 2026 10:00:00 +0000" },
	{ "MIME-Version", "1.0" }, { "Content-Type", "text/plain; charset=utf-8" }, { "Content-Transfer-Encoding", "8bit" },
}
local link = "see https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE please\r\n"
local spoofed = "see https://аррӏе.com/ please\r\n"

local function unchanged(conn)
	return not (mt.eom_check(conn, MT_BODYCHANGE) or mt.eom_check(conn, MT_HDRCHANGE) or mt.eom_check(conn, MT_HDRADD) or
		mt.eom_check(conn, MT_HDRINSERT) or mt.eom_check(conn, MT_HDRDELETE) or mt.eom_check(conn, MT_QUARANTINE))
end

-- A client on this machine: its links are made readable.
local conn = mt.connect(socket, 40, 0.05)
ensure(conn ~= nil, "no connection")
check(mt.negotiate(conn, nil, nil, nil))
ensure(mt.test_action(conn, SMFIF_CHGBODY), "does not ask for body changes")
ensure(not mt.test_action(conn, SMFIF_ADDRCPT), "asks to add recipients")
check(mt.conninfo(conn, "localhost", "127.0.0.1"))
check(mt.helo(conn, "client.example"))
send(conn, link, plain)
ensure(mt.eom_check(conn, MT_BODYCHANGE), "link: body not changed")
ensure(mt.eom_check(conn, MT_HDRCHANGE, "Content-Type"), "link: Content-Type not changed")
ensure(not mt.eom_check(conn, MT_HDRCHANGE, "Subject"), "link: Subject changed")
send(conn, "nothing here\r\n", plain)
ensure(unchanged(conn), "no link: changed")
send(conn, "", plain)
ensure(unchanged(conn), "empty: changed")
check(mt.mailfrom(conn, "<anna@example.test>"))
check(mt.abort(conn))
send(conn, link, { { "List-Id", "<l.example.test>" }, table.unpack(plain) })
ensure(unchanged(conn), "mailing list: changed")
send(conn, link, plain)
ensure(mt.eom_check(conn, MT_BODYCHANGE), "link, last: body not changed")
check(mt.disconnect(conn))

-- A foreign client: what is found is said in the header.
conn = mt.connect(socket)
check(mt.negotiate(conn, nil, nil, nil))
check(mt.conninfo(conn, "client.example", "203.0.113.9"))
send(conn, spoofed, plain)
ensure(not mt.eom_check(conn, MT_BODYCHANGE), "spoofed: body changed")
ensure(mt.eom_check(conn, MT_HDRADD, "X-Linkmilter-Finding"), "spoofed: not tagged")
send(conn, link, plain)
ensure(unchanged(conn), "foreign: changed")
check(mt.disconnect(conn))

-- The same client, logged in.
conn = mt.connect(socket)
check(mt.negotiate(conn, nil, nil, nil))
check(mt.conninfo(conn, "client.example", "203.0.113.9"))
check(mt.helo(conn, "client.example")) -- a macro counts for the next command
check(mt.macro(conn, SMFIC_MAIL, "{auth_authen}", "anna"))
send(conn, link, plain)
ensure(mt.eom_check(conn, MT_BODYCHANGE), "logged in: body not changed")
check(mt.disconnect(conn, false))

mt.echo("all said")
