/**
 * How mail programs and people say that somebody is away, by language. They match folded text (`fold`), and are folded
 * themselves, so they are written as people write them.
 */
import { fold, type Phrases } from "../meaning/phrases.js"

const ESCAPE = /(\\p\{L\}|\\[a-zA-Z])/

/** Patterns as one, folded as texts are. Their escapes stay: `fold` would lower the case of `\\S` and of `\\p{L}`. */
export const folded = (patterns: ReadonlyArray<string>): string =>
  patterns
    .map((pattern) =>
      pattern
        .split(ESCAPE)
        .map((piece, at) => (at % 2 === 1 ? piece : fold(`x${piece}x`).slice(1, -1)))
        .join("")
    )
    .map((pattern) => `(?:${pattern})`)
    .join("|")

/** "Automatic" and "reply": every program that marks its answers in the subject names both, in its own language. */
export const AUTOMATIC = [
  "auto",
  "automat\\p{L}*",
  "autom\\p{L}{2,8}",
  "otomatik\\p{L}*",
  "otomatis",
  "outomatiese",
  "samodej\\p{L}*",
  "sjálfvirk\\p{L}*",
  "авто",
  "автомат\\p{L}*",
  "аутомат\\p{L}*",
  "аўтамат\\p{L}*",
  "αυτόματ\\p{L}*",
  "(?:ה)?אוטומט\\p{L}*",
  "تلقائي\\p{L}*",
  "آلي\\p{L}*",
  "خودکار",
  "自动",
  "自動",
  "자동",
  "อัตโนมัติ",
  "tự động",
  "स्वचालित",
  "স্বয়ংক্রিয়",
  "ავტომატური",
  "awtomatikong"
] as const
export const REPLY = [
  "reply",
  "response",
  "responder",
  "answer",
  "repl(?:y|ies)",
  "antwort\\p{L}*",
  "réponse",
  "respuesta",
  "risposta",
  "antwoord",
  "beantwoord\\p{L}*",
  "bericht",
  "resposta",
  "svar",
  "vastaus\\p{L}*",
  "vastus\\p{L}*",
  "odpov\\p{L}*",
  "odpowied\\p{L}*",
  "válasz\\p{L}*",
  "răspuns\\p{L}*",
  "atbilde\\p{L}*",
  "atsaky\\p{L}*",
  "odgovor\\p{L}*",
  "отговор\\p{L}*",
  "ответ\\p{L}*",
  "відповід\\p{L}*",
  "адказ\\p{L}*",
  "одговор\\p{L}*",
  "απάντηση\\p{L}*",
  "απαντηση\\p{L}*",
  "yanıt\\p{L}*",
  "yanit\\p{L}*",
  "cevap",
  "מענה",
  "תשובה",
  "رد",
  "الرد",
  "پاسخ",
  "جواب",
  "応答",
  "返信",
  "回复",
  "回覆",
  "答复",
  "答覆",
  "회신",
  "응답",
  "답장",
  "ตอบกลับ",
  "การตอบกลับ",
  "trả lời",
  "phản hồi",
  "balasan",
  "jawapan",
  "tugon",
  "उत्तर",
  "জবাব",
  "উত্তর",
  "жауап",
  "përgjigje\\p{L}*",
  "erantzun\\p{L}*",
  "პასუხი",
  "svör",
  "svar\\p{L}*"
] as const

/** What a subject begins with if its sender is away. Only at its start, and only before a mark or its end. */
export const AWAY_SUBJECT: Phrases = {
  en: [
    "out[- ]of[- ](?:the[- ])?office",
    "ooo",
    "away from (?:the |my )?(?:office|desk|e-?mail)",
    "(?:on )?(?:vacation|annual leave|leave|holiday|maternity leave|parental leave)(?: (?:reply|notice|message|notification))?",
    "i(?:'m| am) (?:away|out|on (?:leave|holiday|vacation))"
  ],
  de: [
    "abwesenheits?(?:\\p{L}*)",
    "abwesend",
    "abwesenheit vom (?:büro|arbeitsplatz)",
    "nicht im (?:büro|haus)",
    "außer haus",
    "(?:im )?urlaub",
    "(?:in )?elternzeit"
  ],
  fr: [
    "(?:message|notification|notice|réponse) d'absence",
    "absen(?:ce|t|te)(?: du bureau)?",
    "hors du bureau",
    "(?:en )?(?:congés?|vacances)"
  ],
  es: ["fuera de (?:la |mi )?oficina", "ausen(?:te|cia)(?: de la oficina)?", "(?:de )?vacaciones"],
  it: ["fuori (?:sede|ufficio)", "assen(?:te|za)(?: dall'ufficio)?", "(?:in )?ferie"],
  nl: ["afwezig(?:heid\\p{L}*)?", "niet (?:aanwezig|op kantoor)", "buiten kantoor", "(?:met |op )?(?:vakantie|verlof)"],
  pt: ["fora d[oe] escrit[óo]rio", "ausen(?:te|cia|cia temporária)|ausência(?: temporária)?", "(?:de |em )?férias"],
  sv: ["frånvar\\p{L}*", "(?:på )?semester", "ej på kontoret", "inte på kontoret"],
  da: ["fravær\\p{L}*", "ikke (?:på|til stede på) kontoret", "ude af kontoret", "(?:på )?ferie"],
  no: ["fraværsmelding", "borte fra kontoret", "ikke til stede", "utenfor kontoret"],
  fi: ["poissa(?:olo\\p{L}*)?", "(?:olen )?lomalla", "ei toimistolla"],
  pl: ["nieobecno\\p{L}*(?: w biurze)?", "poza biurem", "(?:na )?urlop\\p{L}*"],
  cs: ["nepřítomn\\p{L}*", "mimo kancelář", "(?:na )?dovolen\\p{L}*"],
  sk: ["neprítomn\\p{L}*", "mimo kancelári\\p{L}*"],
  hu: ["házon kívül", "távollét\\p{L}*", "szabadság\\p{L}*", "irodán kívül"],
  ro: ["absent din birou", "(?:în )?concediu", "în afara biroului"],
  bg: ["извън офиса", "(?:в )?отпуск\\p{L}*", "отсъств\\p{L}*"],
  ru: ["вне офиса", "нет на месте", "отсутств\\p{L}*", "(?:в )?отпуск\\p{L}*", "не на работе"],
  uk: ["поза офісом", "відсутн\\p{L}*", "(?:у |в )?відпуст\\p{L}*"],
  el: ["εκτός γραφείου", "απουσί\\p{L}*", "άδεια"],
  tr: ["ofis dışı\\p{L}*", "ofis dışında\\p{L}*", "izinde\\p{L}*", "yıllık izin\\p{L}*", "ofiste değilim"],
  he: ["מחוץ למשרד", "לא במשרד", "ב?חופשה", "הודעת היעדרות"],
  ar: ["خارج المكتب", "(?:في )?إجازة", "غياب"],
  fa: ["خارج از دفتر", "(?:در )?مرخصی"],
  ja: ["不在(?:通知|連絡|のお知らせ|のため)?", "休暇(?:中|のお知らせ)?", "外出中"],
  ko: ["부재(?: ?중)?(?: ?알림)?", "휴가(?: ?중)?"],
  zh: ["(?:不在|外出)(?:办公室|辦公室)?", "休假(?:通知|中)?", "外出(?:通知|回复|回覆)?"],
  th: ["ไม่อยู่(?:ที่)?(?:สำนักงาน|ออฟฟิศ)", "ลาพักร้อน", "ไม่อยู่"],
  vi: ["vắng mặt", "nghỉ phép", "ngoài văn phòng", "không có ở văn phòng"],
  id: ["(?:di )?luar (?:kantor|pejabat)", "(?:sedang )?cuti"],
  hr: ["(?:nisam |izvan )u? ?ured\\p{L}*", "odsut\\p{L}*", "(?:na )?godišnj\\p{L}* odmor\\p{L}*"],
  sl: ["odsot\\p{L}*", "(?:na )?dopust\\p{L}*"],
  sr: ["одсут\\p{L}*", "(?:на )?годишњ\\p{L}* одмор\\p{L}*"],
  lt: ["nesu (?:biure|darbe)", "atostog\\p{L}*", "ne biure"],
  lv: ["prombūtn\\p{L}*", "atvaļinājum\\p{L}*", "neesmu birojā"],
  et: ["puhkus\\p{L}*", "kontorist (?:väljas|eemal)", "eemal"],
  ca: ["fora de l'oficina", "absènci\\p{L}*", "(?:de )?vacances"]
}

/** What a subject says of somebody, wherever it stands (Notes and Domino). */
export const SOMEBODY_AWAY = [
  "is (?:currently )?(?:out of the office|on (?:leave|vacation|holiday))",
  "will be out of the office",
  "ist (?:zur zeit |derzeit )?(?:außer haus|nicht im (?:büro|haus)|abwesend|im urlaub)",
  "est (?:actuellement )?absent(?:e|\\(e\\))?",
  "no est[áa] en la oficina",
  "est[áa] (?:fuera de la oficina|ausente|de vacaciones)",
  "è (?:fuori ufficio|assente|in ferie)",
  "is (?:afwezig|niet aanwezig)",
  "está (?:ausente|de férias|fora do escritório)",
  "не в офисе",
  "отсутствует"
] as const

/** What people let their mail program say while they are away. */
export const AWAY_SAID: Phrases = {
  en: [
    "(?:i am|i'm|i will be|i'll be|we are|we're|am|is|currently|presently) (?:\\w+ ){0,3}(?:out of (?:the |my )?office|out of office|ooo|on (?:\\w+ ){0,2}(?:leave|vacation|holidays?|sabbatical|pto)|away from (?:the |my )?(?:office|desk|e-?mails?)|away (?:until|till|from|on business)|out (?:until|till|from|on)|travell?ing)|i(?:'m| am) (?:\\w+ ){0,2}away\\b",
    "(?:limited|no|intermittent|sporadic|without) (?:\\w+ ){0,2}access to (?:my |the )?(?:e-?mails?|internet)",
    "(?:maternity|paternity|parental|medical|annual|sick) leave",
    "(?:offices?|company|shop|studio|practice|school) (?:\\w+ )?(?:is|are|will be|remains?|shut)(?: \\w+)? (?:closed|shut)",
    "attending (?:a |an |the )?(?:\\w+ ){0,2}(?:conference|fair|training|workshop|off-?site|event)",
    "next in the office",
    "during my absence|in my absence"
  ],
  de: [
    "(?:bin|ich) (?:\\S+ ){0,12}(?:nicht im (?:büro|haus)|abwesend|im urlaub|in elternzeit|im mutterschutz|nicht erreichbar|außer haus|auf (?:dienst|geschäfts)reise|unterwegs|krankgeschrieben)",
    "(?:während|in) meiner abwesenheit",
    "(?:büro|unternehmen|kanzlei|praxis|betrieb|geschäft|firma) (?:\\S+ ){0,8}geschlossen",
    "aufgrund (?:eine[rs]|meine[rs])? ?(?:krankheit\\p{L}*|erkrankung)"
  ],
  fr: [
    "(?:suis|serai|sommes|est|sera) (?:\\S+ ){0,4}(?:absente?s?|absent\\(e\\)|en congés?|en vacances|en déplacement|en arrêt|hors du bureau)",
    "(?:en|pendant|durant) (?:mon|son|notre) absence",
    "congé (?:de )?(?:maternité|paternité)|congé parental|(?:actuellement|en ce moment|bonjour,?) en (?:congés?|vacances|déplacement)|en arrêt maladie",
    "(?:bureaux?|établissement|société|magasin|cabinet) (?:\\S+ ){0,3}fermée?s?"
  ],
  es: [
    "(?:estoy|estaré|estamos|está|me encuentro|me encontraré|nos encontramos|encontrándome) (?:\\S+ ){0,4}(?:fuera de (?:la |mi )?oficina|de vacaciones|ausente|de viaje|de baja|de permiso|con permiso)",
    "(?:durante|en) mi ausencia",
    "(?:oficinas?|empresa) (?:\\S+ ){0,3}cerrad[ao]s?"
  ],
  it: [
    "(?:sono|sarò|siamo|è|sarà) (?:\\S+ ){0,4}(?:fuori (?:dall')?(?:ufficio|sede)|in ferie|assente|in viaggio|in maternità|in malattia|in congedo|in trasferta)",
    "(?:durante|in) (?:la )?mia assenza",
    "uffici\\p{L}* (?:\\S+ ){0,3}chius\\p{L}"
  ],
  nl: [
    "(?:ik ben|ben ik|wij zijn|is) (?:\\S+ ){0,6}(?:afwezig|niet aanwezig|(?:op|met) vakantie|met (?:\\S+ )?\\p{L}*verlof|niet op kantoor|op reis|vrij)",
    "tijdens mijn afwezigheid",
    "kantoor (?:\\S+ ){0,3}gesloten"
  ],
  pt: [
    "(?:estou|estarei|estamos|encontro-me|está) (?:\\S+ ){0,4}(?:fora d[oe] escritório|de férias|em férias|ausente|em viagem|de licença|em licença)|licença[- ]maternidade",
    "(?:durante|na) (?:a )?minha ausência"
  ],
  sv: [
    "(?:jag|är|har) (?:\\S+ ){0,4}(?:bortrest|på semester|inte på (?:kontoret|plats)|föräldraledig|sjukskriven|tjänstledig|ledig|frånvarande)",
    "under min frånvaro"
  ],
  da: [
    "(?:jeg er|er jeg|jeg har|jeg holder) (?:\\S+ ){0,4}(?:på ferie|på barsel|ikke på kontoret|bortrejst|fraværende|ferie|på kursus|på orlov)",
    "under mit fravær"
  ],
  no: [
    "(?:jeg er|er jeg|jeg har) (?:\\S+ ){0,4}(?:på ferie|ferie|(?:i )?(?:\\p{L}*)permisjon|ikke på kontoret|bortreist|fraværende|ikke tilgjengelig)",
    "under mitt fravær|i mitt fravær"
  ],
  fi: [
    "olen (?:\\S+ ){0,4}(?:lomalla|vuosilomalla|kesälomalla|poissa|vapaalla|matkoilla|työmatkalla|äitiyslomalla|vanhempainvapaalla)",
    "poissaoloni aikana",
    "lomalla \\d"
  ],
  pl: [
    "(?:jestem|będę|przebywam) (?:\\S+ ){0,4}(?:nieobecn\\p{L}*|na urlopie|na zwolnieniu|poza biurem|w delegacji|na wakacjach)",
    "podczas mojej nieobecności|w czasie mojej nieobecności"
  ],
  cs: [
    "(?:jsem|budu|mám|čerpám) (?:\\S+ ){0,4}(?:na dovolené|dovolenou|mimo kancelář|nepřítom\\p{L}*|na mateřské|služební cestě|nemocensk\\p{L}*)",
    "(?:v době|během|po dobu) mé nepřítomnosti"
  ],
  sk: [
    "(?:som|budem|mám|čerpám) (?:\\S+ ){0,4}(?:na dovolenke|dovolenku|mimo kancelári\\p{L}*|neprítomn\\p{L}*|na materskej|služobnej ceste|na pn)",
    "(?:v čase|počas) mojej neprítomnosti"
  ],
  hu: [
    "szabadságon (?:vagyok|leszek)",
    "(?:vagyok|leszek) (?:\\S+ ){0,3}szabadságon",
    "(?:házon|irodán) kívül (?:vagyok|leszek)",
    "nem (?:vagyok|leszek) (?:\\S+ ){0,3}(?:az irodában|elérhető)",
    "távollétem (?:alatt|ideje)"
  ],
  ro: [
    "(?:sunt|voi fi|mă aflu) (?:\\S+ ){0,4}(?:în concediu|plecat[ăa]? din birou|absent[ăa]?|în afara biroului|în delegație|în vacanță)",
    "(?:în|pe durata) absenț\\p{L}* mele"
  ],
  bg: [
    "(?:съм|ще бъда|аз съм) (?:\\S+ ){0,4}(?:в отпуск\\p{L}*|извън офиса|в командировка|в болнични)",
    "(?:в|във) отпуск\\p{L}* (?:съм|до)",
    "по време на отсъствието ми"
  ],
  ru: [
    "(?:я|нахожусь|буду|сейчас) (?:\\S+ ){0,4}(?:в отпуск\\p{L}*|в командировк\\p{L}*|вне офиса|отсутств\\p{L}*|не в офисе|на больничном|в декрет\\p{L}*)",
    "(?:в|во время) мо(?:е|его) отсутстви\\p{L}*"
  ],
  uk: [
    "(?:я|буду|перебуваю|зараз) (?:\\S+ ){0,4}(?:у відпустці|в відпустці|у відрядженні|поза офісом|відсутн\\p{L}*|на лікарняному)",
    "під час моєї відсутності"
  ],
  el: [
    "λείπω",
    "(?:είμαι|θα είμαι|βρίσκομαι) (?:\\S+ ){0,4}(?:εκτός γραφείου|σε άδεια|με άδεια|σε διακοπές|απών|απούσα)",
    "κατά την απουσία μου"
  ],
  tr: [
    "(?:yıllık |doğum )?izinde(?:yim|yiz|\\b)",
    "izinli(?:yim|yiz)",
    "(?:ofis|büro) dışında\\p{L}*",
    "tatilde\\p{L}*",
    "ofiste (?:değilim|olmayacağım|bulunmayacağım|bulunmamaktayım)",
    "seyahatte\\p{L}*"
  ],
  he: ["(?:אני|אהיה|נמצאת?) (?:\\S+ ){0,3}(?:ב?חופש\\p{L}*|מחוץ למשרד|לא במשרד|בחופשת לידה|בנסיעה)", "בהיעדרי"],
  ar: [
    "(?:أنا|سأكون|حاليا|انا) (?:\\S+ ){0,3}(?:في اجازة|في إجازة|خارج المكتب|في سفر|في مهمة)",
    "(?:في|خلال) (?:اجازة|إجازة|غيابي)"
  ],
  fa: ["(?:در|به) مرخصی", "خارج از دفتر"],
  ja: [
    "(?:休暇|休業|不在|外出|出張|育休|産休|夏季休暇|年末年始)(?:中|を|と|に|の|で|のため)",
    "お休み(?:を|して|をいただ)",
    "不在に(?:して|なり)"
  ],
  ko: ["(?:휴가|부재|출장|외근|육아휴직)\\s?(?:중|기간|로|입니다)"],
  zh: [
    "(?:正在|我在|目前|现在|現在|将|將)?(?:休假|度假|出差|休年假|外出|年假|产假|產假)(?:中|，|,|至|到|期间|期間|。|直到)",
    "不在(?:办公室|辦公室|公司)",
    "无法(?:及时|立即)?(?:查看|回复)(?:邮件|电子邮件|您)"
  ],
  th: ["(?:ลาพักร้อน|ลางาน|ลาหยุด|ลาคลอด|ลาป่วย|อยู่ระหว่างการลา)", "ไม่อยู่(?:ที่)?(?:สำนักงาน|ออฟฟิศ)"],
  vi: ["(?:tôi|mình|em) (?:\\S+ ){0,3}(?:nghỉ phép|vắng mặt|đi công tác|nghỉ thai sản|không có mặt)"],
  id: [
    "(?:saya|kami) (?:\\S+ ){0,3}(?:sedang )?(?:cuti|bercuti|di luar kantor|di luar pejabat|dalam perjalanan|tidak berada)"
  ],
  hr: [
    "(?:sam|ću biti|se nalazim|nalazim se) (?:\\S+ ){0,4}(?:godišnjem|odsut\\p{L}*|izvan ureda|porodiljnom|službenom putu|bolovanju)",
    "na godišnjem (?:sam|ću)",
    "tijekom moje odsutnosti|za vrijeme moje odsutnosti"
  ],
  sl: [
    "(?:sem|bom) (?:\\S+ ){0,4}(?:na dopustu|odsot\\p{L}*|službeni poti|porodnišk\\p{L}*)",
    "na dopustu (?:sem|bom)",
    "v času moje odsotnosti"
  ],
  sr: [
    "(?:сам|ћу бити) (?:\\S+ ){0,4}(?:годишњем|одсут\\p{L}*|ван канцелариј\\p{L}*)",
    "на годишњем",
    "(?:sam|ću biti) (?:\\S+ ){0,4}(?:van kancelarij\\p{L}*|na odmoru)"
  ],
  lt: [
    "atostogauju",
    "(?:esu|būsiu) (?:\\S+ ){0,4}(?:atostogose|išvykęs|išvykusi|komandiruotėje|motinystės)",
    "(?:nesu|nebūsiu) (?:biure|darbe)"
  ],
  lv: [
    "(?:esmu|būšu|atrodos) (?:\\S+ ){0,4}(?:atvaļinājumā|prombūtnē|komandējumā|dekrētā)",
    "(?:neesmu|nebūšu) (?:birojā|darbā)"
  ],
  et: [
    "(?:olen|viibin) (?:\\S+ ){0,4}(?:puhkusel|eemal|lähetuses|lapsehoolduspuhkusel|kontorist)",
    "minu (?:puhkuse|äraoleku) ajal"
  ],
  ca: ["(?:estic|estaré|soc) (?:\\S+ ){0,4}(?:de vacances|fora de l'oficina|absent|de baixa)"]
}

/** What an absence adds: until when, who answers instead, or that mail is not read. */
export const AWAY_ADDS: Phrases = {
  en: [
    "\\b(?:until|till|returning|back (?:on|in)|be back|return(?:ing)? (?:on|to)|upon my return|when i return|on my return)\\b",
    "urgent|immediate|emergenc|in my absence|during my absence|covers? for me|covering|please contact|read(?:ing)? no mail|not (?:be )?(?:check|read|monitor)\\w*",
    "thank(?:s| you) for (?:your (?:e-?mail|message|mail)|getting in touch|contacting|writing|reaching out)"
  ],
  latin: [
    "\\b(?:bis|ab|zurück|wieder|dringend\\p{L}*|vertret\\p{L}*|jusqu'(?:au|à)|retour|urgence\\p{L}*|urgent\\p{L}*|hasta|regres\\p{L}*|vuelv\\p{L}*|vuelta|fino|rientr\\p{L}*|ritorn\\p{L}*|torn\\p{L}*|urgen\\p{L}*|tot|t/m|terug|spoed\\p{L}*|até|retorn\\p{L}*|volto|regresso|till|tillbaka|åter|til|tilbage|tilbake|igen|kunnes|asti|saakka|palaan|takaisin|do|od|wracam|wróc\\p{L}*|piln\\p{L}*|vrátím|zpět|vrátim|späť|naliehav\\p{L}*|ig|vissza\\p{L}*|sürgős\\p{L}*|până|revin|întorc|kadar|döne\\p{L}*|dönüş\\p{L}*|acil|đến|trở lại|hingga|sampai|kembali|vraćam|povratk\\p{L}*|hitn\\p{L}*|vrnem|vrnit\\p{L}*|nujn\\p{L}*|iki|grįž\\p{L}*|skubi\\p{L}*|līdz|atgriez\\p{L}*|steidzam\\p{L}*|kuni|tagasi|kiire\\p{L}*|fins|torno)\\b"
  ],
  other: [
    "đến|trở lại|до|вернусь|возвращ|срочн|повернусь|терміново|върна|спешн|врати|έως|μέχρι|επιστρ|επείγ|עד|אחזור|דחוף|حتى|عودت|عاجل|تا|まで|戻り|緊急|急ぎ|까지|복귀|긴급|至|到|回来|回來|返回|紧急|緊急|ถึง|กลับ|ด่วน"
  ],
  dated: ["\\d{1,2}[./-]\\d{1,2}|\\d{4}-\\d{2}-\\d{2}"]
}

/** What only somebody who answers says: then it is their answer, away or not. */
export const ANSWERS_TOO = [
  "(?:call|ring|write(?: to)?|contact|ping|reach out(?: to)?|get back to|touch base with|try|email|mail) (?:me|us)(?: again| back)? (?:after|then|when|once|in|on|next|from)",
  "let's|shall we|happy to|sounds (?:good|great)|send me|could you|can you|would you|do you",
  "melden sie sich (?:danach|dann|gern)|schicken sie|rufen sie|könnten sie",
  "rappelez|recontactez|envoyez|pouvez-vous",
  "llámeme|escríbame|envíeme|podría",
  "richiami|mi scriva|potrebbe",
  "neem (?:dan|daarna)|stuur"
] as const
