"""Writes words.txt: values of fields with encoded words, and what Python's package email
decodes them to, a pair a line, with a tab between them and JSON strings.

    python3 internal/charset/testdata/words.py > internal/charset/testdata/words.txt
"""
import base64
import email
import email.policy
import json
import quopri
import random

random.seed(58)
TEXTS = ["service@paypal.com", "www.paypal.com", "PayPal Service", "Grüße von Jürgen", "Анна service@paypal.com",
         "日本語 paypal.com", "a?b=c_d", "p\u0430ypal.com"]
CHARSETS = ["utf-8", "UTF-8", "iso-8859-1", "windows-1251", "koi8-r", "shift_jis", "gbk", "iso-2022-jp", "utf-7", "us-ascii"]


def word(text, charset, how):
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:
        return None
    if how in "bB":
        encoded = base64.b64encode(data).decode()
        if random.random() < 0.3:
            encoded = encoded.rstrip("=")
    else:
        encoded = "".join("_" if c == 32 else chr(c) if 33 <= c < 127 and c not in b"=?_\"" else "=%02X" % c for c in data)
    return "=?%s?%s?%s?=" % (charset, how, encoded)


def split(text, charset):
    """A text in two adjacent words that split a character."""
    data = text.encode(charset)
    cut = random.randrange(1, len(data))
    return " ".join("=?%s?B?%s?=" % (charset, base64.b64encode(piece).decode()) for piece in (data[:cut], data[cut:]))


def values():
    for _ in range(600):
        text, charset = random.choice(TEXTS), random.choice(CHARSETS)
        encoded = word(text, charset, random.choice("qQbB"))
        if encoded is None:
            continue
        yield encoded
        yield random.choice(["x ", "", "Re: ", "a b "]) + encoded + random.choice(["", " y", " =?utf-8?q?z?="])
        yield encoded + "  " + encoded
    for text in TEXTS:
        for charset in ("utf-8", "gbk"):
            try:
                yield split(text, charset)
            except UnicodeEncodeError:
                pass


seen = set()
for value in values():
    if value in seen:
        continue
    seen.add(value)
    message = email.message_from_string("Subject: " + value + "\n\n", policy=email.policy.default)
    try:
        decoded = str(message["subject"])
        decoded.encode()
    except Exception:
        continue  # Python gives up
    if "\ufffd" in decoded:
        continue
    print(json.dumps(value) + "\t" + json.dumps(decoded))
