#!/usr/bin/env python3
"""UTS #58 (revision 2), step by step as the standard has it, to compare linkmilter with.

usage: uts58.py FOLDER, the folder of LinkTerm.txt, LinkBracket.txt and LinkEmail.txt.

It reads one question a line from standard input and answers each on a line of standard
output, both in JSON. Offsets count code points.

    {"link": text, "start": end of the host}        the end of the link, section 3.5.1
    {"email": text, "at": offset of the "@"}        the start of the address or null, 5.2
    {"path": [...], "query": [[key, value], ...],   the minimally escaped parts, 4.1;
     "fragment": text, "directives": [...]}         null for a part that is absent
"""

import json
import os
import re
import sys

STACK_LIMIT = 125

# Table 3-3: initiator, terminators and what clears the stack of open brackets.
PARTS = {
    "path": ("/", ["?", "#"], ["/"]),
    "query": ("?", ["#"], ["=", "&"]),
    "fragment": ("#", [":~:"], []),
    "directive": (":~:", [], ["&", ",", ":~:"]),
}


class Properties:
    """The properties of sections 3.4 and 5.1."""

    def __init__(self, folder):
        self.term = {}
        self.bracket = {}
        self.email = set()
        for points, fields in read(os.path.join(folder, "LinkTerm.txt")):
            for p in points:
                self.term[p] = fields[0]
        for points, fields in read(os.path.join(folder, "LinkBracket.txt")):
            for p in points:
                self.bracket[p] = int(fields[0], 16)
        for points, _ in read(os.path.join(folder, "LinkEmail.txt")):
            self.email.update(points)

    def link_term(self, char):
        return self.term.get(ord(char), "Hard")

    def link_bracket(self, char):
        return chr(self.bracket[ord(char)])

    def link_email(self, char):
        return ord(char) in self.email


def read(path):
    """Yields the code points and the other fields of each line of a data file."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = [f.strip() for f in line.split("#")[0].split(";")]
            if fields[0]:
                first, _, last = fields[0].partition("..")
                yield range(int(first, 16), int(last or first, 16) + 1), fields[1:]


def match(text, i, strings):
    """Returns the first of the strings that is at the offset i, or ""."""
    for s in strings:
        if text.startswith(s, i):
            return s
    return ""


def link_end(properties, text, start):
    """Section 3.5.1. The host, which ends at start, is part of the link."""
    last_safe = start
    part = previous = None
    stack = []
    i = start
    while i < len(text):
        if part is not None and match(text, i, PARTS[part][1]):
            previous, part = part, None
        if part is None:
            for name, (initiator, _, _) in PARTS.items():
                if text.startswith(initiator, i):
                    part = name
                    break
            else:
                return last_safe
            if part == "directive" and previous not in ("fragment", "directive"):
                return last_safe
            i += len(PARTS[part][0])
            last_safe = i
            stack = []
            continue
        separator = match(text, i, PARTS[part][2])
        if separator:
            i += len(separator)
            last_safe = i
            stack = []
            continue
        term = properties.link_term(text[i])
        if term == "Hard":
            return last_safe
        if term == "Open":
            if len(stack) == STACK_LIMIT:
                return last_safe
            stack.append(text[i])
        if term == "Close":
            if not stack or stack.pop() != properties.link_bracket(text[i]):
                return last_safe
        i += 1
        if term != "Soft":
            last_safe = i
    return last_safe


def email_start(properties, text, at):
    """Section 5.2. None means that it fails to match."""
    if at == 0 or text[at - 1] == ".":
        return None
    start = 0
    for i in range(at - 1, -1, -1):
        if text[i] == ".":
            if text[i + 1] == ".":
                return None
        elif not properties.link_email(text[i]):
            start = i + 1
            break
    if start == at or text[start] == ".":
        return None
    if text[:start].lower().endswith("mailto:"):
        start -= len("mailto:")
    return start


def percent_escape(char):
    return "".join("%%%02X" % b for b in char.encode())


def interior(text, syntax):
    """The interior escaping that section 4.1 assumes: literal syntax characters, and a
    literal percent sign that would begin an escape."""
    text = re.sub("%(?=[0-9A-Fa-f]{2})", "%25", text)
    return "".join(percent_escape(c) if c in syntax else c for c in text)


def without_mark(text):
    """Escapes the first character of each literal ":~:"."""
    return text.replace(":~:", percent_escape(":") + "~:")


def parts_of(question):
    """Returns the parts that are present, with their interior escaping."""
    parts = []
    if question["path"] is not None:
        parts.append(("path", "/".join(interior(s, "?#/") for s in question["path"])))
    if question["query"] is not None:
        pairs = [[interior(s, "+#=&") for s in pair] for pair in question["query"]]
        parts.append(("query", "&".join("=".join(pair) for pair in pairs)))
    directives = question["directives"] or []
    if question["fragment"] or directives:
        parts.append(("fragment", without_mark(interior(question["fragment"] or "", ""))))
    parts += [("directive", without_mark(d)) for d in directives]
    return parts


def minimal(properties, parts):
    """Section 4.1."""
    output = []
    for number, (part, text) in enumerate(parts):
        initiator, terminators, clears = PARTS[part]
        output.append(initiator)
        copied = 0
        stack = []
        for i, char in enumerate(text):
            term = "Hard" if match(text, i, terminators) else properties.link_term(char)
            if match(text, i, clears):
                stack = []
            if term == "Open":
                if len(stack) == STACK_LIMIT:
                    term = "Hard"
                else:
                    stack.append(char)
                    term = "Include"
            elif term == "Close":
                last_open = stack.pop() if stack else None
                term = "Include" if properties.link_bracket(char) == last_open else "Hard"
            if term == "Soft":
                continue
            output.append(text[copied:i])
            output.append(char if term == "Include" else percent_escape(char))
            copied = i + 1
        if number < len(parts) - 1:
            output.append(text[copied:])
        elif copied < len(text):
            output.append(text[copied:-1])
            output.append(percent_escape(text[-1]))
    return "".join(output)


def answer(properties, question):
    if "link" in question:
        return link_end(properties, question["link"], question["start"])
    if "email" in question:
        return email_start(properties, question["email"], question["at"])
    return minimal(properties, parts_of(question))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: uts58.py FOLDER")
    properties = Properties(sys.argv[1])
    for line in sys.stdin.buffer:
        print(json.dumps(answer(properties, json.loads(line))))


if __name__ == "__main__":
    main()
