import { languagesOf } from "../languages.js"
import { fold } from "../phrases.js"

/**
 * Paragraphs that a company, a scanner or a program appends, and nobody writes to the reader: notices of confidentiality,
 * of viruses, of printing, of who is registered where, of privacy, of newsletters. Known by what they speak of, in any of
 * these languages: a notice combines several of the things below, and an answer hardly one.
 */

const word = (...stems: ReadonlyArray<string>): RegExp => new RegExp(stems.join("|"), "u")

/** The message itself, as its notice names it. */
const MESSAGE = word(
  "\\b(?:this|these|the|any) (?:e-?mails?|electronic|messages?|communications?|transmissions?|information|document|attachments?|correspondence)",
  "(?:diese|der|die|dieser|inhalt)[rsnm]? (?:\\w+ )?(?:e-?mail|nachricht|mitteilung|information)",
  "(?:ce|cet|cette|le present|ces|present) (?:\\w+ )?(?:e-?mail|mail|courriel|message|courrier)",
  "(?:este|esta|el presente|presente) (?:\\w+ )?(?:e-?mail|mail|correo|mensaje|comunicacion|mensagem)",
  "(?:questa|questo|presente|la presente) (?:\\w+ )?(?:e-?mail|mail|messaggio|comunicazione)",
  "(?:dit|deze|de inhoud van) (?:\\w+ )?(?:e-?mail|mail|bericht)",
  "(?:ta|niniejsz\\w+|tej|ten) (?:\\w+ )?(?:e-?mail|wiadomosc|korespondenc)",
  "(?:detta|denna|dette|denne|tama|taman|det har|indholdet af|innholdet i|innehallet i) (?:\\w+ )?(?:e-?post\\w*|meddeland\\w+|mail\\w*|mejl\\w*|besked|melding|viesti\\w*|viestin sisalto|sahkoposti\\w*)",
  "(?:это|данное|настоящее|содержание|цеи|це) (?:\\w+ )?(?:электронное )?(?:сообщени|письм|повiдомлення|лист)",
  "(?:tento|tato|tyto) (?:\\w+ )?(?:e-?mail|zprav\\w*|mail)",
  "(?:bu|isbu) (?:\\w+ )?(?:e-?posta|mesaj|ileti)|(?:το παρον|αυτο το) (?:\\w+ )?(?:μηνυμα|e-?mail|ηλεκτρονικο)",
  "(?:ez az|jelen) (?:\\w+ )?(?:e-?mail|uzenet|level)|acest (?:\\w+ )?(?:e-?mail|mesaj)",
  "本邮件|本郵件|本电子邮件|此邮件|此郵件|このメール|本メール|本電子メール|이 메일|본 메일|이 이메일|هذه الرسالة|البريد الإلكتروني|הודעה זו"
)

/** What a notice speaks of. Each is worth a point. */
const SPEAKS: ReadonlyArray<RegExp> = [
  // Confidential.
  word(
    "confiden[tcz]|vertraulich|riservat[aeio]|vertrouwelijk|poufn|konfidenti|fortrolig|luottamuksel|конфиденц|конфідеи|конфіден|duvern|dovern|gizli|εμπιστευτ|bizalmas|povjerljiv|保密|机密|機密|秘密|기밀|سري|חסוי|privileg|geheim|proprietary|tajn"
  ),
  // Its recipient.
  word(
    "recipient|addressee|usage exclusif|a qui il est adress|exclusivamente|exclusivement|ausschliesslich fur|unicamente a|uitsluitend (?:voor|bestemd)|wylacznie (?:dla|do)|uteslutande|ainoastaan|vyhradne|исключительно|yalnizca|ozeldir|intended (?:only|solely|for)|(?:person|individual|entity)[^.]{0,20} named|empfanger|adressat|bestimmt fur|destinata|destinatari|destines?\\b|geadresseerde|ontvanger|bestemd voor|mottagar|adressat|modtager|mottaker|vastaanottaj|адресат|получател|одержувач|prijemc|adresat|alici|al[ıi]c[ıi]|παραληπτ|cimzett|destinatarul|收件人|受信者|宛先|수신인|수신자|المرسل إليه|הנמען"
  ),
  // It came by mistake.
  word(
    "(?:in|by|through) (?:error|mistake)|received this|reached you|irrtum|versehen|par erreur|(?:recu|recus) par|por error|por engano|por equivocacion|per errore|erroneamente|abusievelijk|per vergissing|ten onrechte|pomylk|omylkowo|omylem|misstag|fejlagtig|ved en (?:fejl|feil)|erehdy|по ошибке|ошибочн|помилк|yanlis|εκ παραδρομ|κατα λαθος|teves|din greseala|misstanke|误收|误|誤って|誤|실수|잘못"
  ),
  // What is to be done with it.
  word(
    "(?:notify|inform|advise|contact|tell|alert|let) (?:\\w+ ){0,3}(?:sender|us\\b|originator)|(?:delete|destroy|discard|erase)|benachrichtig|informieren sie|loschen|vernicht|entfern\\w*|in verbindung zu setzen|avert|detrui|supprim|notifi|comuni[cq]|destru|elimin|borr|avvis|distrugg|cancell|verwittig|verwijder|vernietig|zawiadom|powiadom|usun|zniszcz|meddela|underratta|radera|forstor|slett?|underret|poist|ilmoit|tuhoa|varsle|besked|waarschuw|avise|aviso|skasow|uvedom|уведом|сообщит|удал|уничтож|повідом|видал|smaz|znic|bildir|silin|διαγρ|ενημερ|torol|ertesit|stergeti|anuntati|删除|刪除|削除|破棄|삭제|통지|연락|يرجى|למחוק"
  ),
  // What is not allowed.
  word(
    "unauthori[sz]|prohibit|disclos|disseminat|distribut|copying|retain|strictly|unlawful|unbefugt|weitergabe|vervielfaltig|nicht gestattet|untersagt|unzulassig|verboten|divulg|diffus|interdit|conserver de copie|strictement|prohib|vietat|illecit|diffond|verspreid|verboden|niet toegestaan|proibid|proibe|zabron|rozpowszech|niedozwol|forbjud|otillat|spridning|forbudt|uautoris|kiellet|luvaton|запрещ|распростран|заборон|zakaz|nepovol|yasak|απαγορ|tilos|interzis|禁止|严禁|嚴禁|무단|금지"
  ),
  // Whose views it holds.
  word(
    "views (?:or|and|expressed)|opinions? (?:or views )?(?:expressed|stated)|do(?:es)? not (?:necessarily )?(?:represent|reflect)|die (?:ansicht|meinung)\\w* des|opinions exprimees|opiniones (?:expresadas|vertidas)|opinioni espresse|monitor (?:incoming|outgoing|e-?mail|communications)"
  ),
  // Who may be held to it.
  word(
    "liabilit|liable|responsib(?:le|ility) for|no responsibility|(?:does|do) not accept|warrant|legally binding|contract|haftung|rechtsverbindlich|rechtlich|responsabilit|responsabilid|engage|valeur contractuelle|vinculante|aansprakelijk|odpowiedzialno|ansvar(?:ig|ar)?\\b|ответственност|odpovednost|sorumlul|ευθυν|felelos|責任|责任|책임"
  ),
  // Scanners.
  word(
    "virus|malware|\\bscanned|anti-?vir|avast|mimecast|messagelabs|symantec|mailscanner|spam ?filter|dangerous content|gescannt|auf viren|analyse par|analizad|scansionat|gescand|przeskanowan|проверено|вирус|ウイルス|病毒|바이러스"
  ),
  // What mail can't promise, and how calls are kept.
  word(
    "security of e-?mails?|(?:can ?not|can't) be guaranteed|not (?:a )?secure|intercepted|calls? (?:may|will|are) be? ?(?:recorded|monitored)|service of documents|sicherheit von e-?mails?|manipulier|securite des (?:e-?mails|courriels|messages)|seguridad (?:de los|del) (?:correos?|mensajes?)|sicurezza (?:delle|della) (?:e-?mail|posta)|veiligheid van e-?mail|bezpieczenstw\\w+ (?:poczty|wiadomosci)|seguranca (?:do|dos) e-?mails?|sakerheten i e-?post"
  ),
  // The rights of whose data are held.
  word(
    "rights? (?:of|to) (?:access|rectif|eras|object)|(?:recht|rechte)\\w* auf|auskunft|widerspruch|droits? d.(?:acces|opposition)|rectification|derechos? de (?:acceso|rectif)|rectificacion|diritt\\w+ (?:di|previsti)|recht (?:op|van) inzage|direitos? de acesso|praw\\w+ (?:dostepu|do)|ratt (?:till|att)|you may exercise|puede ejercer|potete chiedere|potra esercitare"
  ),
  // On what ground it is said.
  word(
    "in accordance with|pursuant to|for (?:more )?information (?:on|about) how|(?:is|are) (?:explained|described|set out) in|(?:see|read) our|gemass|wird erlautert|finden sie in|informationen (?:zu[mr]?|uber)|nahere informationen|conformement a|consultez|en cumplimiento|de conformidad|le informamos|ai sensi|secondo la|in overeenstemming|lees (?:onze|meer)|nos termos|zgodnie z|enligt|i henhold til"
  ),
  // The law, and a company's privacy notice.
  word(
    "privacy (?:policy|notice|statement)|data protection|personal data|datenschutz|personenbezogen|donnees personnelles|politique de confidentialite|proteccion de datos|datos personales|dati personali|informativa|d\\. ?lgs|\\bgdpr\\b|dsgvo|rgpd|lopd|lgpd|\\brodo\\b|\\bavg\\b|privacyverklaring|persoonsgegevens|dados pessoais|politica de privacidad|danych osobowych|administrator danych|personuppgift|persondata|personvern|henkilotie|персональн|osobnich udaju|kisisel veri|kvkk|προσωπικ|szemelyes adat|个人信息|個人情報|개인정보"
  )
]

/** A condition of having received it by mistake, or of not being its reader: only notices have it. */
const CONDITION = word(
  "\\bif (?:you|it|this)[^.]{0,80}(?:not (?:the|an|named|intended)|in error|by mistake|wrongly|recipient)",
  "(?:sollten sie|falls sie|wenn sie|sind sie|haben sie)[^.]{0,80}(?:nicht (?:der|die)|irrtum|versehen|adressat|empfanger)",
  "si (?:vous|cet?|usted|ha|no|lo|le|voce|o )[^.]{0,80}(?:erreur|pas (?:le|l'|son)|error|no es|destinatari)",
  "(?:se|qualora|caso|si) [^.]{0,80}(?:errore|erroneamente|engano|por erro|non (?:siete|e|fosse|essere)|nao (?:for|e)|destinatari)",
  "(?:indien|als|mocht) u[^.]{0,80}(?:niet de|abusievelijk|vergissing|onrechte|geadresseerde)",
  "(?:jezeli|jesli)[^.]{0,80}(?:pomylk|omylk|nie (?:jest|sa)|adresat)",
  "\\b(?:om|hvis|jos|mikali)\\b[^.]{0,80}(?:misstag|fejl|feil|erehdy|mottagare|modtager|mottaker|vastaanottaj)",
  "(?:если|якщо)[^.]{0,80}(?:ошибк|помил|не является|не являетесь|адресат)",
  "(?:ar|er|bent|sind|haben) (?:du|ni|i|de|u|sie) (?:inte|ikke|niet|nicht)[^.]{0,60}(?:mottagar|modtager|mottaker|ontvanger|geadresseerde|empfanger|adressat)|nejste-li|si no es usted|caso nao (?:o )?seja|size yanlis",
  "(?:pokud|ak|eger|εαν|αν|ha on|daca|ako)\\b[^.]{0,80}(?:omyl|yanlis|λαθος|παραδρομ|teves|greseala|adresat|al[ıi]c[ıi]s|παραληπτ|cimzett|grešk|gresk)",
  "如果您|若您|如您|如閣下|万一|もし|만약|만일"
)

/** Not one of the signs above, and yet only programs and companies say it. Each is enough for a short paragraph. */
const APPENDED = word(
  // Printing.
  "(?:before|avoid|needlessly|unless|don't|do not|only|rather than) [^.!?]{0,40}print|print[^.!?]{0,40}(?:environment|trees?\\b|planet|necessary)|(?:consider|think of|save|mind|protect) the (?:environment|trees?|planet|forest)",
  "(?:ausdruck|drucken)\\w*[^.!?]{0,60}(?:umwelt|e-?mail|baum|baume|nachricht)|umwelt[^.!?]{0,60}(?:druck|papier)|(?:schonen|denken sie an|schutzen sie) (?:\\w+ ){0,2}(?:umwelt|baume|natur)",
  "(?:avant d'|ne pas |n')imprim\\w+|imprim\\w+ (?:ce|cet) (?:e-?mail|mail|courriel|message)|pensez? a (?:l'environnement|la planete)",
  "(?:antes de|no|evite|nao) imprim\\w+|imprim\\w+ este (?:correo|e-?mail|mail|mensaje|mensagem)|(?:piense|pense) en el medio ?ambiente|(?:pense|proteja) (?:n|o) ?o? meio ambiente",
  "(?:prima di|non|evitare di) stampa\\w*|stampare questa|(?:pensa|rispetta) (?:all'|l')ambiente",
  "(?:voordat|alvorens|niet) (?:u |je )?(?:deze |dit )?(?:\\w+ )?(?:print|afdruk)\\w*|(?:denk|spaar) (?:\\w+ ){0,2}(?:milieu|bomen)",
  "(?:zanim|przed) (?:\\w+ )?(?:wydruk|drukow)\\w*|(?:pomysl|mysl) o srodowisku|(?:innan|for) du (?:skriver|printer) ut|tank pa miljon|taenk pa miljoet|tenk pa miljoet|ajattele ymparistoa|(?:подумаите|берегите|не печатаите|прежде чем (?:рас)?печат)\\w*|chrante prirodu|nez (?:tento )?(?:\\w+ )?vytisk|yazdirmadan once|cevre\\w* dusun|σκεφτ\\w+ το περιβαλλον|打印(?:此|本)?(?:邮件)?(?:前|之前)|印刷する前|인쇄하기 전",
  "\\b(?:save|spare|sparen|economis\\w+|ahorr\\w+|risparmi\\w+|bespaar|poup\\w+|spara) (?:sie )?(?:\\w+ )?(?:paper|papier|papel|carta|papper)\\b|imprim\\w+ ce (?:message|courriel|mail)[^.]{0,30}(?:necessaire|besoin)",
  // Who wants no more of a company's own mail is told where to say so.
  "\\bif you (?:do not|don't|no longer|would rather not|prefer not) (?:\\w+ ){0,2}?(?:to )?(?:receive|get|hear)|wenn sie (?:keine|nicht)[^.]{0,60}(?:erhalten|bekommen) (?:mochten|wollen)|si vous ne (?:souhaitez|voulez|desirez) plus|si (?:ya )?no (?:desea|quiere) (?:seguir )?(?:recib|mas)|se non (?:desidera|desiderate|vuole|volete|desideri|vuoi)(?: piu)? ricevere|(?:wilt|wil) (?:u|je) (?:geen|niet)[^.]{0,60}ontvangen|se nao (?:deseja|desejar|quiser|pretende)[^.]{0,20}receber|jesli nie (?:chc|zycz)\\w+[^.]{0,40}(?:otrzymyw|wiadomosc)|om du inte (?:langre )?vill (?:ha|fa|ta emot)",
  // Scanners and banners.
  "(?:this|the|diese|ce|cet|este|questo|deze|denna|detta|ta) (?:\\w+ ){0,3}(?:e-?mail|message|nachricht|mail|correo|mensaje|messaggio|bericht|meddelande|wiadomosc) (?:\\w+ ){0,4}(?:scanned|checked|virus-?free|gepruft|gescannt|analyse|analizado|escaneado|gescand|gecontroleerd|scansionat\\w|verificat\\w|przeskanowan\\w|kontrollerat|skannat)",
  "(?:virus-?free|virenfrei|sans virus|libre de virus|garantit sans|priva di virus|virusvrij|wolna od wirusow)\\.?|scanned (?:by|for)|powered by \\w+ (?:antivirus|mail)|click here to report this (?:e-?mail|message) as spam",
  "^\\[?(?:external|extern\\w*|outside) ?(?:e-?mail|mail|sender|message|absender)?\\]",
  "\\[?(?:caution|external|attention|warning|achtung|vorsicht)\\b[^.]{0,60}(?:outside|originated|extern\\w* (?:e-?mail|sender|source|absender|mail|quelle|expediteur))|(?:this|originated) [^.]{0,30}(?:from )?outside (?:of )?(?:the|your|our) organi[sz]ation|do not click (?:on )?(?:any )?links or open attachments|you don't often get e-?mail from|externer absender|expediteur externe",
  // Lists of discussion.
  "you received this message because you are subscribed|to unsubscribe from this (?:group|list|thread)|mailing list -- \\S{1,100}@|to unsubscribe send an e-?mail to|mailing list\\b.{0,120}https?:|reply to this e-?mail directly or view it on",
  // Where a company is registered. Who only speaks of a register gives no number, a date or a year.
  "registered (?:office|in (?:england|scotland|ireland|wales))|geschaftsfuhr\\w*:|\\bhr[ab] ?\\d|\\brcs \\w+ ?\\w* ?\\d|capital (?:social )?de [\\d ]+|\\bnip:? ?\\d|\\bcif:? ?\\w?\\d|\\bico:? ?\\d|\\binn?n?:? ?\\d{6}",
  "(?:(?:company|registration) (?:registration )?(?:no|number)\\b|\\bvat (?:no|number|reg|id)|handelsregister|amtsgericht|registergericht|ust-?id|\\bsiret\\b|partita iva|p\\. ?iva|codice fiscale|\\bkvk\\b|\\bregon\\b|\\bkrs\\b|org\\.? ?(?:nr|nummer)|\\bcvr\\b|registro mercantil|cnpj|огрн)[^!?]{0,60}?(?<![\\d./])(?!(?:19|20)\\d\\d\\b|\\d{1,2}[./] ?\\d{1,2}(?:[./] ?\\d{2,4})?(?![\\d./]*\\d))\\d(?:[ .-]?\\d){3}"
)

/** The writer's own newsletter, and how to leave it. */
const NEWSLETTER = word(
  "you (?:are|'re) receiving this|(?:to|can|may) (?:unsubscribe|opt out|manage your (?:subscription|preferences))\\b.{0,80}(?:https?:|www\\.|click|link)|click\\w* (?:here )?to (?:unsubscribe|opt out)|unsubscribe:? ?<?https?:|(?:view|manage) (?:this e-?mail in|your (?:subscription|preferences))",
  "(?:unseren?|unserem|vom|den) newsletter[^.!?]{0,60}(?:https?:|www\\.|hier|abmelden|abbestellen|abonnieren)|(?:notre|la) (?:newsletter|lettre d'information)[^.!?]{0,60}(?:https?:|www\\.|ici|lien)|(?:nuestr[oa]|del?) (?:boletin|newsletter)[^.!?]{0,60}(?:https?:|www\\.|aqui|enlace)|(?:nostra|alla) newsletter[^.!?]{0,60}(?:https?:|www\\.|qui|link)|(?:onze) nieuwsbrief[^.!?]{0,60}(?:https?:|www\\.|hier)|(?:nossa|da) newsletter[^.!?]{0,60}(?:https?:|www\\.|aqui)|(?:naszego) newslettera?[^.!?]{0,60}(?:https?:|www\\.|tutaj)|(?:vart|vores|vart) nyhetsbrev[^.!?]{0,60}(?:https?:|www\\.|har|her)"
)

/** A way out of a company's own mail, offered to its readers: where it is, and that one may. Nobody writes so of themselves. */
const [WAY_OUT, OFFERED] = [
  word(
    "unsubscri|opt[- ]?out|ab(?:zu)?(?:meld|bestell)|aus(?:zu)?trag|desabonn|desinscri|dar(?:se|te)? de baja|cancelar (?:la|su|tu|a|sua) (?:suscripcion|subscricao|inscricao|assinatura)|disiscri|annulla\\w* l'iscrizione|cancell\\w* (?:l'iscrizione|dalla newsletter)|afmeld|uitschrijv|wypis|zrezygn|rezygn|descadastr|avregistr|avprenumerer|avsluta prenumeration|frameld|avmeld|meld\\w* (?:\\w+ ){0,2}(?:av|af|fra|ab)\\b|peru\\w* (?:tilau|uutiskirj)|poist\\w* (?:itsesi|listalta)|odhlas"
  ),
  word(
    "\\b(?:click|tap|follow this link|klicken|klick|cliquez|cliquer|haga clic|pulse|pincha|pinche|clicca|cliccare|cliccate|fare clic|klik|klikken|klikk|klicka|kliknij|klikn\\w+|clique|napsauta|klikkaa)\\b|\\b(?:here|hier|ici|aqui|qui|her|har|tutaj|tassa|zde)\\b|https?:"
  )
]

/** Who asks where the way out is, or says that it is broken. */
const SEEKS = word(
  "\\b(?:where|how|wo|wie|comment|ou est|donde|como|dove|come|hoe|waar|jak|gdzie|onde|hur|var|hvor\\w*|miten|missa|kde)\\b[^?]{0,80}\\?|(?:does|did|do) ?n[o']t work|not working|broken|no (?:\\w+ )?link|funktionier|geht nicht|ne (?:marche|fonctionne) pas|no funciona|non funziona|werkt niet|nie dziala|nao funciona|fungerar inte|(?:virker|fungerer) ikke|ei toimi|nefunguje"
)

/** Whether readers are told how to leave a company's own list. Such an offer may begin with a question and never ends in one. */
const isOffer = (text: string): boolean =>
  WAY_OUT.test(text) && OFFERED.test(text) && !SEEKS.test(text) && !/[?？]["')\s]*$/u.test(text)

/** What a company writes in capitals above what it doesn't promise. */
const SHOUTED =
  /^[\s*_#-]*(?:important|please note|wichtig|hinweis|attention|importante|belangrijk|let op|wazne|uwaga|viktigt|vigtigt|viktig|tarkeaa|dulezite|upozorneni)\s*[:!]/u

/** Who speaks of themselves, or asks: no newsletter does. */
const PLURAL = /\b(?:we|us|wir|uns|nous|nosotros|noi|ci|wij|ons|nos|nas|nam|vi|oss)\b|\?/u

/** What belongs to the writer and is to be removed. */
const OURS =
  /\b(?:our|both of our) (?:data|details|address\w*|e-?mails?|company|names?|records?|contact\w*)|(?:delete|remove|erase|unsubscribe|take|leave|contact\w*|e-?mail\w*|writ\w+|send\w*) (?:to )?us\b|\bwe (?:object|revoke|withdraw|never|did not|(?:do not|don't) (?:want|wish|need|like|consent|agree|authori[sz]e|care|buy|use|have|work|respond|reply|read))|unsere? (?:daten|adress\w*|mail\w*|kontakt\w*)|nos (?:donnees|coordonnees|adresses?)|nuestr[oa]s? (?:datos|correos?|direccion\w*)|nostr[oi] (?:dati|indirizz\w)|onze (?:gegevens|adres\w*)|nossos? (?:dados|e-?mails?|endereco\w*)|nasz\w* (?:dan\w+|adres\w*)|vara (?:uppgifter|adresser)/u

/** The writer, as they speak of themselves: no notice does. By language: "ich" is German, and Polish for "their". */
const PERSONAL: Readonly<Record<string, string>> = {
  en: "me|my|i(?:'\\w+| (?:am|have|had|do|don't|want|wanted|never|did|would|will|need|can|can't|think|was|got|get|ask\\w*|see|hope|wish|know|just|already|really|only|also|no longer))",
  de: "mich|mir|mein\\w*|ich",
  fr: "moi|mes|mon|ma|me|je|j'\\w+|m'\\w+",
  es: "mi|mis|me|yo",
  it: "mio|mia|miei|mie|mi|io",
  nl: "mij|mijn|me|ik",
  pt: "meu|minha|meus|minhas|me|eu",
  pl: "mnie|moj\\w*|mi|mna",
  nordic: "mig|meg|min|mina|mit|mine|jag|jeg",
  fi: "minu\\w*|mina",
  cs: "mne|muj|moje|moji",
  ru: "меня|мои|мне|моя|мое|я"
}
const PERSONAL_IN = new Map(
  Object.entries(PERSONAL).map(([language, words]) => [
    language,
    new RegExp(`(?<![\\p{L}])(?:${words})(?![\\p{L}])`, "u")
  ])
)

/** Whether the writer speaks of themselves, in the language of the text. */
const isPersonalIn = (text: string): boolean => {
  const { likeliest } = languagesOf(text)
  return likeliest === null
    ? [...PERSONAL_IN.values()].some((words) => words.test(text))
    : PERSONAL_IN.get(likeliest)?.test(text) === true
}

/** Headings of notices. */
const HEADING =
  /^[\s*_#-]*(?:(?:legal |confidentiality |privacy |important )?(?:disclaimer|notice|confidentiality notice|confidentiality|privacy notice|legal notice)|haftungsausschluss|(?:rechtlicher|vertraulichkeits?|datenschutz)\w*|avis (?:de confidentialite|legal|important)|aviso (?:legal|de confidencialidad\w*|de privacidad)|avvertenze?|informativa(?: privacy)?|nota di riservatezza|vertrouwelijkheid\w*|klauzula\w*|ansvarsfriskrivning|nota legal|clausula\w*)\b/u

/** Shorter paragraphs say too little to be a notice. */
const CHARS_MIN = 40

/** How much of a paragraph is looked at. */
const LOOKED_AT_CHARS_MAX = 3_000

/**
 * Whether a paragraph is a notice that nobody wrote to the reader. `sure`: it can be nothing else. `likely`: at the end of
 * a text that says something else it is.
 */
export const noticeIn = (paragraph: string): "sure" | "likely" | null => {
  const text = fold(paragraph.slice(0, LOOKED_AT_CHARS_MAX)).normalize("NFC").replace(/ı/g, "i")
  if (text === "" || OURS.test(text)) return null
  const points = SPEAKS.filter((of) => of.test(text)).length
  const isOfMessage = MESSAGE.test(text)
  const isConditional = CONDITION.test(text)
  const isPersonal = isPersonalIn(text)
  if (isConditional && points >= 1 && (!isPersonal || points >= 2)) return "sure"
  if (APPENDED.test(text) && (!isPersonal || points >= 3)) return "sure"
  if (NEWSLETTER.test(text) && !isPersonal && !PLURAL.test(text)) return "sure"
  if (HEADING.test(text) && (points >= 1 || text.length < CHARS_MIN)) return "sure"
  if (!isPersonal && isOffer(text)) return "likely"
  if (!isPersonal && SHOUTED.test(text) && points >= 2) return "likely"
  if (text.length < CHARS_MIN && !/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u.test(text)) return null
  if (isPersonal || /[?？]/u.test(text)) return isOfMessage && points >= 5 ? "likely" : null
  return points >= 3 || (isOfMessage && points >= 2 && text.length >= 80) ? "likely" : null
}

/** Whether nothing in these words is what notices say: no company's, program's or scanner's. */
export const isNoNotice = (words: string): boolean => {
  const text = fold(words.slice(0, LOOKED_AT_CHARS_MAX)).normalize("NFC").replace(/ı/g, "i")
  const says = [MESSAGE, CONDITION, APPENDED, NEWSLETTER, HEADING, SHOUTED, ...SPEAKS]
  return text !== "" && !OURS.test(text) && !says.some((of) => of.test(text)) && !isOffer(text)
}
