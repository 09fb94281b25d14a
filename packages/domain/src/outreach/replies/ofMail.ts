import { withoutQuotes } from "./asked.js"
import { languagesOf } from "./languages.js"
import { plainText } from "./plainText.js"

/** The languages that the model learnt. */
export const LEARNT: ReadonlyArray<string> = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "nordic"]

/**
 * What a request not to be written to speaks of, as stems of nine languages: mail and lists, what is done to them, whose data
 * they are, who watches over that, and that it was enough. A model is tipped either way by words that it never saw, so
 * without one of these it says nothing.
 */
const SPEAKS_OF: ReadonlyArray<string> = [
  "mail|mejl|messag|mensa[jg]|messagg|inbox|in-box|postfach|courri|correo|bericht|nachricht|wiadomos|meddelan|post\\b|brev\\b|letter|brief",
  "spam|junk|skrappost|pourriel|werbung|werbe|reklam|reclame|publicid|propagand|pubblicit|\\bpubs?\\b|marketing|newsletter|utskick|ungewollt|unwanted|no desead|indesider|ongewenst|niechcian|oonskad",
  "\\blist|list[aey]?\\b|lijst|listan|verteiler|elenc|database|datenbank|\\bbase\\b|\\bbaz[ay]|fichier|cadastr|\\bcrm\\b|register|rejestr|address|adres|indirizz|direccion|enderec|contact|kontakt|\\bnumber|\\bnummer|\\bname\\b",
  "unsub|subscri|opt|abmeld|austrag|desabonn|desinscri|\\bbaja\\b|suscri|disiscri|cancell|uitschrij|afmeld|descadastr|wypis|avregist|avprenum|avanmal|remov|delet|eras|losch|streich|entfern|supprim|retir|effac|radi|borr|elimin|quit|sac[aá]|rimu|rimoz|togli|verwijder|weghal|afhal|halen|wiss|apag|tir[ae]|exclu|usun|skasuj|wykresl|radera|\\bbort\\b|stryk",
  "stop|stopp|halt|cease|desist|hor(?:t|en)? auf|aufhor|arret|cess|\\bpar[aeo]\\b|\\bparen|dej[ae]|smett|basta|houd? op|ophoud|\\bpare|chega|deix|przesta|zaprzest|sluta|upphor",
  "writ|wrote|send|sent\\b|hear\\b|schreib|schick|\\bsend|meld|ecri|envo|sollicit|relanc|demarch|escrib|envi|mand|scriv|invi|schrij|stur|escrev|pisz|pisa|wysyl|przysyl|skriv|skick|hora\\b|nachfass|follow",
  "bother|pester|harass|chas|bug|alone|peace|belastig|ruhe|verschon|zufrieden|importun|tranquil|paix|epargn|molest|insist|\\bpaz\\b|ahorr|disturb|\\bpace\\b|risparmi|lastig|rust\\b|bespaar|incomod|chate|sosseg|poup|desampar|spokoj|oszczedz|nachod|stor\\b|fred\\b|bespar|trakass",
  "gdpr|dsgvo|rgpd|\\bavg\\b|\\brodo\\b|lgpd|\\bdata\\b|daten|donnees|datos|\\bdati\\b|gegevens|dados|\\bdane|danych|uppgift|consent|einwillig|consente|consenso|toestemming|zgod[ay]|samtyck|\\bico\\b|\\bftc\\b|cnil|aepd|garante|uodo|\\bimy\\b|bundesnetz|abmahn|anwalt|lawyer|legal|avocat|abogad|avvocat|advocaat|advogad|prawnik|advokat|police|polis|polizei|report|anzeig|signal|denunci|aangifte|zglas|zglos|anmal|block|blockier|bloque|blocc|blokk|zablok",
  "enough|never|no more|nie wieder|\\bnie\\b|jamais|plus jamais|nunca|\\bmai\\b|\\bnooit|nigdy|aldrig|last\\b|final|letzt|dernier|ultim|laatst|ostatni|sista|genug|reicht|langt|suffit|harto|stufo|genoeg|\\bnog|farto|dosc|nog nu|third|fourth|fifth|again|another|schon wieder|encore|otra vez|ancora|alweer|outra vez|znowu|igen"
]
const OF_MAIL = new RegExp(SPEAKS_OF.join("|"), "u")

const plain = (own: string): string => plainText(withoutQuotes(own))

/** Whether a text speaks of what a request to stop speaks of. */
export const isOfMail = (own: string): boolean => OF_MAIL.test(plain(own))

/** Whether it is in a language that the model learnt. */
export const isLearntLanguage = (own: string): boolean => {
  const languages = languagesOf(plain(own))
  return languages.isKnown && LEARNT.some((language) => languages.has(language))
}
