import type { Phrases } from "./phrases.js"

/**
 * How a request to stop is built in a language, against folded text (`fold`). Two parts within one clause make one. It is
 * weaker than a phrase: it counts only where the model says the same.
 */
interface Parts {
  /** What is to be done to the writer's data: remove, delete. */
  readonly remove: string
  /** What it is done to: the writer, their address and data, a list. */
  readonly mine: string
  /** To end what the sender does. */
  readonly end: string
  /** That it is not to be, or no more. */
  readonly not: string
  /** What the sender does: to write, to send, to contact; what the writer does then. */
  readonly write: string
  /** What is sent. */
  readonly mail: string
}

const PARTS: Readonly<Record<string, Parts>> = {
  en: {
    remove:
      "(?:unsub|remov|delet|eras|drop|strik|scrub|wip|purg|tak|get|cross|los|forget|clear|exclud|pull)(?:e|ing|ove)?",
    mine: "(?:me|us|it|my (?:name|address|e-?mail|details|data|contact|info)\\w*|our (?:name|address|e-?mail|details|data|contact|company)\\w*|this (?:address|e-?mail|inbox)|(?:your|the|any|this) (?:\\w+ ){0,2}(?:lists?|database|records|crm|distribution|contacts))",
    end: "(?:stop|quit|cease|end|halt|enough|refrain|desist|done)",
    not: "(?:not|n't|dont|never|no longer|no more|no further|rather not|without|nothing)",
    write: "(?:e-?mail|mail|contact|writ|messag|send|hear|reach|bother|pester|follow|receiv|get|sign|subscrib|ask)\\w*",
    mail: "(?:e-?mails?|mails?|messages?|newsletters?|contact|outreach|spam|ads?|pitches|this|these|that|it)"
  },
  de: {
    remove: "(?:losch|streich|entfern|nehm|nimm|raus|heraus|trag|austrag|abmeld|tilg|vergess|vergiss)\\w*",
    mine: "(?:mich|uns|die|das|mein\\w*|unser\\w*|mir|(?:eu|ih)r\\w* (?:\\w+ ){0,2}(?:liste|verteiler|system|datenbank|kartei)|verteiler|adresse|mailadresse)",
    end: "(?:hor\\w* auf|aufhor\\w*|lass\\w*|unterlass\\w*|absehen|sehen (?:\\w+ ){0,3}ab|abzusehen|verzicht\\w*|verschon\\w*|stopp?\\w*|schluss|erspar\\w*|widersprech\\w*|widersprich\\w*)",
    not: "(?:nicht|nichts|nie|keine?r?n?|nimmer)",
    write:
      "(?:schreib|geschrieb|angeschrieb|schick|send|mail|kontakt|meld|belastig|behellig|bekomm|erhalt|hor|krieg|wunsch|angemeldet|gebeten|bestellt)\\w*",
    mail: "(?:e-?mails?|mails?|nachrichten|werbung|post|werbemails?|angebot\\w*|anfragen|zusendung\\w*|mir|mich|uns|daten|nutzung)"
  },
  fr: {
    remove: "(?:retir|supprim|enlev|effac|radi|ray|sort|oubli|desinscri|desabonn|vir)\\w*",
    mine: "(?:moi|nous|me|m'|mon|ma|mes|notre|nos|(?:votre|vos|la|cette) (?:\\w+ ){0,2}(?:listes?|base|fichiers?|mailing))",
    end: "(?:arret|cess|stop|fini|fich|fout|lach|laiss|epargn|suffit|oppos|dispens)\\w*",
    not: "(?:ne plus|n'\\w+ plus|ne|pas|plus|jamais|aucun\\w*|inutile)",
    write: "(?:ecri|envo|contact|recontact|sollicit|relanc|recev|recoi|derang|importun|mail|demand|inscri)\\w*",
    mail: "(?:mails?|e-?mails?|messages?|courri\\w+|sollicitations?|pub\\w*|prospection|paix|tranquille|donnees|m'|me|nous|moi)"
  },
  es: {
    remove: "(?:elimin|borr|quit|sac|saqu|retir|suprim|supres|olvid|tach|baja)\\w*",
    mine: "(?:me|nos|mi|mis|nuestr\\w+|\\w+(?:dme|nme|eme|ame|enos|nnos|rme)|(?:su|sus|la|esta|tu) (?:\\w+ ){0,2}(?:listas?|base|fichero\\w*|agenda))",
    end: "(?:dej|par|ces|basta|bast|opong|opon)\\w*",
    not: "(?:no|nunca|jamas|ni|ningun\\w*)",
    write: "(?:escrib|envi|mand|contact|molest|llam|recib|insist|apunt|suscrib|pedi|volv|vuelv)\\w*",
    mail: "(?:correos?|mails?|e-?mails?|mensajes?|publicidad|spam|datos|paz|escrib\\w*|envi\\w*|mand\\w*|molest\\w*)"
  },
  it: {
    remove: "(?:cancell|rimuov|rimoz|togli|toglie|elimin|levat|dimentic|disiscri)\\w*",
    mine: "(?:mi|ci|me|noi|mio|mia|miei|mie|nostr\\w+|\\w+(?:temi|ami|imi|teci|armi|ermi)|(?:vostr|sua|suo|tua)\\w* (?:\\w+ ){0,2}(?:list\\w*|elenc\\w+|database|archivi\\w*|rubrica))",
    end: "(?:smett|piant|finit|finisc|basta|lasci|diffid|oppong|opponi|evit)\\w*",
    not: "(?:non|nn|mai|niente|nessun\\w*|basta)",
    write: "(?:scriv|invi|mand|contatt|ricontatt|disturb|ricev|iscri|chiest|sent)\\w*",
    mail: "(?:mail|e-?mail|messaggi\\w*|pubblicita|spam|comunicazion\\w+|pace|dati|contatt\\w*|scriv\\w*|mand\\w*)"
  },
  nl: {
    remove: "(?:verwijder|haal|hal|schrijf|wis|gooi|schrap|meld|vergeet|uitschrijv|afmeld)\\w*",
    mine: "(?:mij|me|mn|ons|mijn|onze|(?:uw|jullie|je|de|dit) (?:\\w+ ){0,2}(?:lijst\\w*|bestand\\w*|systeem|database|mailing\\w*))",
    end: "(?:stop|hou|houd|houdt|laat|genoeg|staak|bezwaar|bespaar)\\w*",
    not: "(?:niet|niets|niks|nooit|geen)",
    write:
      "(?:mail|stuur|sturen|schrijv|schrijf|contact|benader|ontvang|krijg|lastig|bel|prijs|hor|hoor|aangemeld|gevraagd)\\w*",
    mail: "(?:mails?|e-?mails?|berichten|reclame|spam|rust|gegevens|mailen|sturen|ermee|hiermee)"
  },
  pt: {
    remove: "(?:remov|retir|exclu|tir|apag|elimin|delet|descadastr|esque)\\w*",
    mine: "(?:me|nos|meu|meus|minha|nosso\\w*|nossa\\w*|aqui|ai|(?:sua|vossa|dessa|desta|da) (?:\\w+ ){0,2}(?:lista|base|mailing|cadastro))",
    end: "(?:par|deix|cheg|ces|basta|opon|oponho)\\w*",
    not: "(?:nao|nunca|jamais|nada|nenhum\\w*)",
    write: "(?:escrev|envi|mand|contat|contact|receb|incomod|perturb|insist|inscrev|cadastr|pedi)\\w*",
    mail: "(?:e-?mails?|mensage\\w*|contat\\w*|contact\\w*|spam|publicidade|paz|dados|envi\\w*|mand\\w*|escrev\\w*)"
  },
  pl: {
    remove: "(?:usun|wypis|skasuj|skasow|wykresl|skresl|wymaz|zapomn)\\w*",
    mine: "(?:mnie|nas|moj\\w*|nasz\\w*|swoj\\w*|(?:z|ze) (?:\\w+ ){0,2}(?:list\\w*|baz\\w*))",
    end: "(?:przesta|zaprzesta|dosc|koniec|skoncz|odczep|daj|sprzeciw)\\w*",
    not: "(?:nie|nigdy|nic|zadn\\w+)",
    write: "(?:pis|wysyl|przysyl|przesyl|kontakt|otrzymyw|dostaw|zapisyw|prosi\\w*|zycz)\\w*",
    mail: "(?:mail\\w*|wiadomosc\\w*|ofert\\w*|korespondenc\\w*|spokoj\\w*|danych|reklam\\w*|pisa\\w*|wysyl\\w*)"
  },
  nordic: {
    remove: "(?:ta|tag|plocka|radera|stryk|fjern|slet|slett|avregistrera|avprenumerera|afmeld|meld|glom)\\w*",
    mine: "(?:mig|meg|oss|os|min|mina|mine|mitt|var|vara|vores|vare|(?:er|jeres|deres|din) (?:\\w+ ){0,2}(?:list\\w*|register|databas\\w*))",
    end: "(?:sluta|stopp\\w*|stop|slutt|hold|lat|lad|la|lamna|skippa|motsatt\\w*|indsigelse|nog|dra)",
    not: "(?:inte|ikke|aldrig|aldri|inga|ingen|inget|ingenting|slippa|slippe)",
    write: "(?:mejla|maila|mejl|mail|skriv|skicka|send|kontakt|hor|motta|modtag|fa|anmalt|bedt|bett|tilmeld|ha)\\w*",
    mail: "(?:mejl\\w*|mail\\w*|e-?post\\w*|utskick\\w*|reklam\\w*|skicka|skriva|sende|fred|ifred|uppgifter|data|dataene|oplysninger)"
  }
}

/** How far apart the parts of a clause may stand. */
const APART = "[^.!?;:]{0,40}"

const word = (part: string): string => `\\b${part}(?!\\p{L})`
const both = (one: string, other: string): string => `${word(one)}${APART}${word(other)}`

/** Requests by their parts, in the languages that the model learnt. */
export const REQUESTS: Phrases = Object.fromEntries(
  Object.entries(PARTS).map(([language, { end, mail, mine, not, remove, write }]) => [
    language,
    [
      both(remove, mine),
      both(mine, remove),
      both(end, `(?:${mail}|${write}|${mine})`),
      both(not, write),
      both(not, mail),
      both(mail, end)
    ]
  ])
)

/** A time until which the writer asks for silence: they will be written to later. */
export const LATER =
  /\b(?:until|till|before|this (?:week|month|quarter|year)|bis|vor|avant|d'ici|jusqu\w*|hasta|antes|este (?:mes|trimestre|ano)|fino|prima|tot|ate|przed|do (?:maja|wrzesnia|\d+)|innan|after (?:that|the)|danach|dann|despues|dopo|daarna|depois|potem|sedan|derefter|etterpa|(?:fore|for|voor|till|til) (?:\p{L}+ )?(?:\d|sommar|sommer|zomer|pask|pasen|jul|kerst|semester|ferie|host|vakantie)\w*)\b/u
