import { bare, type Phrases } from "./phrases.js"
import { languagesOf } from "./languages.js"
import { UNSUBSCRIBE } from "./unsubscribePhrases.js"

/**
 * Whether a phrase of a request to stop is meant as one: by the writer, for themselves, of mail, and now. A phrase in a
 * question, a negation, a condition, of somebody else, of an attachment or in quotation marks is none, or in doubt none.
 */

const NOT =
  "(?:not|never|no|n't|dont|without|rather than|instead of|nicht|kein\\w*|nie|niemals|ohne|statt|pas|jamais|sans|no|nunca|jamas|sin|non|mai|senza|niet|geen|nooit|zonder|nao|sem|nie|bez|inte|ikke|aldrig|utan|uden)"

/** Before a phrase: it is not asked for. */
const NEGATED = new RegExp(
  `(?:\\b${NOT}|n't)(?: (?:yet|ever|to|please|want|wish|need|have|asking|ask|you|me|us|the|a|be|going|planning|bitte|sie|uns|mich|brauchen|mussen|musst|zu|de|me|nous|vous|quiero|necesito|deseo|que|voglio|bisogno|di|wil|hoef|hoeft|quero|preciso|trzeba|musicie|behover|vill)){0,4} ?$`,
  "u"
)

/** A phrase that begins with what is to be done, and a negation within it: "nehmen Sie mich nicht aus dem Verteiler". */
const TO_REMOVE =
  /^(?:remov|delet|eras|take|get|strike|scrub|uns|opt|mich|uns\b|mein|losch|streich|entfern|nehm|nimm|abmeld|austrag|retir|supprim|enlev|desinscri|desabonn|efface|radi|elimin|borr|quit|sac|dar|dad|den|baja|cancell|rimuov|tog|disiscriv|verwijder|haal|schrijf|meld|wis|tir|exclu|apag|descadastr|usun|wypis|skasuj|ta |tag |radera|stryk|avregistrera)/u
const NOT_WITHIN = /\b(?:not|nicht|ne pas|pas|no|non|niet|nao|nie|inte|ikke)\b/u

/** In some languages it stands behind: "nehmen Sie mich nicht heraus". */
const NOT_AFTER = /^ (?:\w+ )?(?:nicht|niet|inte|ikke|pas)\b(?! (?:mehr|meer|mer))/u

/** Who stops something themselves asks nobody. */
const OURSELVES =
  /\b(?:(?:we|they|he|she|it|wir|nous|noi|wij|vi)(?: (?:will|would|can|could|may|do|did|now|have to|had to))?|i (?:will|would|can|could|may|do|did|now|have to|had to)|will) $/u

/** A letter to many tells its readers how they may leave: "To unsubscribe, visit …". */
const OFFERED =
  /(?:^\W*(?:please )?(?:to|um|pour|para|per|om|aby|for att) (?:\w+ )?|\byou (?:can|may|could|wish|want|would like|prefer|no longer)\b[^.!?]{0,40}|\bsie (?:konnen|mochten|wollen)\b[^.!?]{0,40}|\bvous (?:pouvez|souhaitez)\b[^.!?]{0,40}|\b(?:puede|desea|quiere|potete|puoi|kunt u|u kunt|pode|moga panstwo|du kan|ni kan)\b[^.!?]{0,40}|click\w* (?:here )?(?:to )?)$/u
const SPEAKER =
  /\b(?:me|us|my|i|i'm|we|mich|uns|ich|wir|moi|me|nous|je|j'|mi|yo|nos|io|noi|mij|ons|ik|wij|eu|mnie|nas|mig|oss|jag|vi)\b/u

/** Who else it may be that does it or that it is done to. */
const OTHERS =
  "(?:customers?|recipients?|people|users?|clients?|subscribers?|prospects?|contacts|leads?|members?|patients|students|employees|someone|somebody|anyone|anybody|everyone|they|them|he|she|kunden|kundin|empfanger\\w*|leute|jemand|nutzer\\w*|abonnenten|mitarbeiter\\w*|clients|destinataires?|gens|abonnes?|utilisateurs?|quelqu'un|clientes?|usuarios?|destinatarios?|gente|alguien|clienti|utenti|destinatari\\w*|qualcuno|klanten|ontvangers?|gebruikers?|mensen|iemand|klien\\w+|odbiorc\\w+|ludzie|ktos|kunder\\w*|mottagare|folk|anvandare|nagon)"
const OF_OTHERS = new RegExp(`(?<![\\p{L}])${OTHERS}(?![\\p{L}])[^.!?]{0,60}$`, "u")

/** The writer, as whom something is done to. */
const SELF =
  /\b(?:me|us|my|our|i|we|mine|mich|mir|uns|mein\w*|unser\w*|ich|wir|moi|me|nous|mon|ma|mes|notre|nos|je|j'|m'|mi|mis|me|nos|nuestr\w+|yo|mi|ci|mio|mia|miei|nostr\w+|io|noi|mij|me|ons|mijn|onze|ik|wij|meu|minha|meus|eu|nos|nossos?|mnie|mi|mna|nas|nam|nami|moj\w*|nasz\w*|mig|oss|min|mina|var|vara|jag|vi|jeg|meg|mit|\p{L}{2,}(?:ame|eme|enme|adme|arme|erme|irme|anos|enos|adnos|temi|ami|imi|emi|armi|irmi|teci|aci|arci))\b/u

/** How a question begins that asks for something politely. */
const POLITE =
  /(?:can|could|would|will) (?:you|someone|somebody|anyone)|would (?:it be possible|you mind)|may i ask|mind (?:removing|taking|not)|konn(?:en|ten) sie|konntet ihr|konnt ihr|kannst du|wurden sie|darf ich|pouvez|pourriez|pourrais|peux|est-ce possible|puede|podria|podeis|pueden|podrian|me (?:quita|borra|elimina)|puo|potete|potrebbe|potreste|kunt u|kun je|kunnen jullie|zou u|zou je|wilt u|pode|poderia|podem|consegue|czy (?:moze|mozna|mogl)|mozecie|kan (?:du|ni|i|dere)|kunne (?:du|i|dere)|skulle (?:du|ni)|snalla|please|bitte|pls/u

/** A condition that has not come true; one of mail that goes on has. */
const CONDITION =
  /^(?:\W|and |but |so |oder |und |aber |et |mais |y |pero |e |ma |en |maar |i |ale |och |men )*(?:if|unless|should you|in case|once|when|wenn|falls|sofern|sollten|si|au cas|s'il|en caso|se|qualora|caso|als|indien|mocht|zodra|jesli|jezeli|gdyby|om|hvis|ifall)\b(?! (?:possible|you (?:can|could|would|don't mind|please)|it is not|moglich|possible|sie konn|het kan|mogelijk))/u
const GOES_ON =
  /again|another|further|more|keep|continu|persist|doesn't stop|don't stop|not stop|otherwise|still|erneut|noch|weiter|wieder|mehr|encore|continu|nouveau|otra|sigu|vuelv|mas\b|ancora|contin|nog|opnieuw|weer|outra|continua|mais\b|jeszcze|ponown|dalej|igen|fler|fortsatt|mer\b|spam|report|block|meld|denunci|signal|anzeig|abmahn|anwalt|lawyer|legal/u

/** What else is removed, stopped or left out in letters of business. */
const OTHER_THING =
  /\b(?:attachments?|anhang\w*|anlagen?|pieces? jointes?|adjuntos?|allegat\w+|bijlagen?|anexos?|zalaczni\w+|bilag\w+|b?cc|copy|kopie|copie|copia|kopia|invit\w+|einladung\w*|meeting|calendar|kalender|agenda|orders?|bestellung\w*|pedidos?|commandes?|invoice\w*|rechnung\w*|factur\w+|fattur\w+|faktur\w+|quotes?|angebot\w*|devis|contracts?|vertrag\w*|clause\w*|klausel\w*|paragraph\w*|absatz|pages?|slides?|folie\w*|logos?|watermark\w*|fields?|columns?|spalte\w*|rows?|zeile\w*|line items?|duplicate\w*|samples?|demo\w*|users?|accounts?|konto|password\w*|drafts?|footers?|signature\w*|images?|links?|photos?|pictures?|files?|datei\w*|fichiers?|archivos?|bestand|plik\w*|fil(?:en)?|words?|sentence|satz|comma|vat|tax|fee|discount|item|punkt|position\w*|machines?|server|production|delivery|lieferung\w*)\b/u
const LIST =
  /\b(?:lists?|listen?|liste|lista|listy|lijst\w*|listan|listen|mailing\w*|verteiler\w*|newsletter\w*|nieuwsbrief|database|datenbank|base|crm|campaign\w*|sequence|distribution|cadastro|bazy|fichiers?|elenc\w+|rubrica|archiv\w*|rejestr\w*|register|spam\w*|e-?mails?|mails?|messages?|contact\w*|adress?e?\w*|address\w*)\b/u

/** Who asks where an address is from asks for nothing yet. */
const WHENCE =
  /^[\s¿]*(?:(?:where|how) did you (?:even )?(?:get|find)|who (?:gave|sold)|woher (?:ha|kenn)|wie kommen sie an|wo haben sie|wer hat ihnen|(?:d'ou|ou|comment) avez|qui vous a|de donde (?:sac|ha|consig)|quien (?:le|les|te|os) (?:di|ha|pas)|(?:da )?dove avete|come avete|chi vi ha|hoe kom|van wie|waar hebben|skad (?:ma|zd)|kto (?:wam|panu|pani|dal)|(?:de )?onde (?:tir|arranj|conseg)|quem (?:lhe|te|vos)|(?:var|hur) fick|vem gav|hvor (?:har|fikk|fik)|hvordan fi|hvem ga|mista sait|miten sait|kuka antoi|kde jste|odkud m|kdo vam)/u

/** Who asks which data we hold, as laws allow (GDPR, article 15), waits for an answer. What else they ask has a phrase of its own. */
const ACCESS =
  /\bart(?:\.|icles?|ikel|iculo|icolo|igo|ykul\w*)? ?15\b|\bsubject access\b|\bdsar\b|request(?:ing)? access\b[^.!?]{0,40}\b(?:data|gdpr)|\b(?:which|what)(?: \S+){0,3} (?:data|information)(?: \S+){0,3} (?:hold|have|store|keep|process)|auskunft[^.!?]{0,60}(?:daten|dsgvo|gespeichert)|daten[^.!?]{0,60}auskunft|welche (?:\S+ ){0,4}daten\b|quelles (?:donnees|informations)|que (?:datos|informacion) (?:tien|guard|dispon|conserv)|quali dati\b|welke (?:persoons)?gegevens|jakie (?:\S+ ){0,2}dane\b|quais (?:\S+ )?dados|vilka (?:person)?uppgifter|hvilke (?:person)?(?:opl|oppl)ysninger/u

/** Whether a folded text asks what we know of its writer. */
export const asksForData = (text: string): boolean => ACCESS.test(text)

/** How far before and after a phrase we look. */
const AROUND_CHARS = 160

/** A quoted word or sentence is what somebody else says, or a button's name. */
export const withoutQuotes = (text: string): string => {
  const bare = text.replace(/["“”„«»‹›][^"“”„«»‹›\n]{1,160}["“”„«»‹›]/gu, " ")
  // A text that is all in quotation marks is meant.
  return (bare.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 ? bare : text
}

/** `hasReflexive`: "si" is no condition in this language. */
const isMeant = (text: string, from: number, to: number, hasReflexive: boolean): boolean => {
  const match = text.slice(from, to)
  const before = text.slice(Math.max(0, from - AROUND_CHARS), from)
  const prefix = before.slice(Math.max(before.lastIndexOf("."), before.lastIndexOf("!"), before.lastIndexOf("?")) + 1)
  const after = text.slice(to, to + AROUND_CHARS)
  const end = after.search(/[.!?]/)
  const suffix = end === -1 ? after : after.slice(0, end)
  const isQuestion = end !== -1 && after.charAt(end) === "?"
  const sentence = `${prefix}${match}${suffix}`
  if (isQuestion && WHENCE.test(sentence)) return false
  const isOfSelf = SELF.test(match) || SELF.test(suffix.slice(0, 20))
  if (
    NEGATED.test(prefix) &&
    !/^(?:no|not|don't|do not|never|kein|nicht|ne |pas|plus|non|nie|niet|geen|nao|inte|ikke|sin|sans)/u.test(match)
  )
    return false
  if (
    TO_REMOVE.test(match) &&
    NOT_WITHIN.test(match.slice(4)) &&
    !/mehr|plus|more|mas\b|piu|meer|mais|wiecej/.test(match)
  )
    return false
  if (TO_REMOVE.test(match) && NOT_AFTER.test(suffix)) return false
  if (OFFERED.test(prefix) && !SPEAKER.test(sentence)) return false
  if (OF_OTHERS.test(prefix) && !isOfSelf) return false
  if (OURSELVES.test(prefix) && !SELF.test(match)) return false
  if (isQuestion && !(POLITE.test(sentence) && (isOfSelf || LIST.test(sentence)))) {
    if (OF_OTHERS.test(prefix)) return false
    if (!SELF.test(sentence)) return false
  }
  if (CONDITION.test(hasReflexive ? prefix.replace(/^\W*si\b/u, "") : prefix) && !GOES_ON.test(sentence)) return false
  const near = `${match}${suffix.slice(0, 40)}`
  return !(
    OTHER_THING.test(near) &&
    !LIST.test(near) &&
    !/\b(?:my|our|mein\w*|unser\w*|mes|nos|mis|nuestr\w+|miei|nostr\w+|mijn|onze|meus|nossos|moje|nasz\w*|mina|vara) (?:data|daten|donnees|datos|dati|gegevens|dados|dane|uppgifter)/u.test(
      near
    )
  )
}

/** Most places of a text at which a phrase is looked at. */
const PLACES_MAX = 50

/** These don't set words apart. */
const WITHOUT_SPACES: ReadonlySet<string> = new Set(["ja", "zh", "ko"])

const patternsOf = (phrases: Phrases) =>
  Object.entries(phrases).map(([language, all]) => {
    const any = all.map((phrase) => `(?:${bare(phrase)})`).join("|")
    return [language, new RegExp(WITHOUT_SPACES.has(language) ? any : `(?<![\\p{L}\\p{N}])(?:${any})`, "gu")] as const
  })

const PATTERNS = patternsOf(UNSUBSCRIBE)

/** What the phrases say of a folded text, and in which language: it asks to stop, or only speaks of that. */
export const asked = (text: string): { readonly says: "asks" | "speaks of it"; readonly language: string } | null => {
  const languages = languagesOf(text)
  const hasReflexive = languages.likeliest === "it"
  let spokenOf: string | null = null
  for (const [language, pattern] of PATTERNS) {
    if (!languages.has(language)) continue
    let places = 0
    for (const match of text.matchAll(pattern)) {
      if (isMeant(text, match.index, match.index + match[0].length, hasReflexive)) return { says: "asks", language }
      spokenOf = language
      places += 1
      if (places >= PLACES_MAX) break
    }
  }
  return spokenOf === null ? null : { says: "speaks of it", language: spokenOf }
}

/** What asks to be kept: "don't take me off". Folded words of the languages that models read. */
const DENIED = new RegExp(
  [
    "\\b(?:do not|don't|dont|never|no need to) (?:please |ever )?(?:(?:remove|unsubscribe|delete|erase|drop|strike) (?:me|us|my|our)|take (?:me|us|my \\w+|our \\w+) off)\\b",
    "\\b(?:nehm|streich|losch|entfern)\\w* (?:sie )?(?:mich|uns|meine \\w+|unsere \\w+) (?:bitte )?(?:nicht|keinesfalls|auf keinen fall)(?= (?:aus|von|heraus|raus)\\b|\\W*$)",
    "\\bnicht (?:abmelden|austragen|loschen|streichen|entfernen|aus dem verteiler|von der liste)\\b",
    "\\bne (?:me |m'|nous )(?:retir|supprim|enlev|desinscri|desabonn|efface)\\w* (?:surtout )?pas\\b|\\bne pas (?:me |nous )(?:retir|supprim|enlev|desinscri|desabonn|effac)\\w*",
    "\\bno (?:me |nos )(?:borr|quit|elimin|saqu|den de baja|desuscrib)\\w*",
    "\\bnon (?:mi |ci )?(?:togli|tolga|cancell|rimuov|elimin|disiscriv)\\w*",
    "\\bnao (?:me |nos )(?:retir|remov|tir|exclu|apagu|elimin|descadastr)\\w*",
    "\\b(?:haal|verwijder|schrap) (?:u )?(?:mij|me|ons|mijn \\w+|onze \\w+) niet\\b|\\bschrijf (?:mij|me|ons) niet uit\\b",
    "\\bta inte bort\\b|\\b(?:ta bort|stryk|radera|avregistrera|fjern|slett?|afmeld) (?:meg|mig|oss|os) (?:venligst |vennligst )?(?:inte|ikke)\\b|\\bmeld (?:meg|oss) ikke av\\b",
    "\\bnie (?:usuwaj|wypisuj|wykreslaj|skreslaj|kasuj)\\w*|\\bne(?:vyraz|odhlas|maz|vyskrt|odstran)\\w*|\\bal(?:kaa|a) (?:viela )?(?:poista|peru)\\w*"
  ].join("|"),
  "u"
)

/** Whether a folded text asks to be kept on a list. */
export const isDenied = (text: string): boolean => DENIED.test(text)
