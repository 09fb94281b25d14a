/** What programs write that acknowledge our mail, by language: read beside `receipts.ts`. Matched against folded text. */
import { folded } from "./absencePhrases.js"

const any = (patterns: ReadonlyArray<string>): RegExp => new RegExp(folded(patterns), "u")

/** "We have received your request", in the words of helpdesks. */
export const RECEIVED = any([
  "(?:we(?:'ve| have)?|i have|has been|was|been|is|have|successfully) (?:now |just |successfully |safely )?received(?: and| your|\\b)",
  "we (?:have|got|have got) your (?:\\w+ ){0,2}(?:request|e-?mail|message|inquiry|enquiry|query|ticket)",
  "received your (?:\\w+ ){0,3}(?:request|e-?mail|message|inquiry|enquiry|query|ticket|submission|question)",
  "(?:ticket|case|request|issue|incident) (?:\\S+ ){0,6}(?:has been|was|is) (?:\\w+ )?(?:created|opened|logged|registered|received|assigned|submitted|raised|closed|solved|resolved)",
  "(?:created|opened|logged|registered|raised|assigned) (?:a |an |your |the )?(?:\\w+ ){0,3}(?:ticket|case|request|incident)",
  "(?:issue|ticket|bug|request) #?\\d+ has been (?:reported|submitted) by|following issue has been submitted|created (?:an issue|a new work package)|you reported the bug|registered under the (?:reference|number)",
  "thank(?:s| you) for (?:contacting|getting in touch|reaching out to|writing to|submitting|your (?:request|inquiry|enquiry|submission|ticket))",
  "this is an acknowledg\\p{L}*|acknowledg\\p{L}* (?:of )?receipt",
  "(?:ihre|ihrer|deine) (?:\\S+ ){0,3}(?:anfrage|nachricht|e-?mail|mitteilung) (?:\\S+ ){0,5}(?:erhalten|eingegangen|empfangen|bearbeit\\p{L}*)",
  "eingangsbestätigung|(?:ticket|vorgang|anfrage) (?:\\S+ ){0,6}(?:erstellt|eröffnet|angelegt|registriert|aufgenommen)|haben (?:\\S+ ){0,5}erhalten",
  "accus(?:ons|e) (?:bonne )?réception|(?:avons|ai) bien reçu|bien été (?:reçue?|enregistrée?|prise? en compte)|accusé de réception|(?:ticket|demande) (?:\\S+ ){0,5}(?:créée?|enregistrée?|ouverte?)",
  "(?:hemos|he) recibido (?:su|tu)|(?:ha sido|fue) (?:recibid[oa]|cread[oa]|registrad[oa])|acuse de recibo|(?:ticket|solicitud|caso) (?:\\S+ ){0,5}(?:cread[oa]|registrad[oa]|abiert[oa])",
  "(?:abbiamo|ho) ricevuto (?:la|il)|è stat[oa] (?:ricevut[oa]|creat[oa]|registrat[oa]|apert[oa]|presa in carico)|conferma di ricezione",
  "(?:we|wij) (?:\\S+ ){0,4}(?:ontvangen)|(?:is|zijn|werd) (?:\\S+ ){0,3}(?:ontvangen|aangemaakt|geregistreerd)|ontvangstbevestiging|hebben (?:\\S+ ){0,5}ontvangen",
  "(?:recebemos|recebi) (?:a |o )?(?:sua|seu|tua)|foi (?:recebid[oa]|criad[oa]|registrad[oa]|abert[oa])|(?:chamado|ticket|solicitação|pedido) (?:\\S+ ){0,5}(?:criado|aberto|registrad[oa])",
  "(?:vi|jag) har (?:\\S+ ){0,2}(?:mottagit|tagit emot|mottatt|modtaget)|(?:ärende|sag|sak|henvendelse) (?:\\S+ ){0,5}(?:skapats|oprettet|opprettet|registreret|registrert|modtaget|mottatt)|vi har modtaget|vi har mottatt|(?:din|dit|deres|jeres|henvendelse\\p{L}*|e-?mail|mail|meddelelse|besked|e-?post|melding\\p{L}*) (?:\\S+ ){0,4}er (?:mottatt|modtaget)",
  "olemme vastaanottaneet|on vastaanotettu|viestisi on|tukipyyntö",
  "(?:otrzymaliśmy|otrzymałem) (?:\\S+ ){0,3}|zgłoszenie (?:\\S+ ){0,5}(?:zostało|utworzono|przyjęte|zarejestrowane)|potwierdzenie (?:otrzymania|odbioru)",
  "(?:obdrželi|přijali|zaevidovali|zaregistrovali) jsme|jsme (?:\\S+ ){0,3}(?:obdrželi|přijali|zaevidovali|zaregistrovali)|(?:požadavek|dotaz|zpráva) (?:\\S+ ){0,4}(?:přijat\\p{L}*|doručen\\p{L}*|obdržen\\p{L}*|zaregistrován\\p{L}*|zaevidován\\p{L}*|vytvořen\\p{L}*|založen\\p{L}*|uzavřen\\p{L}*|vyřešen\\p{L}*)|(?:dostali|prijali) sme",
  "(?:megkaptuk|megérkezett|rögzítettük)|(?:am primit|a fost înregistrat\\p{L}*)|(?:получили|получено|зарегистрирован\\p{L}*|принят\\p{L}*) (?:ваш\\p{L}*|в работу)|ваш\\p{L}* (?:обращени\\p{L}*|заявк\\p{L}*|письмо|запрос\\p{L}*|сообщени\\p{L}*) (?:\\S+ ){0,3}(?:получен\\p{L}*|зарегистрирован\\p{L}*|принят\\p{L}*|создан\\p{L}*)|ваше (?:звернення|повідомлення) (?:\\S+ ){0,2}(?:отримано|зареєстровано)",
  "(?:talebiniz|mesajınız|e-?postanız) (?:\\S+ ){0,3}(?:alın\\p{L}*|ulaş\\p{L}*|oluşturul\\p{L}*)",
  "(?:お問い?合わ?せ|メール|ご連絡)(?:を|が|は|いただき).{0,20}(?:受け付け|受付|受信|拝受|承り)|自動返信|自動送信",
  "(?:已收到|收到)您的|(?:工单|工單|请求|請求)(?:已|编号)",
  "(?:문의|요청|메일)\\S* (?:\\S+ ){0,3}(?:접수|수신)"
])

/** What only a program adds to it: a number, that it is a program, when somebody will look. */
export const BY_PROGRAM = any([
  "(?:ticket|case|request|incident|reference|issue|tracking|vorgang\\p{L}*|anfrage|dossier|caso|solicitud|chamado|protocolo|ärende\\p{L}*|sag|zgłoszeni\\p{L}*|обращени\\p{L}*|заявк\\p{L}*)[- ]?(?:id|no|nr|number|nummer|numéro|número|numero|номер|#)?[.: ]{0,3}(?:is |ist |est |es |è |#|no\\.? |n° |nº |№ ?)?[#\\[(]?[a-z]{0,5}[- ]?\\d{3,}",
  "(?:a |the |your |new )?(?:support )?ticket (?:\\S+ ){0,5}(?:created|opened|number|id)",
  "#\\d{3,}|\\(\\d{3,}\\)|(?:a member|one|someone) (?:of|from) our (?:\\w+ ){0,2}(?:team|staff|agents)(?: \\w+){0,4} will",
  "(?:automat\\p{L}*|auto-?generated) (?:\\w+ ){0,3}(?:e-?mail|message|reply|response|acknowledg\\p{L}*|confirmation|notification|nachricht|antwort|mail|bestätigung|message|réponse|mensaje|respuesta|messaggio|risposta|bericht|mensagem|resposta|svar|wiadomość|сообщение|письмо|meddelande\\p{L}*|meddelelse\\p{L}*|besked|melding\\p{L}*|viesti\\p{L}*|vastaus\\p{L}*|zpráv\\p{L}*|odpověď)",
  "(?:message|réponse|mensaje|respuesta|messaggio|risposta|mensagem|resposta|wiadomość|zpráva) (?:\\w+ ){0,2}(?:automáti\\p{L}*|automati\\p{L}*|généré\\p{L}*|wygenerowan\\p{L}*|vygenerovan\\p{L}*)",
  "(?:sags?|saks?|ärende|ticket|tiketti|tapaus|vorgangs|dossier|zgłoszenia|požadavku)[- ]?(?:nummer\\p{L}*|numero\\p{L}*|numer|číslo) (?:\\S+ ){0,2}#?\\d{3,}|(?:numéro|número|numero|nummer|numerem|číslem) (?:\\S+ ){0,2}#?\\d{3,}",
  "(?:do not|don't|please do not) (?:reply|respond) to this|(?:nicht|keine) (?:\\S+ ){0,4}(?:antworten|beantworten)|ne pas répondre|no responda a este|non rispondere a questa|niet (?:\\S+ ){0,4}beantwoorden|não responda|(?:prosimy|proszę) nie odpowiadać|не отвечайте на это",
  "(?:within|in|innerhalb|binnen|sous|dentro de|entro|inom|inden for|w ciągu|в течение) (?:\\S+ ){0,3}(?:\\d+|one|two|three|24|48|next|einem|zwei|un|une|deux|due|een|twee|en|ett|jednego) ?(?:-|to|bis|à|a)? ?\\d* ?(?:business |working |werk|arbeits)?(?:hours?|days?|stunden|tagen?|werktagen?|arbeitstagen?|heures?|jours?|horas|días|ore|giorni|uur|dagen|werkdagen|dias|timmar|dagar|timer|dage|dager|godzin|dni|часов|дней|h)\\b",
  "(?:type your reply|reply) above this line|you can (?:track|view|check) (?:\\w+ ){0,3}(?:status|ticket|request)|(?:view|check|track) (?:the )?(?:status|progress) of (?:your|this)"
])

/** What receipts say besides, clause by clause: who looks at it, when, where its state is seen. */
export const OF_RECEIPT = any([
  "\\b(?:support|team|staff|agents?|representatives?|specialists?|operator|shortly|soon|possible|track(?:ing)?|status|progress|ticket|case|request\\p{L}*|inquir\\p{L}*|enquir\\p{L}*|reviewed|reference|follow(?:ing)?[- ]?up|within|hours?|days?|faq|help cent(?:er|re)|knowledge|visit|view|link|online|above this line|records?|details)\\b",
  // Fields of trackers, and why one gets their mail.
  "\\b(?:reporter|(?:reported|submitted|powered|delivered) by|submitted|requesters?|author|assign(?:ee|ed to)|owner|category|severity|priority|reproducibility|milestone|issue (?:type|id)|product|project|summary|title|type|opening date|created|department|not (?:defined|set)|unassigned|normal|minor|major|new|open|none|notifications?|subscribed|involved|preferences|receiving this mail)\\b",
  "\\b(?:ticket\\p{L}*|vorgang\\p{L}*|anfrage\\p{L}*|bearbeitung\\p{L}*|werktag\\p{L}*|stunden|kürze|schnellstmöglich|baldmöglichst|mitarbeiter\\p{L}*|team|melden uns|eingegangen|zuständige|stelle)\\b",
  "\\b(?:demande|équipe|délais?|heures|jours|dossier|services?|numéro|traitée?|reviendra)\\b|\\b(?:solicitud|equipo|número|plazo|horas|días|breve|agente|expediente)\\b|\\b(?:richiesta|numero|ore|giorni|operatore|al più presto|presa in carico)\\b",
  "\\b(?:aanvraag|nummer|werkdagen|spoedig|medewerker)\\b|\\b(?:protocolo|chamado|equipe|breve|horas|úteis)\\b|\\b(?:ärende\\p{L}*|sag\\p{L}*|henvendelse|saken|nummer|snart|hurtigst|återkommer|vender tilbage)\\b|\\b(?:zgłoszeni\\p{L}*|numer\\p{L}*|najszybciej)\\b|\\b(?:požadav\\p{L}*|číslem|nejdříve)\\b|заявк\\p{L}*|обращени\\p{L}*|ближайшее|сотрудник\\p{L}*",
  "\\b(?:non rispondere|älä vastaa|viesti|automaatti\\p{L}*|neodpov\\p{L}*|zpráva|messaggio|created|assigned|received|message|account|customers?|contacting|shared|confirming|on it|type your reply|comments?|add|click|below|short description|copy|thank\\p{L}*|dear|hello|hi|greetings|regards|respond\\p{L}*|repl(?:y|ies)|reopen|get back|touch|patience|meantime|meanwhile|usual(?:ly)?|typically|no further action|automat\\p{L}*|danke\\p{L}*|dank|geehrte\\p{L}*|guten tag|hallo|grüße\\p{L}*|antwort\\p{L}*|merci|bonjour|réponse|cordialement|gracias|estimad\\p{L}*|responder\\p{L}*|contacto|grazie|gentile|buongiorno|contatter\\p{L}*|bedankt|beste|contact met u|reageren|obrigad\\p{L}|olá|responder\\p{L}*|tack|tak|takk|hej|hei|svarar?|svarer|kiitos|vastaamme|dziękuj\\p{L}*|odpowi\\p{L}*|děkuj\\p{L}*|ozveme|odpov\\p{L}*)\\b|спасибо|здравствуйте|ответ\\p{L}*",
  "ありがとう|お問い合わせ|ご連絡|受け付け|担当|営業日|自動|番号|工单|编号|접수|번호"
])

/** A receipt's subject says so, with or without a number. */
export const RECEIPT_SUBJECT = any([
  "^(?:[\\[(][^\\])]{1,40}[\\])] ?:? ?)*(?:ticket|case|request|issue|message|e-?mail|inquiry|enquiry) (?:\\S+ )?(?:received|created|opened|acknowledg\\p{L}*|confirmation|submitted)",
  "^(?:[\\[(][^\\])]{1,40}[\\])] ?)*(?:we(?:'ve| have)? received your|your (?:request|ticket|message|e-?mail|inquiry|case) (?:\\S+ ){0,3}(?:has been|was) (?:received|created))",
  "(?:receipt|acknowledg\\p{L}*) of your (?:request|e-?mail|message)|request received:|ticket (?:created|closed)|(?:new|nouveau|neues|nuevo|nuovo) (?:ticket|request|issue)|\\[bug \\d+\\] new:",
  "^eingangsbestätigung|^accusé de réception|^acuse de recibo|^conferma di ricezione|^ontvangstbevestiging|^potwierdzenie (?:otrzymania|zgłoszenia)"
])

/** A request to prove that a person sent our mail, before it is delivered. Two of these, or one beside other signs. */
export const CHALLENGE: ReadonlyArray<RegExp> = [
  any([
    "your (?:message|e-?mail|mail)(?: \\S+){0,8} (?:is (?:being )?(?:held|on hold|waiting|quarantined)|waits|is awaiting|awaiting|has been (?:held|placed|quarantined)|(?:will|can)(?: not|not)? be (?:delivered|released|held)|awaits|was not delivered)",
    "to (?:have|get|ensure|complete|allow)(?: \\S+){0,6} (?:delivered|delivery|received)|to deliver your (?:message|e-?mail)|(?:moved|released|delivered) to (?:my|his|her|their|the) inbox|so (?:that )?i can receive your|complete the verification|(?:before|so that)(?: \\S+){0,5} (?:delivered|can be delivered|reach(?:es)? (?:me|my))",
    "votre (?:message|e-?mail)(?: \\S+){0,8} (?:attente|bloqué|retenu|délivré|remis)",
    "ihre (?:nachricht|e-?mail)(?: \\S+){0,8} (?:zurückgehalten|wartet|zugestellt)",
    "(?:su|seu|sua) (?:mensaje|correo|mensagem|e-?mail)(?: \\S+){0,8} (?:retenido|espera|entregad[oa]|retida|entregue)",
    "messaggio(?: \\S+){0,8} (?:attesa|bloccato|consegnato)"
  ]),
  any([
    "(?:click|follow|visit|use|press|open|go to|respond to|reply to)(?: \\S+){0,6} (?:link|button|below|request|url|here|this (?:message|e-?mail))",
    "one[- ]time|just once|only once|this once|link once|(?:only|just) (?:need|have) to (?:\\w+ )?(?:do|confirm)[^.]{0,20} once",
    "cliqu\\p{L}+|klicken sie|haga clic|clique (?:aqui|no)|clicca|klik "
  ]),
  any([
    "(?:confirm|verify|prove|validate|authenticat\\p{L}*|identify)(?: \\S+){0,5} (?:human|person|real|legitimate|sender|yourself|address|identity|robot|spammer|machine|message|e-?mail)",
    "(?:sender|e-?mail) verification (?:is )?(?:required|needed)|(?:sender|address) (?:must|has to) be (?:verified|confirmed)",
    "(?:add|added|put)(?: \\S+){0,2} (?:to|on)(?: \\S+){0,4} (?:guest|approved|allowed|white|safe|contact|sender)",
    "(?:not|n't)(?: \\S+){0,4} (?:on|in)(?: \\S+){0,4} (?:approved|allowed|white|safe|guest|contact)[- ]?(?:senders?|list)?",
    "(?:guest|approved|allowed|white|safe)[- ]?(?:senders?|list)",
    "confirmez|authentifi\\p{L}*|bestätigen sie|confirme|confermi|bevestig",
    "(?:pas |kein |not a |no (?:eres|soy) )(?:un )?robot"
  ]),
  any([
    "spam ?arrest|boxbe|mailinblack|tmda|choicemail|digiportal|spamblocker|captcha|vanquish|challenge[/-]response|anti-?spam|(?:block|stop|reduc|eliminat|prevent|protect|fight)\\p{L}*(?: \\S+){0,4} (?:spam|junk|unsolicited|unwanted)"
  ])
]

/** Subjects of receipts of reading and of delivery, where programs put a word of their language before ours. */
export const SEEN_SUBJECT = any([
  "^(?:read|not read|unread|gelesen|nicht gelesen|ungelesen gelöscht|lu|non lu|leído|no leído|letto|non letto|gelezen|niet gelezen|ongelezen|lid[ao]|não lid[ao]|läst|oläst|læst|ulæst|lest|ulest|luettu|lukematta|przeczytan[eo]|nie przeczytan[eo]|přečteno|nepřečteno|prečítané|elolvasva|olvasatlan|citit|necitit|прочетено|прочтено|прочитано|не прочтено|αναγνώστηκε|διαβάστηκε|okundu|okunmadı|נקרא|מקروءة|مقروءة|تمت القراءة|開封済み|未開封|읽음|읽지 않음|已读|已讀|未读|อ่านแล้ว|đã đọc|dibaca|pročitano|прочитано|prebrano|perskaityta|izlasīts|loetud|llegit|delivered|relayed|zugestellt|remis|entregado|consegnato|bezorgd|entregue|levererat|leveret|levert|dostarczono|доставлено|送達済み|配信済み|已送达|已送達|opened|recall|zurückrufen|rappel|recuperar|intrekken|richiamo|odwołanie|återkalla|tilbagekald|отзыв|取り消し|撤回) ?[:：]",
  "^displayed - |^delivery notification for: ",
  "^(?:return|read|delivery)[- ]receipt\\b|^(?:message )?disposition notification|^message (?:notification|delivered)|^(?:lesebestätigung|empfangsbestätigung|accusé de (?:lecture|réception)|confirmation de lecture|confirmación de lectura|conferma di lettura|leesbevestiging|confirmação de leitura|läskvitto|kvittering|lukukuittaus|potwierdzenie przeczytania|уведомление о прочтении)"
])

export const SEEN = any([
  "(?:was|has been|were) (?:read|displayed|opened|delivered|relayed|deleted (?:without|unread)|received by)",
  "(?:wurde|worden) (?:\\S+ ){0,8}(?:gelesen|angezeigt|geöffnet|zugestellt|gelöscht)|(?:a|ont) été (?:\\S+ ){0,3}(?:lu|affiché|ouvert|remis|supprimé)e?s?",
  "(?:se (?:ha )?leyó|fue leído|ha sido leído|ha sido entregado|è stato (?:letto|visualizzato|consegnato|aperto)|is (?:\\S+ ){0,6}(?:gelezen|weergegeven|bezorgd)|foi (?:lid[ao]|entregue|exibid[ao]))",
  "(?:lästes|har lästs|blev læst|er læst|ble lest|er lest|on luettu|zostal[ao]? (?:\\S+ ){0,2}(?:przeczytan|wyświetlon|dostarczon)|byla? (?:\\S+ ){0,2}(?:přečten|zobrazen|doručen)|elolvas|a fost citit|было прочитано|прочитано|прочтено|bolo prečítan|okundu|開封|표시|읽|已(?:被)?(?:阅读|閱讀|读取|讀取)|прочетен|διαβάστηκε|נקרא)",
  "(?:has been|was) deleted unseen",
  "to recall the message|die nachricht (?:\\S+ ){0,9}zurückrufen|souhaite rappeler|desea recuperar el mensaje|bericht (?:\\S+ ){0,9}intrekken|richiamare il messaggio|odwołać wiadomość|återkalla meddelandet|tilbagekalde (?:meddelelsen|beskeden)|отозвать сообщение|取り消します|撤回",
  "return receipt|received by:|lesebestätigung|empfangsbestätigung für|accusé de (?:lecture|réception)"
])

/** What managers of lists say to who may not write to one, or must wait. Nobody else says it. */
export const OF_LIST = any([
  "being held until the (?:list )?moderator|(?:has been|was) rejected by the (?:list )?moderator|waiting for (?:the )?approval (?:of|by|from) (?:a|the) moderator",
  "not (?:allowed|authorized|permitted) to (?:post|send (?:mail|messages?)) to (?:this|the) (?:\\S+ ){0,2}list|distribution in the list is restricted|because you are not subscribed to the (?:group|list)",
  "mailman will discard the held|^\\W*(?:\\S+ ){0,12}command \\S+ not recognized|no valid commands found|the group you tried to contact|not allowed to send this message for the following reason"
])
