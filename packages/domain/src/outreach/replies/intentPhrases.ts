import type { Phrases } from "./phrases.js"

/** Phrases of what a reply wants beyond a yes or a no, matched against folded text (`fold`). */

/** The writer is not who decides, or no longer there. */
export const WRONG_PERSON: Phrases = {
  en: [
    "(?:not|n't) (?:the )?(?:right|correct|best) (?:person|contact|one)",
    "wrong (?:person|contact|department|address)",
    "(?:no longer|not) (?:work|working|employed|with|responsible|in charge|handle|handling|deal|dealing|my (?:area|department|responsibility))",
    "(?:don't|do not) (?:handle|deal with|look after|decide)"
  ],
  de: [
    "nicht (?:der|die) (?:richtige|zustandige)",
    "falsche[rn]? (?:ansprechpartner\\w*|person|adresse|kontakt)",
    "nicht (?:mehr )?(?:zustandig|verantwortlich|im unternehmen|bei)",
    "arbeite nicht mehr"
  ],
  fr: [
    "pas (?:la bonne personne|le bon (?:contact|interlocuteur)|la bonne interlocutrice|en charge|responsable|mon domaine)",
    "mauvais(?:e)? (?:personne|interlocut\\w+|contact)",
    "ne (?:travaille|m'occupe|fais) (?:plus|pas)"
  ],
  es: [
    "no soy (?:la persona|el (?:contacto|responsable)|la responsable|quien)",
    "persona equivocada",
    "(?:ya )?no (?:trabajo|me encargo|llevo|me ocupo)"
  ],
  it: [
    "non sono (?:la persona|il (?:contatto|referente|responsabile)|io)",
    "persona sbagliata",
    "non (?:lavoro piu|mi occupo|sono responsabile|seguo)"
  ],
  pt: [
    "nao sou (?:a pessoa|o (?:contato|contacto|responsavel)|a responsavel|eu)",
    "pessoa errada",
    "(?:ja )?nao (?:trabalho|trato|sou responsavel|cuido)"
  ],
  nl: [
    "niet de (?:juiste|goede) (?:persoon|contactpersoon)",
    "verkeerde (?:persoon|contact\\w*)",
    "niet (?:meer )?(?:werkzaam|verantwoordelijk)",
    "werk (?:hier )?niet meer"
  ],
  pl: [
    "nie jestem (?:wlasciwa|odpowiednia|osoba)",
    "niewlasciwa osoba",
    "(?:juz )?nie (?:pracuje|zajmuje sie|odpowiadam)"
  ],
  sv: [
    "(?:inte|ej) (?:ratt|den ratta) person",
    "fel person",
    "(?:arbetar|jobbar) inte (?:langre|kvar|med)",
    "inte ansvarig"
  ]
}

/** The writer names who should be asked. Counts only with an address. */
export const REFERRAL: Phrases = {
  en: [
    "(?:contact|reach(?: out)?(?: to)?|write to|e-?mail|speak (?:to|with)|talk to|ask|try|forward\\w*|loop\\w* in|copied|cc'?(?:d|ing)?|best person|right person|colleague|in charge|responsible)\\b"
  ],
  de: [
    "(?:wenden sie sich|kontaktieren|schreiben sie|kolleg\\w+|zustandig\\w*|ansprechpartner\\w*|weitergeleitet|leite|in kopie|melden sie sich)"
  ],
  fr: ["(?:contact\\w+|adress\\w+|ecri\\w+|collegue|responsable|interlocut\\w+|transmets|transfere|en copie)"],
  es: ["(?:contact\\w+|escrib\\w+|dirij\\w+|companer\\w+|responsable|reenvi\\w+|copio|en copia)"],
  it: ["(?:contatt\\w+|scriv\\w+|rivolg\\w+|collega|responsabile|inoltr\\w+|in copia)"],
  pt: ["(?:contact\\w+|contat\\w+|escrev\\w+|fale|falar|colega|responsavel|encaminh\\w+|em copia)"],
  nl: ["(?:contact opnemen|neem contact|mail\\w*|collega|verantwoordelijk\\w*|doorgestuurd|in cc)"],
  pl: ["(?:kontakt\\w*|napis\\w+|koleg\\w+|kolezank\\w+|odpowiedzialn\\w+|przekaz\\w+|do wiadomosci)"],
  sv: ["(?:kontakta|skriv till|kollega|ansvarig|vidarebefordra\\w*|mejla|maila)"]
}

/** Perhaps later. */
export const NOT_NOW: Phrases = {
  en: [
    "not (?:right |just )?now\\b|not at (?:this|the) (?:time|moment|stage|point)|not (?:this|a good) (?:time|quarter|month|year|moment)|(?:bad|wrong) time",
    "(?:maybe|perhaps|try|reach out|check back|come back|follow up|circle back|contact me|write me|get back to (?:me|us)|ping me|revisit|touch base|reconnect|speak|talk)[^.!?]{0,40}\\b(?:again |back )?(?:later|next (?:year|quarter|month|spring|summer|autumn|fall|winter)|in (?:a few|some|\\d+|two|three|six) (?:weeks|months)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4])|after (?:the )?(?:summer|holidays|new year|budget))",
    "(?:too busy|no budget|budget is (?:gone|spent|frozen)|busy) (?:right now|at the moment|this (?:year|quarter|month)|until)"
  ],
  de: [
    "(?:derzeit|momentan|aktuell|im moment|zurzeit|zur zeit|gerade) (?:\\w+ ){0,3}(?:nicht|kein\\w*)",
    "(?:spater|nachste[ns] (?:jahr|quartal|monat)|in (?:ein paar|einigen|\\d+|zwei|drei|sechs) (?:wochen|monaten)|ab (?:januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember))[^.!?]{0,40}(?:wieder|noch ?(?:ein)?mal|melden|erneut|sprechen|nach)",
    "(?:melden|schreiben|fragen|kommen) sie (?:sich )?[^.!?]{0,30}(?:spater|nachste[ns]|in (?:ein paar|einigen|\\d+|zwei|drei|sechs)|im (?:januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember|fruhjahr|sommer|herbst|winter))"
  ],
  fr: [
    "pas (?:maintenant|pour (?:le moment|l'instant)|d'actualite|le (?:bon )?moment|en ce moment|cette annee|ce trimestre)",
    "(?:recontact|reven|relanc|rappel|reecri|reparl)\\w*[^.!?]{0,40}(?:plus tard|prochain\\w*|dans (?:quelques|\\d+|deux|trois|six)|en (?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)|a la rentree)"
  ],
  es: [
    "(?:ahora|por ahora|de momento|por el momento|en este momento|actualmente) (?:mismo )?no\\b|no (?:es )?(?:\\w+ )?(?:buen momento|el momento|ahora|en este momento|por ahora)",
    "(?:contact|escrib|habl|vuelv|retom)\\w*[^.!?]{0,40}(?:mas adelante|mas tarde|proxim\\w+|dentro de|en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|unos meses))"
  ],
  it: [
    "(?:non (?:\\w+ )?(?:ora|adesso|in questo momento|al momento)|(?:al|in questo|per il) momento (?:\\w+ ){0,2}non|non e (?:il )?(?:\\w+ )?momento)",
    "(?:ricontatt|riscriv|risent|ripar|contatt|scriv)\\w*[^.!?]{0,40}(?:piu avanti|piu tardi|prossim\\w+|tra (?:qualche|\\d+|due|tre|sei)|a (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre))"
  ],
  pt: [
    "(?:(?:de|neste|por|no) momento (?:\\w+ ){0,2}nao|nao (?:e )?(?:\\w+ )?(?:agora|neste momento|no momento|o momento|bom momento)|agora nao)",
    "(?:contact|contat|escrev|fal|volt|retom)\\w*[^.!?]{0,40}(?:mais tarde|mais para a frente|proxim\\w+|daqui a|em (?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro))"
  ],
  nl: [
    "(?:(?:op dit|dit) moment|momenteel|nu) (?:\\w+ ){0,3}(?:niet|geen)|niet (?:nu|op dit moment)|geen goed moment",
    "(?:later|volgend(?:e)? (?:jaar|kwartaal|maand)|over (?:een paar|enkele|\\d+|twee|drie|zes))[^.!?]{0,40}(?:weer|nog eens|opnieuw|contact|terug|mail)"
  ],
  pl: [
    "(?:nie (?:teraz|w tej chwili|obecnie)|(?:obecnie|w tej chwili|na razie|teraz) (?:\\w+ ){0,2}nie)",
    "(?:odezw|napisz|wroc|wroci|skontakt|zglos)\\w*[^.!?]{0,40}(?:pozniej|w (?:przyszlym|nastepnym|styczniu|lutym|marcu|kwietniu|maju|czerwcu|lipcu|sierpniu|wrzesniu|pazdzierniku|listopadzie|grudniu)|za (?:kilka|pare|\\d+|dwa|trzy|szesc))"
  ],
  sv: [
    "inte (?:just )?nu|inte (?:i dagslaget|for tillfallet)|(?:just nu|for tillfallet|i dagslaget) (?:\\w+ ){0,2}(?:inte|ingen)",
    "(?:hor av|aterkom|kontakta|skriv)[^.!?]{0,40}(?:senare|nasta (?:ar|kvartal|manad)|om (?:nagra|\\d+|tva|tre|sex)|i (?:januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december))"
  ]
}

/** A time to talk is proposed or asked for. */
export const MEETING: Phrases = {
  en: [
    "(?:book|schedule|set up|arrange|have|do|jump on|hop on|get on|grab|up for|open to|happy to|for) (?:a|an|some|\\d+)? ?(?:\\w+ )?(?:call|meeting|demo|chat|time|slot|zoom|coffee)\\b",
    "(?:send|share) (?:me |us |over )?(?:\\w+ )?(?:calendar|invite|times|availability|slots)",
    "(?:i'm|i am|we're|we are) (?:free|available) (?:on|at|next|this|tomorrow|from|after)",
    "(?:how about|does|would|works for me|call me|let's (?:talk|meet|speak))[^.!?]{0,30}\\b(?:monday|tuesday|wednesday|thursday|friday|tomorrow|next week|\\d{1,2} ?(?:am|pm)|\\d{1,2}:\\d\\d)"
  ],
  de: [
    "(?:termin|telefonat|gesprach|videocall|call|meeting|treffen)\\w* (?:\\w+ ){0,3}(?:vereinbaren|machen|ausmachen|vorschlagen|vor|finden)",
    "(?:rufen sie mich|passt (?:ihnen|es|mir)|wie ware es|hatten sie)[^.!?]{0,40}(?:montag|dienstag|mittwoch|donnerstag|freitag|morgen|nachste woche|\\d{1,2} uhr)",
    "(?:schlagen sie|schicken sie)[^.!?]{0,30}termin"
  ],
  fr: [
    "(?:rendez-vous|rdv|appel|reunion|visio|creneau)[^.!?]{0,40}(?:fix|prend|organis|cal|propos|plan|mardi|lundi|mercredi|jeudi|vendredi|demain|semaine)",
    "(?:fix|pren|organis|cal|propos|plan)\\w*[^.!?]{0,30}(?:rendez-vous|rdv|appel|reunion|visio|creneau)",
    "(?:disponible|appelez)[^.!?]{0,30}(?:lundi|mardi|mercredi|jeudi|vendredi|demain|semaine)"
  ],
  es: [
    "(?:agend|program|fij|concert|organi|reserv|propon|manten)\\w*[^.!?]{0,30}(?:reunion|llamada|cita|videollamada|demo)",
    "(?:reunion|llamada|videollamada|llameme|hablamos|disponible)[^.!?]{0,30}(?:lunes|martes|miercoles|jueves|viernes|manana|semana)"
  ],
  it: [
    "(?:fiss|organizz|programm|propon|pianific|sent)\\w*[^.!?]{0,30}(?:appuntamento|chiamata|call|incontro|riunione|telefonata|lunedi|martedi|mercoledi|giovedi|venerdi)",
    "(?:chiam|disponibil|libero|libera|incontr|call)\\w*[^.!?]{0,30}(?:lunedi|martedi|mercoledi|giovedi|venerdi|domani|settimana)"
  ],
  pt: [
    "(?:agend|marc|combin|propon)\\w*[^.!?]{0,30}(?:reuniao|chamada|call|conversa|demo|horario|videochamada)",
    "(?:ligue|disponivel|reuniao|conversar|falar)[^.!?]{0,30}(?:segunda|terca|quarta|quinta|sexta|amanha|semana)"
  ],
  nl: [
    "(?:afspraak|belafspraak|gesprek|meeting|call)[^.!?]{0,30}(?:maken|inplannen|plannen|doen|maandag|dinsdag|woensdag|donderdag|vrijdag|morgen)",
    "(?:plan|bel|beschikbaar|schikt|komt)[^.!?]{0,30}(?:afspraak|gesprek|maandag|dinsdag|woensdag|donderdag|vrijdag|morgen|volgende week)"
  ],
  pl: [
    "(?:umow|zaplanuj|ustal|zaproponuj|um[o]wimy)\\w*[^.!?]{0,30}(?:spotkani|rozmow|telefon|termin|call)",
    "(?:spotka|zadzwon|porozmawia|dostepn|pasuje)\\w*[^.!?]{0,30}(?:poniedzial|wtorek|srod|czwart|piatek|jutro|tygodni)"
  ],
  sv: [
    "(?:boka|bestam|satt|ordna)\\w*[^.!?]{0,30}(?:mote|samtal|demo|tid)",
    "(?:ring|traffas|prata|ledig|passar)[^.!?]{0,30}(?:mandag|tisdag|onsdag|torsdag|fredag|imorgon|i morgon|nasta vecka)"
  ]
}
