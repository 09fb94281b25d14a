/**
 * Whether a text says nothing but that its writer is away. Programs say when somebody is back, who answers meanwhile, thank
 * and greet. A writer who adds anything else is there. So each clause must be one of those, and a clause that
 * we don't know is a person's.
 */
import { AWAY_SAID, folded } from "./absencePhrases.js"
import { type MailHead, valueOf } from "../mail/mail.js"
import { fold, type Phrases } from "../meaning/phrases.js"
import { plainText } from "../meaning/plainText.js"

/** What programs say beside an absence: thanks, whom to ask, whether mail is read. Stems; matched against folded text. */
const BESIDE: Phrases = {
  en: [
    "hi|hello|hey|sorry|thank|thanks|greetings|dear (?:all|sir|sender)|apolog\\p{L}*|regards|wishes|happy (?:holidays?|new year)|merry",
    "contact|colleague|assistan\\p{L}*|reception|switchboard|front desk|covering|covers? (?:for me|my)|redirect|re-?direct|forwarded|in my place|deputy|meantime",
    "respond|response|reply|replies|answer|get back to you|attend to|picked up|deal with|monitored|be read|not read|(?:read|check)\\p{L}* (?:my |no |of )?(?:e-?)?mails?",
    "your (?:e-?mail|message|mail|enquiry|inquiry|query|request)",
    "urgent\\p{L}*|emergenc\\p{L}*|immediate\\p{L}*|pressing|(?:can't|cannot) wait|unavailable|not available|limited|sporadic|delay\\p{L}*|slow\\p{L}*|patience|understanding",
    "until|returning|return|back|re-?open\\p{L}*|office hours|automat\\p{L}*|(?:be|not|nor|nobody) (?:\\w+ )?read\\p{L}*|monitor\\p{L}*|access"
  ],
  de: [
    "bitte|danke|dank|guten tag|sehr geehrte|liebe[rn]? (?:kolleg|absender)|grüße|gruß|frohe|verständnis",
    "wenden|kontakt\\p{L}*|vertret\\p{L}*|kolleg\\p{L}*|zentrale|sekretariat|empfang|ansprechpartner|erreich\\p{L}*|weitergeleitet|ich melde mich|hilft|helfen|steh\\p{L}* (?:ihnen|dir)",
    "beantwort\\p{L}*|antworten|gelesen|bearbeit\\p{L}*|dringend\\p{L}*|notf\\p{L}*|eilig\\p{L}*|rückkehr|zurück|wieder|automatisch\\p{L}*|ihre (?:e-?mail|nachricht|anfrage)|gelöscht|lese|abgerufen"
  ],
  fr: [
    "s'il vous plaît|merci|bonjour|cordialement|madame|compréhension|fêtes",
    "contact\\p{L}*|collègue|assistante?|standard|accueil|joindre|adress\\p{L}*|remplac\\p{L}*|transféré|secrétariat|s'occup\\p{L}*",
    "répon\\p{L}*|consult\\p{L}*|traité|urgen\\p{L}*|retour|automatique|votre (?:e-?mail|message|demande|courriel)|li(?:rai|s|re)|(?:rouvr|ré-?ouvr)\\p{L}*|accès"
  ],
  es: [
    "por favor|gracias|saludo\\p{L}*|buen(?:os|as)|estimad\\p{L}*|comprensión|felices",
    "contact\\p{L}*|compañer\\p{L}*|asistente|centralita|diríjase|dirigirse|escriba a|atender\\p{L}*|sustitu\\p{L}*",
    "respond\\p{L}*|contestar\\p{L}*|leer\\p{L}*|urgen\\p{L}*|regres\\p{L}*|vuel\\p{L}*|reincorpor\\p{L}*|automátic\\p{L}*|su (?:correo|mensaje)|leer\\p{L}*|leo|llam(?:e|en) (?:a|al)|acceso"
  ],
  it: [
    "per favore|grazie|buongiorno|saluti|gentile|auguri",
    "contatt\\p{L}*|collega|segreteria|centralino|rivolger\\p{L}*|sostitu\\p{L}*",
    "risponder\\p{L}*|risposta|legger\\p{L}*|urgen\\p{L}*|rientr\\p{L}*|ritorn\\p{L}*|automatic\\p{L}*|dal \\d+|(?:sua|tua) (?:e-?mail|mail)|suo messaggio|riapr\\p{L}*|legg\\p{L}*|accesso"
  ],
  nl: [
    "bedankt|dank|beste|groet\\p{L}*|begrip",
    "contact|collega\\p{L}*|receptie|secretariaat|terecht bij|vervang\\p{L}*|waarneem\\p{L}*|bereikbaar",
    "beantwoord\\p{L}*|antwoord\\p{L}*|reage\\p{L}*|gelezen|spoed\\p{L}*|dringend\\p{L}*|urgent\\p{L}*|terug|weer|automatisch|(?:je|uw) (?:e-?mail|mail|bericht)|lees|lezen|doorgestuurd|volgt|toegang"
  ],
  pt: [
    "por favor|obrigad\\p{L}*|olá|bom dia|cumprimentos|atenciosamente|compreensão",
    "contact\\p{L}*|contat\\p{L}*|colega|secretaria|receção|procure (?:a|o)|dirija-se|substitu\\p{L}*",
    "respond\\p{L}*|lerei|urgên\\p{L}*|urgent\\p{L}*|regress\\p{L}*|retorn\\p{L}*|volt\\p{L}*|automátic\\p{L}*|(?:seu|sua|teu) (?:e-?mail|mensagem)|ausência|lerei|leio|acesso|ligue para"
  ],
  nordic: [
    "tack|tak|takk|hej|hei|hälsning\\p{L}*|hilsen|hilsner|kiitos|kiitän|terveisin|ystävällisin",
    "kontakt\\p{L}*|kollega\\p{L}*|växel\\p{L}*|växeln|sentralbord\\p{L}*|receptionen|hovednummer\\p{L}*|vikar\\p{L}*|ersätt\\p{L}*|ersättare|yhteyttä|yhteys|sijais\\p{L}*|kollegani|vaihde",
    "svara\\p{L}*|svare\\p{L}*|besvar\\p{L}*|läser|leser|læser|vastaan|vastaus|brådska\\p{L}*|haste\\p{L}*|presserende|akut\\p{L}*|kiire\\p{L}*|tillbaka|åter|tilbage|tilbake|igen på|takaisin|palaan(?! asiaan)|automatisk\\p{L}*|brug for hjælp|(?:din|ditt|dit) (?:mejl|mail|meddel\\p{L}*|besked|epost|e-post)|viesti\\p{L}*|läser|leser|læser|lue|vidarebefordra\\p{L}*|videresend\\p{L}*"
  ],
  slavic: [
    "dziękuj\\p{L}*|dzień dobry|pozdraw\\p{L}*|děkuj\\p{L}*|dobrý den|ďakuj\\p{L}*|hvala|lijep|lep pozdrav|poštovani|spoštovani",
    "kontakt\\p{L}*|koleg\\p{L}*|koleż\\p{L}*|sekretari\\p{L}*|zastęp\\p{L}*|zastup\\p{L}*|obracajte|kontaktuj\\p{L}*|obráťte|obraťte|volejte|volajte|obratite|biur\\p{L}*|zamen\\p{L}*",
    "odpowi\\p{L}*|odpov\\p{L}*|odgovor\\p{L}*|przeczyta\\p{L}*|piln\\p{L}*|naléhav\\p{L}*|súrn\\p{L}*|naliehav\\p{L}*|urgentn\\p{L}*|hitn\\p{L}*|nujn\\p{L}*|powroc\\p{L}*|wrac\\p{L}*|návrat\\p{L}*|vrát\\p{L}*|zpět|späť|vraćam|vrnem|povrat\\p{L}*|automat\\p{L}*|(?:váš|vaš|pan\\p{L}*) (?:e-?mail|mail|wiadomość|zpráv\\p{L}*)|czyta\\p{L}*|nečtu|nečítam|dostęp\\p{L}*|přístup\\p{L}*"
  ],
  baltic: [
    "ačiū|paldies|aitäh|tänan|sveiki|lugupidamisega|pagarbiai",
    "kreip\\p{L}*|susisiek\\p{L}*|rašyk\\p{L}*|sazin\\p{L}*|rakst\\p{L}*|pöördu\\p{L}*|võtke ühendust|kolleeg\\p{L}*|koleg\\p{L}*|kolēģ\\p{L}*",
    "atsaky\\p{L}*|atbild\\p{L}*|vasta\\p{L}*|skub\\p{L}*|steidzam\\p{L}*|kiire\\p{L}*|grįš\\p{L}*|grįž\\p{L}*|atgriez\\p{L}*|tagasi"
  ],
  hu: [
    "köszön\\p{L}*|üdvöz\\p{L}*|tisztelt|keress\\p{L}*|kollég\\p{L}*|fordul\\p{L}*|válasz\\p{L}*|sürgős\\p{L}*|vissza\\p{L}*"
  ],
  ro: [
    "mulțum\\p{L}*|bună ziua|stimat\\p{L}*|contact\\p{L}*|coleg\\p{L}*|răspun\\p{L}*|urgen\\p{L}*|revin|întorc\\p{L}*"
  ],
  tr: [
    "teşekkür\\p{L}*|merhaba|sayın|iletişim\\p{L}*|ulaşabilir\\p{L}*|yazabilir\\p{L}*|cevap\\p{L}*|yanıt\\p{L}*|acil|dönüş\\p{L}*|dönece\\p{L}*"
  ],
  ru: [
    "здравствуйте|добрый день|спасибо|уважени\\p{L}*|уважаем\\p{L}*|обращ\\p{L}*|обрат\\p{L}*|связ\\p{L}*|коллег\\p{L}*|замеща\\p{L}*|отвеч\\p{L}*|ответ\\p{L}*|прочит\\p{L}*|срочн\\p{L}*|верн\\p{L}*|возвращ\\p{L}*",
    "добрий день|дякую|зверта\\p{L}*|зверн\\p{L}*|зв'яж\\p{L}*|відпові\\p{L}*|термінов\\p{L}*|поверн\\p{L}*|здравейте|благодар\\p{L}*|свърж\\p{L}*|отговор\\p{L}*|спеш\\p{L}*|върна|колег\\p{L}*|хвала|хитн\\p{L}*|врат\\p{L}*"
  ],
  el: ["ευχαριστ\\p{L}*|καλησπέρα|καλημέρα|επικοινων\\p{L}*|απαντ\\p{L}*|επείγ\\p{L}*|επιστρ\\p{L}*|συνάδελφ\\p{L}*"],
  he: ["תודה|שלום|לפנות|פנו|ליצור קשר|אענה|אשיב|דחוף|דחופ\\p{L}*|אחזור"],
  ar: ["شكرا|مرحبا|تحية|التواصل|الاتصال|عاجل\\p{L}*|سأعود|سأرد|با تشکر|تماس|فوری"],
  ja: [
    "休暇|不在|ありがとう|お世話|恐れ入り|申し訳|よろしく|連絡|返信|対応|出社|出勤|戻り|急ぎ|緊急|代表|まで|いただいて"
  ],
  ko: ["휴가|부재|안녕|감사|죄송|연락|문의|회신|답장|복귀|급한|긴급|까지|담당"],
  zh: [
    "休假|年假|外出|出差|您好|你好|感谢|感謝|谢谢|謝謝|联系|聯繫|聯絡|致电|致電|回复|回覆|答复|返回|回来|回來|紧急|緊急|急事|抱歉"
  ],
  other: [
    "cảm ơn|liên hệ|trả lời|phản hồi|khẩn|trở lại|terima kasih|hubungi|balas|mendesak|kembali|ขอบคุณ|ติดต่อ|ตอบกลับ|ด่วน|กลับ|gràcies|contact\\p{L}*|urgèn\\p{L}*|respondr\\p{L}*|tornar\\p{L}*"
  ]
}

/** "Again", "then", "next week" and the like, also where no comma precedes them: a person who says so expects us to come back. */
const LATER = [
  "また(?!は)|来週|今度|その後",
  "再(?:联|聯|来|來|说|說|谈|談|发|發)|下周|下週|之后|之後",
  "다시|다음 주",
  "потом|после этого|давайте|потім|после това",
  "(?:write|get|come|check|circle) (?:to me |in |back )?(?:again|then|after)|send (?:him|her|them|it|me|us|the|over|some|more|pricing|info)\\p{L}*|stop(?:ped)? (?:writing|mail\\p{L}*|send\\p{L}*)|then please|after that|and then",
  "on (?:en|se) (?:re)?(?:parle|voit)|(?:re)?parlons|habla(?:mos|remos)|hablemos|fala(?:mos|remos)|parliamone|sentiamoci",
  "(?:would|i'd|we'd) rather|(?:let|lets|let's) (?:us )?|speak (?:then|after|next)|talk (?:then|after|next|to)"
] as const

const LETTERS = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]"
const WORD_BEGINS = `(?<!${LETTERS})`
const beside = new RegExp(`${WORD_BEGINS}(?:${folded(Object.values(BESIDE).flat())})(?!${LETTERS})`, "u")
const later = new RegExp(`${WORD_BEGINS}(?:${folded(LATER)})`, "u")

/** Whether a clause says what programs say beside an absence. */
export const isBeside = (plain: string): boolean => beside.test(plain)

/** Where a clause ends: at a mark, and before "and" and "but". No date, and no abbreviation before a number, ends there. */
const ENDS =
  /(?<=\p{L}{4}|\p{L}["'”’)])[.!]+(?=\s|$)|(?<![\d\s])[.!]+(?=\s+\p{Lu}|\s*$)|(?<=\d{3})[.!]+(?=\s+\p{Lu}|\s*$)|[;:,](?=\s)|[。！；，、:：]|\s[–—-]\s|\n+|\s(?:and|und|et|och|og|but|however|though|aber|jedoch|mais|pero|però|comunque|maar|mas|men|mutta|ale|но|ама|але)(?=\s)/gu

/** "And" where it is a word of one or two letters, which mean something else elsewhere: by the language that the absence is in. */
const AND: Readonly<Record<string, string>> = {
  it: "e",
  pt: "e",
  es: "[ye]",
  ca: "i",
  nl: "en",
  pl: "[ia]",
  cs: "a",
  sk: "a",
  hr: "[ia]",
  sl: "in",
  fi: "ja|eikä",
  hu: "és",
  ro: "și|si",
  tr: "ve"
}
const ANDS = Object.entries(AND).map(
  ([language, and]) =>
    [new RegExp(folded(AWAY_SAID[language] ?? []), "u"), new RegExp(`\\s(?:${and})(?=\\s)`, "gu")] as const
)

/** What names somebody or something: addresses, numbers, and words that begin in capitals, as in a signature. */
const NAMED = /^(?:\s|[\p{N}\p{P}\p{S}]|\p{Lu}[\p{L}\p{M}'’.-]*|(?:of|de|der|van|von|and|the|für)(?=\s))*$/u
const NAMED_WORDS_MAX = 6
const ADDRESS = /[^\s@<>]+@[^\s@<>]+\.\p{L}{2,}|(?:\+|\b0)\d[\d\s()/.-]{4,}\d/u

/** A sentence of one word. */
const SENTENCE = /(^|[.!?\n]\s*)(\p{Lu}\p{L}+[.!](?=\s|$))/gu

const isName = (clause: string): boolean => NAMED.test(clause) && clause.trim().split(/\s+/).length <= NAMED_WORDS_MAX

/** The words of our sender's name: no program knows it, and a person calls us by it. */
const ourNames = ({ headers }: MailHead): ReadonlyArray<string> => {
  const theirs = fold(valueOf(headers, "from"))
  return fold(
    valueOf(headers, "to")
      .slice(0, 300)
      .replace(/@[^\s>,;]*/g, " ")
  )
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= 3 && !theirs.includes(word))
}

/** Whether each clause is a name, an address, or known (`isKnown`, of folded text). */
export const isEachClause = (own: string, isKnown: (plain: string) => boolean): boolean => {
  const plain = plainText(own)
  const text = ANDS.reduce((all, [says, and]) => (says.test(plain) ? all.replace(and, ", ") : all), own)
  // A word alone that ends as a sentence does is one: "Stop."
  return text
    .replace(SENTENCE, (sentence) => sentence.toLowerCase())
    .split(ENDS)
    .every((clause) => clause.trim() === "" || isName(clause) || ADDRESS.test(clause) || isKnown(plainText(clause)))
}

/** `isAway`: whether a folded clause says that somebody is away. */
export const saysNothingElse = (head: MailHead, own: string, isAway: (plain: string) => boolean): boolean => {
  const plain = plainText(own)
  const words = new Set(plain.split(/[^\p{L}]+/u))
  return (
    !later.test(plain) &&
    !ourNames(head).some((name) => words.has(name)) &&
    isEachClause(own, (clause) => isAway(clause) || beside.test(clause))
  )
}
