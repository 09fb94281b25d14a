/**
 * Phrases that express an intent, matched against folded text (`fold`): lower case, no diacritics, straight
 * apostrophes, single spaces. Grouped by language; a pattern's meaning is the list it is in.
 */

/** Letters that no normal form takes apart. */
const plainLetters = (text: string): string =>
  text.replace(/ß/g, "ss").replace(/ø/g, "o").replace(/ł/g, "l").replace(/æ/g, "ae").replace(/œ/g, "oe")

/** The normal form that the phrases match: lower case without diacritics, `ss` for the sharp s, single spaces. */
export const fold = (text: string): string =>
  plainLetters(
    text
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
  )
    .replace(/[‘’‛´`]/g, "'")
    .replace(/\s+/g, " ")
    .trim()

/** A pattern without the marks that `fold` takes from a text. */
export const bare = (pattern: string): string => plainLetters(pattern.normalize("NFKD").replace(/\p{M}+/gu, ""))

export type Phrases = Readonly<Record<string, ReadonlyArray<string>>>

export const NOT_INTERESTED: Phrases = {
  en: [
    "(?:not|n't|no longer|never)(?: \\w+){0,3} interested",
    "(?:no|zero|little) interest\\b",
    "not (?:a|an|the|quite|really|such)? ?(?:right|good|great|ideal)? ?(?:fit|match)\\b",
    "(?:i|we)(?:'ll| will)?(?: have to| need to)? pass\\b",
    "no,? (?:thanks|thank you|thx)",
    "not (?:for us|for me|relevant|looking for|in the market|something we|needed|a priority)",
    "(?:don't|do not|doesn't|does not) (?:need|want|require|have (?:a|any) need)",
    "(?:happy|satisfied|fine) with (?:our|what we)",
    "(?:we're|we are|i'm|i am) all set"
  ],
  de: [
    "kein(?:e|en|erlei)? (?:\\w+ )?(?:interesse|bedarf)",
    "nicht (?:\\w+ ){0,2}(?:interessiert|interessant|relevant|von interesse)",
    "nein,? (?:vielen )?danke?",
    "(?:brauchen|benotigen|brauche|benotige) (?:wir|ich|das|so etwas)? ?(?:\\w+ )?nicht",
    "(?:bereits|schon|bestens) (?:versorgt|gut aufgestellt)",
    "nicht in ?frage"
  ],
  fr: [
    "pas (?:\\w+ ){0,2}(?:interesse\\w*|besoin|d'interet)",
    "non,? merci",
    "(?:pas|aucun) (?:interet|besoin)",
    "pas (?:pour nous|d'actualite)"
  ],
  es: [
    "no (?:\\w+ ){0,3}(?:interesa|interesad[oa]s?|interes)\\b",
    "(?<!,)\\bno,? (?:muchas )?gracias",
    "no (?:lo |la |los )?(?:necesit|requer)\\w+",
    "por (?:ahora|el momento) no\\b"
  ],
  it: [
    "non (?:\\w+ ){0,3}interess\\w+",
    "no,? grazie",
    "nessun interesse",
    "non (?:ne )?(?:ho|abbiamo) (?:\\w+ )?bisogno"
  ],
  nl: [
    "(?:geen|niet) (?:\\w+ ){0,2}(?:interesse|geinteresseerd|belangstelling|behoefte|interessant|relevant)",
    "nee,? (?:bedankt|dank)"
  ],
  pt: [
    "nao (?:\\w+ ){0,3}interess\\w+",
    "sem interesse",
    "nao,? obrigad[oa]",
    "nao (?:precisamos|preciso|temos necessidade)"
  ],
  nordic: [
    "(?:inte|ikke|ikkje) (?:\\w+ ){0,2}(?:intresserad|intresserade|interesseret|interessert|aktuellt|aktuelt)",
    "nej,? tack",
    "nei,? takk",
    "nej,? tak\\b"
  ],
  pl: ["nie (?:\\w+ ){0,3}zainteresowan\\w+", "nie,? dziekuje", "brak zainteresowania"]
}

export const INTERESTED: Phrases = {
  en: [
    "(?:i'm|i am|we're|we are|be|very|quite|definitely|certainly) (?:\\w+ )?interested",
    "interested in (?:learning|hearing|knowing|seeing|a (?:call|demo|chat))",
    "(?:sounds|looks) (?:\\w+ )?(?:good|great|interesting|promising|useful)",
    "(?:let's|lets|happy to|glad to|love to|like to|can we|could we|shall we) (?:\\w+ )?(?:talk|chat|speak|meet|connect|set up|schedule|hear|learn|know more|have a (?:call|chat)|jump on|book|discuss|see a demo)",
    "(?:tell|send|share|give)(?: with)? (?:me|us|over) (?:\\w+ ){0,2}(?:more|details|info|information|pricing|prices|deck|proposal|calendar)",
    "(?:book|schedule|set up|arrange) (?:a|some) (?:call|meeting|demo|time)",
    "(?:what|which) (?:is|are|would be) (?:your|the) (?:price|pricing|cost|rate)s?",
    "how much (?:does|is|would|do)",
    "(?:call|ring) me (?:at|on|tomorrow|next|any)",
    "(?:yes|sure),? (?:please|let's|i'd|we'd|i would|we would|send|go ahead|that works|tell me)",
    "(?:i'm|i am|we're|we are) (?:free|available) (?:on|at|next|this|tomorrow)",
    "send (?:me |us |over |along |through )?(?:\\w+ ){0,2}(?:pricing|prices|price list|quote|brochure|whitepaper|details)"
  ],
  de: [
    "gerne?\\b.{0,60}(?:mehr|termin|telefon|gesprach|sprechen|austausch|info|angebot|kennenlernen|unterhalten)",
    "(?:klingt|hort sich) (?:\\w+ ){0,3}(?:gut|interessant|spannend)",
    "(?:bin|sind|ware|waren) (?:\\w+ ){0,3}interessiert",
    "(?:haben|hatte|hatten|habe) (?:\\w+ ){0,3}interesse",
    "(?:schicken|senden) sie (?:mir|uns)",
    "rufen sie mich",
    "(?:angebot|preisliste|preise|unterlagen)[^.!?]{0,30}(?:gern|zukommen|schicken|senden)"
  ],
  fr: [
    "(?:suis|sommes|serais|serions) (?:\\w+ ){0,2}interesse",
    "(?:avec plaisir|volontiers)",
    "en savoir (?:un peu )?plus",
    "je veux bien",
    "(?:envoyez|transmettez)[- ](?:moi|nous)",
    "(?:ca|cela) (?:m'|nous )(?:\\w+ )?interesse"
  ],
  es: [
    "(?:me|nos) (?:\\w+ )?interesa\\b",
    "(?:estoy|estamos|estaria|estariamos) (?:\\w+ ){0,2}interesad",
    "(?:envi|mand)(?:e|en|a|ad)(?:me|nos)\\b",
    "(?:podemos|podriamos|agendemos|agendamos) (?:hablar|una|agendar|reunir|conversar)",
    "suena (?:\\w+ )?(?:bien|interesante)",
    "(?:precio|tarifa|presupuesto)s?[^.!?]{0,20}(?:me|nos) gustaria|(?:me|nos) gustaria (?:ver|saber|conocer|recibir|probar)"
  ],
  it: [
    "(?:sono|siamo|sarei|saremmo) (?:\\w+ ){0,2}interessat",
    "(?:mi|ci) interess(?:a|erebbe)\\b",
    "volentieri",
    "(?:mi|ci) (?:mandi|invii|mandate|inviate)",
    "saperne di piu"
  ],
  nl: [
    "(?:ben|zijn) (?:\\w+ ){0,3}geinteresseerd",
    "(?:klinkt|lijkt (?:me|mij|ons)) (?:\\w+ ){0,2}(?:goed|interessant)",
    "graag (?:meer|een|contact|horen|bellen|afspreken|een afspraak)",
    "stuur (?:mij|me|ons)"
  ],
  pt: [
    "(?:tenho|temos|teria) (?:\\w+ ){0,2}interesse",
    "(?:estou|estamos) (?:\\w+ ){0,2}interessad",
    "(?:me|nos) interessa\\b",
    "(?:envie|mande)(?:-me|-nos| me| nos)\\b",
    "(?:podemos|vamos|gostaria de|gostariamos de) (?:conversar|falar|marcar|agendar|saber)"
  ],
  nordic: [
    "(?:ar|er|är) (?:\\w+ ){0,2}(?:intresserad|intresserade|interesseret|interessert)",
    "(?:later|lyder|hores ut) (?:\\w+ )?(?:bra|spannende|spannande|interessant|godt)"
  ],
  pl: ["(?:jestem|jestesmy) (?:\\w+ ){0,2}zainteresowan", "prosze o (?:wiecej|kontakt|oferte|telefon)"]
}

/** The whole message says yes. */
export const YES_ALONE: Phrases = {
  all: [
    "(?:yes|sure|ja|oui|si|sim|da|tak|ok)(?:,? (?:please|bitte|gerne|gern|volontiers|claro|por favor|graag|tack|avec plaisir))"
  ]
}

/** A negation before a phrase of interest, in the same sentence, cancels it. */
export const NEGATION =
  "(?:\\b(?:not|no|never|neither|nor|kein\\w*|nicht|nie|pas|jamais|aucun\\w*|non|ni|nunca|niet|geen|nao|inte|ikke|nie)\\b|n't)[^.!?;]{0,30}"

/** Out-of-office phrases. */
export const AWAY: Phrases = {
  en: [
    "(?:i am|i'm|i will be|i'll be) (?:\\w+ ){0,2}(?:out of (?:the )?office|on (?:\\w+ )?(?:leave|vacation|holidays?)|away (?:from|until|on)|travelling|traveling)",
    "(?:limited|no) access to (?:my )?e-?mails?"
  ],
  de: [
    "(?:ich bin|bin ich) .{0,80}(?:nicht im (?:buro|haus)|abwesend|im urlaub|in elternzeit|nicht erreichbar|ausser haus)",
    "wahrend meiner abwesenheit"
  ],
  fr: [
    "je (?:suis|serai) (?:\\w+ ){0,2}(?:absente?|en conges?|en vacances|en deplacement)",
    "(?:en|pendant) mon absence"
  ],
  es: [
    "(?:estoy|estare|me encuentro|me encontrare) (?:\\w+ ){0,3}(?:fuera de (?:la |mi )?oficina|de vacaciones|ausente|de viaje)"
  ],
  it: ["(?:sono|saro) (?:\\w+ ){0,3}(?:fuori (?:ufficio|sede)|in ferie|assente|in viaggio)"],
  nl: ["(?:ik ben|ben ik) (?:\\w+ ){0,5}(?:afwezig|niet aanwezig|op vakantie|met verlof|niet op kantoor)"],
  pt: ["(?:estou|estarei) (?:\\w+ ){0,3}(?:fora do escritorio|de ferias|ausente|em viagem)"],
  nordic: ["(?:jag ar|jeg er) (?:\\w+ ){0,4}(?:bortrest|pa semester|ikke pa kontoret|pa ferie|inte pa kontoret)"],
  pl: ["(?:jestem|bede) (?:\\w+ ){0,3}(?:nieobecn\\w+|na urlopie|poza biurem)"]
}

/** What out-of-office texts add: until when, or who answers meanwhile. */
export const UNTIL: Phrases = {
  en: [
    "\\b(?:until|till|returning|back on|back in|return(?:ing)? on|upon my return|when i return|on my return)\\b",
    "(?:urgent|immediate|emergency|in my absence)"
  ],
  de: [
    "\\b(?:bis (?:zum|einschliesslich|\\d)|ab dem|zuruck|wieder (?:fur sie )?(?:da|erreichbar|im buro))\\b",
    "(?:dringend|vertret)"
  ],
  fr: ["\\b(?:jusqu'au|de retour|a mon retour|mon retour)\\b", "(?:urgence|urgent)"],
  es: ["\\b(?:hasta el|regres\\w+|vuelvo|mi vuelta)\\b", "urgen"],
  it: ["\\b(?:fino al|rientr\\w+|al mio ritorno)\\b", "urgen"],
  nl: ["\\b(?:tot en met|t/m|tot \\d|terug|weer (?:aanwezig|bereikbaar))\\b", "(?:dringend|spoed)"],
  pt: ["\\b(?:ate o dia|ate dia|ate \\d|regress\\w+|retorn\\w+|meu retorno)\\b", "urgen"],
  nordic: ["\\b(?:till och med|till den|til og med|tilbage|tilbake|tillbaka|ater)\\b", "(?:bradskande|haster|akut)"],
  pl: ["\\b(?:do dnia|do \\d|wracam|po powrocie)\\b", "piln"]
}
