package filter_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// packed returns RTF in Outlook's compressed form, with no repeated bytes replaced.
func packed(rtf string) string {
	var data []byte
	at := 207 // behind the initial content of the window
	for i := range len(rtf) {
		if i%8 == 0 {
			data = append(data, 0)
		}
		data = append(data, rtf[i])
		at = (at + 1) % 4096
	}
	for len(rtf)%8 != 0 {
		data, rtf, at = append(data, ' '), rtf+" ", (at+1)%4096
	}
	data = append(data, 1, byte(at>>4), byte(at<<4))
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(data)+12))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(rtf)))
	return string(head) + "LZFu\x00\x00\x00\x00" + string(data)
}

// TestCompressedRTF: the links of a message of Outlook in compressed RTF are judged with their
// texts.
func TestCompressedRTF(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const tnef = "\x78\x9f\x3e\x22\x01\x00\x06\x90\x08\x00"
	fields := map[string]string{
		"field": `{\rtf1{\field{\*\fldinst{HYPERLINK "` + evil + `"}}{\fldrslt{` + shownAs + `}}}}`,
		"HTML":  `{\rtf1\fromhtml1{\*\htmltag64 <a href="` + evil + `">}` + shownAs + `{\*\htmltag72 </a>}}`,
		"text":  `{\rtf1 http://pay{\b pa1}.com/login}`,
	}
	for name, rtf := range fields {
		for _, content := range []string{
			tnef + packed(rtf), tnef + strings.Repeat("\x00\x01", 40) + "MELA\x00\x00\x00\x00" + rtf,
			tnef + "LZFu" + packed(rtf)[len("LZFu"):], tnef + strings.Replace(packed(rtf), packed(rtf)[4:8], "\x05\x00\x00\x00", 1),
			tnef + "LZFu\x00\x00\x00\x00" + "\x00{\\rtf1 x" + packed(rtf), tnef + "LZFu" + strings.Repeat("\x00\x01", 40) + packed(rtf) + "\x00", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00\x02", 60) + packed(`{\rtf1 x}`) + packed(rtf),
		} {
			for mediaType, file := range map[string]string{"application/ms-tnef": "winmail.dat", "application/octet-stream": "x.msg", "application/vnd.ms-outlook": ""} {
				if r := f.Scan(attached(mediaType, file, content)); worstLink(r) < policy.SeverityMedium {
					t.Errorf("%s as %s: %s: %v", name, mediaType, r, placed(r))
				}
			}
		}
	}
	honest := tnef + packed(`{\rtf1{\field{\*\fldinst{HYPERLINK "https://www.example.com/"}}{\fldrslt{www.example.com}}}}`)
	if r := f.Scan(attached("application/vnd.ms-outlook", "x.msg", honest)); worstLink(r) >= policy.SeverityMedium {
		t.Errorf("honest: %s: %v", r, placed(r))
	}
	more := packed(`{\rtf1 ` + strings.Repeat("x", 7<<20))
	if r := f.Scan(attached("application/vnd.ms-outlook", "x.msg", tnef+packed(`{\rtf1 x}`)+more)); r.Outcome != report.OutcomeComplete {
		t.Errorf("7 MiB: %s", r)
	}
	covering := tnef + strings.Repeat("LZFu\x00\x00\x00\x00\x00{\\rtf1 x", 99) + more
	if r := f.Scan(attached("application/vnd.ms-outlook", "x.msg", covering)); r.Outcome != report.OutcomePartial {
		t.Errorf("covering each other: %s", r)
	}
	long := tnef + strings.Repeat("\x00\x00\x00\x10\x00\x00\x00\x10LZFu\x00\x00\x00\x00{\\rtf1", 20_000)
	if r := f.Scan(attached("application/vnd.ms-outlook", "x.msg", long)); r.Failure != "" || r.Outcome == report.OutcomeUnread {
		t.Errorf("long: %s", r)
	}
}
