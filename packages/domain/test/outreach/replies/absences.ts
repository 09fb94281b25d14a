/** What mail programs send for people who are away until 4 December, written for these tests. */
interface Absence {
  readonly language: string
  readonly subject: string
  readonly text: string
  /** The day that its words name, if they name one. */
  readonly day: string | null
  /** Whether its words tell without the subject. */
  readonly isPlain: boolean
}

const away = (language: string, subject: string, text: string, isPlain = true): Absence => ({
  language,
  subject: `${subject} Hello`,
  text,
  day: "4",
  isPlain
})

export const ABSENCES: ReadonlyArray<Absence> = [
  away("en", "Automatic reply:", "I am out of the office until 4 December with limited access to mail."),
  away(
    "en, Gmail",
    "Out of Office Re:",
    "I'm on annual leave until December 4th. For urgent matters write to kim@b.test."
  ),
  away("en, Notes", "AUTO: Pat Doe is out of the office (returning 04.12.2026)", "I will return on 04.12.2026.", false),
  away("de", "Automatische Antwort:", "Ich bin bis zum 4. Dezember im Urlaub. In dringenden Fällen: kim@b.test."),
  away(
    "de, notice",
    "Abwesenheitsnotiz:",
    "Vielen Dank für Ihre Nachricht. Ich bin derzeit nicht im Büro und ab dem 4. Dezember wieder da."
  ),
  away("fr", "Réponse automatique :", "Je suis absente du bureau jusqu'au 4 décembre."),
  away("es", "Respuesta automática:", "Estoy de vacaciones hasta el 4 de diciembre."),
  away("es, notice", "Ausente de la oficina:", "Me encuentro fuera de la oficina. Regreso el 4 de diciembre."),
  away("it", "Risposta automatica:", "Sono in ferie fino al 4 dicembre."),
  away("nl", "Automatisch antwoord:", "Ik ben tot 4 december op vakantie."),
  away("pt", "Resposta automática:", "Estou de férias até 4 de dezembro."),
  away("sv", "Autosvar:", "Jag är på semester till den 4 december."),
  away("da", "Automatisk svar:", "Jeg er på ferie til den 4. december."),
  away("nb", "Automatisk svar:", "Jeg har ferie og er tilbake 4. desember."),
  away("fi", "Automaattinen vastaus:", "Olen lomalla 4.12. asti."),
  away("pl", "Odpowiedź automatyczna:", "Jestem na urlopie do 4 grudnia."),
  away("cs", "Automatická odpověď:", "Do 4. prosince jsem na dovolené."),
  away("sk", "Automatická odpoveď:", "Som na dovolenke do 4. decembra."),
  away("hu", "Automatikus válasz:", "December 4-ig szabadságon vagyok."),
  away("ro", "Răspuns automat:", "Sunt în concediu până la 4 decembrie."),
  away("bg", "Автоматичен отговор:", "В отпуск съм до 4 декември."),
  away("ru", "Автоматический ответ:", "Я в отпуске до 4 декабря."),
  away("uk", "Автоматична відповідь:", "Я перебуваю у відпустці до 4 грудня."),
  away("el", "Αυτόματη απάντηση:", "Είμαι σε άδεια μέχρι τις 4 Δεκεμβρίου."),
  away("tr", "Otomatik Yanıt:", "4 Aralık tarihine kadar izindeyim."),
  away("he", "מענה אוטומטי:", "אני בחופשה עד 4 בדצמבר."),
  away("ar", "رد تلقائي:", "أنا في إجازة حتى 4 ديسمبر."),
  away("fa", "پاسخ خودکار:", "تا 2026-12-04 در مرخصی هستم."),
  away("ja", "自動応答:", "休暇中のため、12月4日まで不在です。"),
  away("ko", "자동 회신:", "휴가 중입니다. 12월 4일까지 부재입니다."),
  away("zh-Hans", "自动答复:", "我正在休假，12月4日回来。"),
  away("zh-Hant", "自動回覆:", "我在外出，12月4日返回。"),
  away("th", "ตอบกลับอัตโนมัติ:", "ฉันลาพักร้อนถึงวันที่ 4 ธันวาคม"),
  away("vi", "Trả lời tự động:", "Tôi nghỉ phép đến ngày 4 tháng 12."),
  away("id", "Balasan otomatis:", "Saya sedang cuti sampai 4 Desember."),
  away("hr", "Automatski odgovor:", "Na godišnjem sam odmoru do 4. prosinca."),
  away("sl", "Samodejni odgovor:", "Na dopustu sem do 4. decembra."),
  away("sr", "Аутоматски одговор:", "На годишњем одмору сам до 4. децембра."),
  away("lt", "Automatinis atsakymas:", "Atostogauju iki gruodžio 4 d."),
  away("lv", "Automātiska atbilde:", "Esmu atvaļinājumā līdz 4. decembrim."),
  away("et", "Automaatvastus:", "Olen puhkusel kuni 4. detsembrini."),
  away("ca", "Resposta automàtica:", "Estic de vacances fins al 4 de desembre."),
  away("eu", "Erantzun automatikoa:", "2026-12-04 arte ez naiz bulegoan.", false),
  away("sq", "Përgjigje automatike:", "Jam me pushime deri më 2026-12-04.", false),
  away("af", "Outomatiese antwoord:", "Ek is met verlof tot 2026-12-04.", false)
]
