package main

// A language has what people write in it.
type language struct {
	code, greeting  string
	sentence, short string
	another, thanks string
	page            string // host and path of a page, readable
	host            string // an IDN host
	charset         string // one that older programs use
}

var languages = []language{
	{
		"en", "Hi Ann,",
		"here is the article that we talked about yesterday, please read it before Monday.", "see the second page.",
		"The room is free from nine, and lunch is at one.", "Thanks, Bob",
		"en.wikipedia.org/wiki/Café_Müller", "café.example.com", "us-ascii",
	},
	{
		"de", "Hallo Frau Krüger,",
		"die Unterlagen zur Übung am Freitag liegen jetzt auf der Seite, bitte bis Mittwoch ansehen.", "siehe die zweite Seite.",
		"Der Raum ist ab neun Uhr frei, und Mittagessen gibt es um eins.", "Viele Grüße, Jonas",
		"de.wikipedia.org/wiki/Übungsaufgabe", "bücher.example.com", "iso-8859-1",
	},
	{
		"fr", "Bonjour Élodie,",
		"voici l'article dont nous avons parlé hier, merci de le lire avant la réunion.", "voir la deuxième page.",
		"La salle est libre à partir de neuf heures, et le déjeuner est à une heure.", "À bientôt, Zoé",
		"fr.wikipedia.org/wiki/Éléphant_d'Asie", "élan.example.fr", "windows-1252",
	},
	{
		"ru", "Привет, Олег!",
		"Посмотри, пожалуйста, статью, о которой мы говорили вчера на встрече.", "смотри вторую страницу.",
		"Зал свободен с девяти часов, а обед будет в час дня.", "Спасибо, Мария",
		"ru.wikipedia.org/wiki/Санкт-Петербург", "пример.рф", "koi8-r",
	},
	{
		"uk", "Вітаю, Олено!",
		"Ось стаття, про яку ми говорили вчора, прочитай її до понеділка.", "дивись другу сторінку.",
		"Зала вільна з дев'ятої години, а обід буде о першій.", "Дякую, Тарас",
		"uk.wikipedia.org/wiki/Київ", "приклад.укр", "windows-1251",
	},
	{
		"el", "Γεια σου Νίκο,",
		"ορίστε το άρθρο που συζητήσαμε χθες, διάβασέ το πριν από τη συνάντηση.", "δες τη δεύτερη σελίδα.",
		"Η αίθουσα είναι ελεύθερη από τις εννέα και το γεύμα είναι στη μία.", "Ευχαριστώ, Ελένη",
		"el.wikipedia.org/wiki/Αθήνα", "παράδειγμα.ελ", "iso-8859-7",
	},
	{
		"ja", "佐藤様",
		"先日お話しした資料はこちらにあります。ご確認をお願いいたします。", "二ページ目をご覧ください。",
		"会議室は九時から使えます。昼食は一時からの予定です。", "よろしくお願いします。 田中",
		"ja.wikipedia.org/wiki/東京都写真美術館", "例え.jp", "iso-2022-jp",
	},
	{
		"zh", "王老师:",
		"昨天我们讨论的文章在这里，请在会议之前阅读。", "请看第二页。",
		"会议室九点开始可以使用，午饭安排在一点钟。", "谢谢，李明",
		"zh.wikipedia.org/wiki/故宫博物院", "例子.中国", "gb2312",
	},
	{
		"ko", "김 선생님,",
		"어제 이야기한 글이 여기에 있습니다. 회의 전에 읽어 주세요.", "두 번째 쪽을 보세요.",
		"회의실은 아홉 시부터 비어 있고 점심은 한 시입니다.", "감사합니다, 박민수",
		"ko.wikipedia.org/wiki/경복궁", "예시.한국", "euc-kr",
	},
	{
		"ar", "مرحبا سامي،",
		"هذه هي المقالة التي تحدثنا عنها أمس، أرجو أن تقرأها قبل الاجتماع.", "انظر الصفحة الثانية.",
		"القاعة متاحة من الساعة التاسعة، والغداء في الساعة الواحدة.", "شكرا، ليلى",
		"ar.wikipedia.org/wiki/خط_عربي", "مثال.مصر", "windows-1256",
	},
	{
		"fa", "سلام مریم،",
		"این همان مقاله‌ای است که دیروز درباره آن صحبت کردیم، لطفا پیش از جلسه بخوان.", "صفحه دوم را ببین.",
		"اتاق از ساعت نه آزاد است و ناهار ساعت یک است.", "با سپاس، رضا",
		"fa.wikipedia.org/wiki/تخت_جمشید", "نمونه.ایران", "utf-8",
	},
	{
		"he", "שלום דנה,",
		"הנה המאמר שדיברנו עליו אתמול, נא לקרוא אותו לפני הפגישה.", "ראה את העמוד השני.",
		"החדר פנוי מתשע בבוקר, וארוחת הצהריים באחת.", "תודה, יואב",
		"he.wikipedia.org/wiki/ירושלים", "דוגמה.co.il", "windows-1255",
	},
	{
		"hi", "नमस्ते सुनीता जी,",
		"यह वही लेख है जिसके बारे में हमने कल बात की थी, कृपया बैठक से पहले पढ़ लें।", "दूसरा पन्ना देखें।",
		"कमरा नौ बजे से खाली है और दोपहर का भोजन एक बजे है।", "धन्यवाद, अर्जुन",
		"hi.wikipedia.org/wiki/महात्मा_गांधी", "उदाहरण.भारत", "utf-8",
	},
	{
		"th", "สวัสดีคุณสมชาย",
		"นี่คือบทความที่เราคุยกันเมื่อวาน กรุณาอ่านก่อนการประชุมวันจันทร์", "ดูหน้าที่สอง",
		"ห้องว่างตั้งแต่เก้าโมงเช้า และอาหารกลางวันตอนบ่ายโมง", "ขอบคุณ มาลี",
		"th.wikipedia.org/wiki/กรุงเทพมหานคร", "ตัวอย่าง.ไทย", "windows-874",
	},
}
