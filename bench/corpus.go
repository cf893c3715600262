package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A corpus is messages of about 8,000 bytes each, the same in each run.
type corpus struct {
	name, about string
	messages    []string
	size        int // bytes in all
}

// corpora are the kinds of text that are measured.
var corpora = []struct {
	name, about string
	make        func(size int) corpus
}{
	{"a", "English mail without links", func(size int) corpus { return fill(size, 1, func(r *rand.Rand) string { return mail(r, false) }) }},
	{"b", "English mail, a link in 500 bytes", func(size int) corpus { return fill(size, 2, func(r *rand.Rand) string { return mail(r, true) }) }},
	{"c", "paragraphs in 16 languages with links", func(size int) corpus { return fill(size, 3, multilingual) }},
}

// readCorpora returns the corpora in files of the folder, or new ones of so many bytes if
// folder is empty.
func readCorpora(folder string, size int) ([]corpus, error) {
	var texts []corpus
	for _, kind := range corpora {
		c := corpus{}
		if folder == "" {
			c = kind.make(size)
		} else {
			text, err := os.ReadFile(filepath.Join(folder, kind.name+".txt"))
			if err != nil {
				return nil, err
			}
			c.messages, c.size = strings.Split(string(text), messageEnd), len(text)
		}
		c.name, c.about = kind.name, kind.about
		texts = append(texts, c)
	}
	return texts, nil
}

// messageSize is about the number of bytes of a message.
const messageSize = 8000

// fill makes messages until there are size bytes.
func fill(size int, seed uint64, message func(*rand.Rand) string) corpus {
	r := rand.New(rand.NewPCG(seed, 58))
	var c corpus
	for c.size < size {
		m := message(r)
		c.messages = append(c.messages, m)
		c.size += len(m)
	}
	return c
}

// words is what sentences in English are made of.
var words = strings.Fields(`a about after again all also an and annual answer any are as ask at back be been before
	board both budget but by call can change client come contract copy could customer date day delivery did do
	document down draft each early end even every few file final find first for form forward from full get give
	go good group had has have he help her here him his how if in inform invoice is issue it its items just keep
	know large last late leave left letter line list little long look made mail make many may me meeting minutes
	month more most much must my name need never new next no not note now number of off office old on one only
	open or order other our out over own page part pay people place plan please point price project put question
	quite read ready reply report request room said same say see send set she shipping should show side sign since
	small so some start still such sure take task team than thank that the their them then there these they thing
	this those three through time to today too two under until up update us use version very visit want was way we
	week well were what when where which while who will with work would year yes yet you your`)

func word(r *rand.Rand) string { return words[r.IntN(len(words))] }

// sentence returns a sentence, sometimes with text that resembles a link: amounts, times, versions,
// abbreviations.
func sentence(r *rand.Rand) string {
	var b strings.Builder
	n := 6 + r.IntN(13)
	odd := -1
	if r.IntN(4) == 0 {
		odd = 1 + r.IntN(n-1)
	}
	for i := range n {
		w := word(r)
		switch {
		case i == 0:
			w = strings.ToUpper(w[:1]) + w[1:]
		case i == odd:
			w = oddity(r)
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		if i < n-1 && r.IntN(14) == 0 {
			b.WriteByte(',')
		}
	}
	b.WriteByte("....?!:"[r.IntN(7)])
	return b.String()
}

// oddity returns what is no word and no link.
func oddity(r *rand.Rand) string {
	switch r.IntN(7) {
	case 0:
		return fmt.Sprintf("$%d,%03d.%02d", 1+r.IntN(99), r.IntN(1000), r.IntN(100))
	case 1:
		return fmt.Sprintf("%d:%02d", r.IntN(24), r.IntN(60))
	case 2:
		return "e.g."
	case 3:
		return fmt.Sprintf("v%d.%d.%d", 1+r.IntN(9), r.IntN(20), r.IntN(10))
	case 4:
		return "\"" + word(r) + "\""
	case 5:
		return word(r) + "-" + word(r)
	}
	return fmt.Sprintf("(see %d)", 1+r.IntN(20))
}

var hosts = []string{
	"www.example.com", "mail.example.org", "shop.example.net", "docs.example.co.uk",
	"news.example.de", "intranet.example.edu", "example.com", "tracker.example.io",
}

// link returns a URL or an address as people write them.
func link(r *rand.Rand) string {
	host := hosts[r.IntN(len(hosts))]
	switch k := r.IntN(20); {
	case k < 9:
		var b strings.Builder
		b.WriteString([]string{"https://", "https://", "http://"}[r.IntN(3)])
		b.WriteString(host)
		for range r.IntN(4) {
			b.WriteString("/" + word(r))
		}
		if r.IntN(5) < 2 {
			separator := "?"
			for range 1 + r.IntN(3) {
				fmt.Fprintf(&b, "%s%s=%s%d", separator, word(r), word(r), r.IntN(10000))
				separator = "&"
			}
		}
		return b.String()
	case k < 12:
		return host + "/" + word(r) + ".html"
	case k < 18:
		return word(r) + "." + word(r) + "@" + host
	case k < 19:
		return "mailto:" + word(r) + "@" + host
	}
	return "https://en.wikipedia.org/wiki/" + word(r) + "_(" + word(r) + ")"
}

// mail returns a message in English with broken lines, and, if links is true, a link about every
// 500 bytes.
func mail(r *rand.Rand, links bool) string {
	var b strings.Builder
	next := 100 + r.IntN(800)
	for b.Len() < messageSize {
		var p strings.Builder
		for range 2 + r.IntN(6) {
			p.WriteString(sentence(r))
			if links && b.Len()+p.Len() > next {
				fmt.Fprintf(&p, []string{" See %s.", " At %s for more.", " (%s)", " <%s>", " %s,"}[r.IntN(5)], link(r))
				next += 500
			}
			p.WriteByte(' ')
		}
		wrap(&b, p.String(), []string{"", "", "", "", "> "}[r.IntN(5)])
		b.WriteByte('\n')
	}
	b.WriteString("-- \nJohn\n")
	return b.String()
}

// wrap writes a paragraph in lines of at most 72 bytes, each after a prefix.
func wrap(b *strings.Builder, paragraph, prefix string) {
	column := 0
	for _, w := range strings.Fields(paragraph) {
		if column > 0 && column+1+len(w) > 72 {
			b.WriteByte('\n')
			column = 0
		}
		if column == 0 {
			b.WriteString(prefix)
			column = len(prefix)
		} else {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += len(w)
	}
	b.WriteByte('\n')
}

// paragraphs say in 16 languages that a meeting has been put off.
var paragraphs = []string{
	"The meeting has been moved to Thursday afternoon. Please bring the report and the list of open questions.",
	"Die Besprechung ist auf Donnerstagnachmittag verlegt. Bitte bringen Sie den Bericht und die offenen Fragen mit.",
	"La réunion est reportée à jeudi après-midi. Merci d'apporter le rapport et la liste des questions ouvertes.",
	"La reunión se ha trasladado al jueves por la tarde. Por favor, traigan el informe y las preguntas pendientes.",
	"Встреча перенесена на четверг, вторая половина дня. Пожалуйста, возьмите с собой отчёт и список вопросов.",
	"Η συνάντηση μεταφέρθηκε για το απόγευμα της Πέμπτης. Παρακαλώ φέρτε την έκθεση και τις ανοιχτές ερωτήσεις.",
	"会议改到星期四下午。请带上报告和待解决问题的清单，我们会逐一讨论。",
	"会議は木曜日の午後に変更になりました。報告書と未解決の質問の一覧をお持ちください。",
	"회의가 목요일 오후로 변경되었습니다. 보고서와 남은 질문 목록을 가져오시기 바랍니다.",
	"نُقل الاجتماع إلى بعد ظهر يوم الخميس. يرجى إحضار التقرير وقائمة الأسئلة المفتوحة.",
	"הפגישה הועברה ליום חמישי אחר הצהריים. נא להביא את הדוח ואת רשימת השאלות הפתוחות.",
	"बैठक अब गुरुवार दोपहर को होगी। कृपया रिपोर्ट और खुले प्रश्नों की सूची साथ लाएँ।",
	"การประชุมเลื่อนไปเป็นบ่ายวันพฤหัสบดี กรุณานำรายงานและรายการคำถามที่ยังค้างอยู่มาด้วย",
	"Cuộc họp được dời sang chiều thứ Năm. Vui lòng mang theo báo cáo và danh sách câu hỏi còn lại.",
	"கூட்டம் வியாழன் பிற்பகலுக்கு மாற்றப்பட்டுள்ளது. அறிக்கையையும் நிலுவையில் உள்ள கேள்விகளையும் கொண்டு வாருங்கள்.",
	"შეხვედრა ხუთშაბათს, ნაშუადღევს გადავიდა. გთხოვთ, მოიტანოთ ანგარიში და ღია კითხვების სია.",
}

// lines has links in many scripts, and texts that resemble links.
var lines = []string{
	"https://hi.wikipedia.org/wiki/महात्मा_गांधी", "https://ja.wikipedia.org/wiki/アルベルト・アインシュタイン",
	"https://ka.wikipedia.org/wiki/საქართველო", "https://ar.wikipedia.org/wiki/القاهرة_(مدينة)",
	"https://zh.wikipedia.org/wiki/数学#历史", "https://de.wikipedia.org/wiki/Straße?action=edit",
	"https://ru.wikipedia.org/wiki/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0", "https://ko.wikipedia.org/wiki/한글",
	"bücher.example.de/größe", "пример.рф/путь", "例え.jp/道", "उदाहरण.भारत", "http://مثال.com/", "例子。中国",
	"joe@bücher.example.de", "почта@пример.рф", "See example.com/α(β)γ/δ?ε=ζ#η, please.", "例えば、example.com です。",
	"http://user@example.com/ and http://localhost/", "report.html and foo..bar.com",
}

// multilingual returns a message of paragraphs in many languages, with a line
// of links after every second one.
func multilingual(r *rand.Rand) string {
	var b strings.Builder
	for b.Len() < messageSize {
		for i := range 1 + r.IntN(3) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(paragraphs[r.IntN(len(paragraphs))])
		}
		b.WriteByte('\n')
		if r.IntN(2) == 0 {
			b.WriteString(lines[r.IntN(len(lines))] + "\n")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
