package ucd

import "testing"

// TestLetterOfSign: each row of signs shows the letters from a on.
func TestLetterOfSign(t *testing.T) {
	for _, signs := range []string{
		"⒜⒝⒞⒟⒠⒡⒢⒣⒤⒥⒦⒧⒨⒩⒪⒫⒬⒭⒮⒯⒰⒱⒲⒳⒴⒵",
		"🄐🄑🄒🄓🄔🄕🄖🄗🄘🄙🄚🄛🄜🄝🄞🄟🄠🄡🄢🄣🄤🄥🄦🄧🄨🄩",
		"🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩",
		"🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉",
		"🇦🇧🇨🇩🇪🇫🇬🇭🇮🇯🇰🇱🇲🇳🇴🇵🇶🇷🇸🇹🇺🇻🇼🇽🇾🇿",
		"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ",
		"abcdefghijklmnopqrstuvwxyz",
	} {
		for i, r := range []rune(signs) {
			if got, want := LetterOfSign(r), 'a'+rune(i); got != want {
				t.Errorf("%c (%U) shows %c, want %c", r, r, got, want)
			}
		}
	}
	for _, r := range "Aé⒛🄏🄪🅏🅪🆊🇥\U0001f200ʏ̆ф" {
		if want := map[rune]rune{'ʏ': 'y'}[r]; LetterOfSign(r) != r && LetterOfSign(r) != want {
			t.Errorf("%c (%U) shows %c, want none", r, r, LetterOfSign(r))
		}
	}
}
