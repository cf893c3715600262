package honestmail

// words has the sentences of a language that services add to mail.
type words struct {
	browser, unsubscribe, why string
	rightToLeft               bool
}

// direction returns the value of the attribute dir.
func (w words) direction() string {
	if w.rightToLeft {
		return "rtl"
	}
	return "ltr"
}

// languages has the words of all languages.
var languages = map[string]words{
	"ar":    {"عرض في المتصفح", "إلغاء الاشتراك", "تتلقى هذه الرسالة لأنك مشترك في نشرتنا البريدية.", true},
	"cs":    {"Zobrazit v prohlížeči", "Odhlásit odběr", "Tento e-mail dostáváte, protože jste se přihlásili k odběru.", false},
	"da":    {"Vis i browser", "Afmeld", "Du får denne mail, fordi du har tilmeldt dig vores nyhedsbrev.", false},
	"de":    {"Im Browser ansehen", "Abmelden", "Sie erhalten diese E-Mail, weil Sie sich dafür angemeldet haben.", false},
	"el":    {"Προβολή στον browser", "Διαγραφή από τη λίστα", "Λαμβάνετε αυτό το μήνυμα επειδή έχετε εγγραφεί στο newsletter μας.", false},
	"en":    {"View in browser", "Unsubscribe", "You are receiving this email because you opted in on our website.", false},
	"es":    {"Ver en el navegador", "Darse de baja", "Recibe este correo porque se suscribió en nuestra web.", false},
	"fi":    {"Avaa selaimessa", "Peru tilaus", "Saat tämän viestin, koska olet tilannut uutiskirjeemme.", false},
	"fr":    {"Voir dans le navigateur", "Se désabonner", "Vous recevez cet e-mail car vous êtes inscrit à notre lettre.", false},
	"he":    {"לצפייה בדפדפן", "להסרה מרשימת התפוצה", "קיבלת הודעה זו כי נרשמת לניוזלטר שלנו.", true},
	"hi":    {"ब्राउज़र में देखें", "सदस्यता समाप्त करें", "आपको यह ईमेल इसलिए मिला है क्योंकि आपने हमारे न्यूज़लेटर के लिए पंजीकरण किया है।", false},
	"hu":    {"Megnyitás böngészőben", "Leiratkozás", "Azért kapta ezt a levelet, mert feliratkozott hírlevelünkre.", false},
	"id":    {"Lihat di browser", "Berhenti berlangganan", "Anda menerima email ini karena Anda berlangganan buletin kami.", false},
	"it":    {"Visualizza nel browser", "Annulla iscrizione", "Riceve questa e-mail perché è iscritto alla nostra newsletter.", false},
	"ja":    {"ブラウザで表示", "配信停止", "このメールはメールマガジンにご登録いただいたお客様にお送りしています。", false},
	"ko":    {"브라우저에서 보기", "수신 거부", "본 메일은 수신에 동의하신 회원님께 발송되었습니다.", false},
	"nl":    {"Bekijk in browser", "Uitschrijven", "U ontvangt deze e-mail omdat u zich hebt aangemeld.", false},
	"pl":    {"Zobacz w przeglądarce", "Wypisz się", "Otrzymujesz tę wiadomość, ponieważ zapisałeś się do naszego newslettera.", false},
	"pt-br": {"Ver no navegador", "Cancelar inscrição", "Você recebeu este e-mail porque se cadastrou em nosso site.", false},
	"ro":    {"Vezi în browser", "Dezabonare", "Primiți acest e-mail pentru că v-ați abonat la newsletter.", false},
	"ru":    {"Открыть в браузере", "Отписаться", "Вы получили это письмо, потому что подписались на нашу рассылку.", false},
	"sv":    {"Visa i webbläsaren", "Avregistrera", "Du får det här mejlet eftersom du har anmält dig till vårt nyhetsbrev.", false},
	"th":    {"ดูในเบราว์เซอร์", "ยกเลิกการรับข่าวสาร", "คุณได้รับอีเมลนี้เนื่องจากสมัครรับข่าวสารจากเรา", false},
	"tr":    {"Tarayıcıda görüntüle", "Abonelikten çık", "Bu e-postayı bültenimize abone olduğunuz için alıyorsunuz.", false},
	"uk":    {"Відкрити в браузері", "Відписатися", "Ви отримали цей лист, бо підписалися на нашу розсилку.", false},
	"vi":    {"Xem trong trình duyệt", "Hủy đăng ký", "Bạn nhận được email này vì đã đăng ký nhận bản tin của chúng tôi.", false},
	"zh":    {"在浏览器中查看", "退订", "您收到此邮件是因为您订阅了我们的资讯。", false},
}
