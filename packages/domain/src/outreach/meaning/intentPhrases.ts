import type { Phrases } from "./phrases.js"

/** Phrases of what a reply wants beyond a yes or a no, matched against folded text (`fold`). */

/** The writer is not who decides, or no longer there. */
export const WRONG_PERSON: Phrases = {
  en: [
    "(?:left|leaving) (?:the|this|our) (?:company|business|organi[sz]ation|firm|team)|(?:i'm|i am|i have|i've|has|have) (?:\\w+ )?(?:retired|moved (?:on|to another))|mistaken me|(?:another|a different) (?:\\w+ )?(?:person|one)\\b|you (?:meant|mean|must mean)|not my (?:call|decision|job|field)|(?:passed|forwarded|sent) (?:it|this|your \\w+) (?:on |along )?to|(?:i'm|i am) (?:only|just) (?:an?|the) (?:intern|apprentice|trainee|assistant|temp)",

    "(?:not|n't) (?:the )?(?:right|correct|best) (?:person|contact|one)",
    "wrong (?:person|contact|department|address)",
    "(?:no longer|not) (?:work|working|employed|with|responsible|in charge|handle|handling|deal|dealing|my (?:area|department|responsibility))",
    "(?:don't|do not) (?:handle|deal with|look after|decide)"
  ],
  de: [
    "verwechsel\\w*|in rente|im ruhestand|(?:nicht )?in (?:meinen|unseren) bereich|(?:weiter(?:ge(?:leitet|geben)|reichen))\\b|(?:nur|bloss) (?:die|der) (?:auszubildende|azubi|praktikant\\w*|aushilfe)|entscheide (?:ich |sowas |das |so etwas )*nicht|(?:das|da) (?:macht|entscheidet|liegt bei)|nicht mehr (?:bei uns|hier|im haus)|(?:hat|haben) (?:\\w+ ){0,3}(?:verlassen|gewechselt)",

    "nicht (?:der|die) (?:richtige|zustandige)",
    "falsche[rn]? (?:ansprechpartner\\w*|person|adresse|kontakt)",
    "nicht (?:mehr )?(?:zustandig|verantwortlich|im unternehmen|bei)",
    "arbeite nicht mehr"
  ],
  fr: [
    "(?:a|en) (?:la )?retraite|(?:ai|a) (?:change de poste|quitte (?:la|l'|notre))|n'est plus (?:chez|dans|la\\b)|(?:confond\\w*|trompe\\w*|erreur de (?:personne|destinataire))|(?:transmis|transfere|fait suivre) (?:\\w+ ){0,3}(?:a|au|aux)\\b|pas moi qui|c'est (?:le|la|l') ?service|ne decide pas|(?:stagiaire|apprenti\\w*|alternant\\w*)",

    "pas (?:la bonne personne|le bon (?:contact|interlocuteur)|la bonne interlocutrice|en charge|responsable|mon domaine)",
    "mauvais(?:e)? (?:personne|interlocut\\w+|contact)",
    "ne (?:travaille|m'occupe|fais) (?:plus|pas)"
  ],
  es: [
    "(?:me )?jubil\\w+|ya no (?:esta|trabaja|forma)|(?:se ha )?(?:equivocad\\w|confund\\w+)|(?:reenviado|pasado|remitido) (?:\\w+ ){0,2}(?:a|al)\\b|(?:lo|la|eso) (?:lleva|llevan|decide|deciden|gestiona)|(?:becari|practicas)|no (?:es|entra en) mi (?:area|departamento|tema)",

    "no soy (?:la persona|el (?:contacto|responsable)|la responsable|quien)",
    "persona equivocada",
    "(?:ya )?no (?:trabajo|me encargo|llevo|me ocupo)"
  ],
  it: [
    "in pensione|(?:non lavora|non e) piu|(?:ha|ho) (?:lasciato|cambiato)|(?:sbaglia\\w*|confond\\w+|scambiat\\w)|(?:inoltrat\\w|girat\\w|passat\\w) (?:\\w+ ){0,2}(?:a|al|alla|all')|(?:se ne|di (?:questo|queste cose|cio)|ci) (?:\\w+ )?(?:occupa|pensa)|(?:stagista|tirocinante|apprendista)|decid\\w+ (?:altri|loro|l'ufficio)",

    "non sono (?:la persona|il (?:contatto|referente|responsabile)|io)",
    "persona sbagliata",
    "non (?:lavoro piu|mi occupo|sono responsabile|seguo)"
  ],
  pt: [
    "(?:aposent\\w+|reform(?:ei|ado|ada))|(?:ja )?nao (?:esta|faz parte|pertence|trabalha)|(?:enganou|enganad\\w|confund\\w+)|encaminh\\w+ (?:\\w+ ){0,2}(?:para|ao|a)\\b|quem (?:trata|decide|cuida)|(?:estagiari|aprendiz)|saiu da (?:empresa|equipa|equipe)",

    "nao sou (?:a pessoa|o (?:contato|contacto|responsavel)|a responsavel|eu)",
    "pessoa errada",
    "(?:ja )?nao (?:trabalho|trato|sou responsavel|cuido)"
  ],
  nl: [
    "met pensioen|(?:werkt|werk|is) (?:\\w+ ){0,4}niet meer (?:bij|in|hier)?|(?:vergis\\w*|verwar\\w*)|(?:doorgestuurd|doorgegeven|doorgezet) (?:naar|aan)|(?:ligt|zit|hoort) (?:\\w+ )?bij (?:de|het|onze)? ?(?:afdeling)?|(?:stagiair\\w*|uitzendkracht)|ga ik niet over|beslis (?:ik )?niet|andere functie",

    "niet de (?:juiste|goede) (?:persoon|contactpersoon)",
    "verkeerde (?:persoon|contact\\w*)",
    "niet (?:meer )?(?:werkzaam|verantwoordelijk)",
    "werk (?:hier )?niet meer"
  ],
  pl: [
    "na emerytur\\w+|(?:juz )?(?:nie pracuje|odszedl|odeszla)|pomyli\\w+|przekaz\\w+ (?:\\w+ ){0,3}do\\b|(?:raczej|to) do dzialu|(?:stazyst|praktykant)\\w*|nie (?:ja|moja) (?:decyd|dzial)|(?:oni|dzial \\w+) (?:o tym )?decyd",

    "nie jestem (?:wlasciwa|odpowiednia|osoba)",
    "niewlasciwa osoba",
    "(?:juz )?nie (?:pracuje|zajmuje sie|odpowiadam)"
  ],
  sv: [
    "(?:har|hon|han) (?:slutat|gatt i pension)|i pension|(?:slutat|jobbar inte) (?:hos|har|kvar)|(?:forvaxl\\w+|fel (?:mottagare|adress))|skickat (?:det |detta )?vidare|(?:det ar )?(?:de|dom|nagon annan) som bestammer|(?:praktikant|larling)|inte mitt (?:omrade|bord)",

    "(?:inte|ej) (?:ratt|den ratta) person",
    "fel person",
    "(?:arbetar|jobbar) inte (?:langre|kvar|med)",
    "inte ansvarig"
  ]
}

/** The writer names who should be asked. Counts only with an address. */
export const REFERRAL: Phrases = {
  en: [
    "you want|now (?:looks|handles|does|runs|owns)|goes? to|send (?:\\w+ )?to|address for|try\\b",

    "(?:contact|reach(?: out)?(?: to)?|write to|e-?mail|speak (?:to|with)|talk to|ask|try|forward\\w*|loop\\w* in|copied|cc'?(?:d|ing)?|best person|right person|colleague|in charge|responsible)\\b"
  ],
  de: [
    "versuchen sie|bitte an\\b|an unsere|adresse|ansprech\\w+|ist jetzt",

    "(?:wenden sie sich|kontaktieren|schreiben sie|kolleg\\w+|zustandig\\w*|ansprechpartner\\w*|weitergeleitet|leite|in kopie|melden sie sich)"
  ],
  fr: [
    "a repris|pass\\w+ par|voyez (?:avec|plutot)|essay\\w+",
    "(?:contact\\w+|adress\\w+|ecri\\w+|collegue|responsable|interlocut\\w+|transmets|transfere|en copie)"
  ],
  es: [
    "habl\\w+ con|prueb\\w+|se envian|envi\\w+ a\\b|lo lleva",
    "(?:contact\\w+|escrib\\w+|dirij\\w+|companer\\w+|responsable|reenvi\\w+|copio|en copia)"
  ],
  it: [
    "prov[ia]|l'indirizzo|parl\\w+ con|se ne occupa",
    "(?:contatt\\w+|scriv\\w+|rivolg\\w+|collega|responsabile|inoltr\\w+|in copia)"
  ],
  pt: [
    "tente|experimente|quem (?:trata|cuida)|envi\\w+ para",
    "(?:contact\\w+|contat\\w+|escrev\\w+|fale|falar|colega|responsavel|encaminh\\w+|em copia)"
  ],
  nl: [
    "probeer|moet (?:je|u) (?:bij|zijn)|terecht bij|doet dit|bij \\w+ \\w+ zijn",
    "(?:contact opnemen|neem contact|mail\\w*|collega|verantwoordelijk\\w*|doorgestuurd|in cc)"
  ],
  pl: [
    "sprobow\\w+|pod adres\\w*|prosze pisac|zajmuje sie",
    "(?:kontakt\\w*|napis\\w+|koleg\\w+|kolezank\\w+|odpowiedzialn\\w+|przekaz\\w+|do wiadomosci)"
  ],
  sv: [
    "testa\\b|prova\\b|skicka till|tar hand om",
    "(?:kontakta|skriv till|kollega|ansvarig|vidarebefordra\\w*|mejla|maila)"
  ]
}

/** Perhaps later. */
export const NOT_NOW: Phrases = {
  en: [
    "budget(?:'s|s| is| has been)? (?:\\w+ )?(?:gone|spent|frozen|closed)|(?:happy to |let's |can )?(?:look|talk|revisit|pick)[^.!?]{0,30} again|(?:contract|agreement|licen[cs]e)[^.!?]{0,60}(?:until|runs|through|till)|give me (?:a few|some|two|three|\\d+) (?:weeks|months)|get in touch again|on (?:hold|ice)|(?:i|we)(?:'ll| will) (?:get back|come back|be in touch|let you know)|(?:ask|try|ping|write|call) (?:me )?again (?:in|after|next)|not (?:before|until)|postponed",

    "not (?:right |just )?now\\b|not at (?:this|the) (?:time|moment|stage|point)|not (?:this|a good) (?:time|quarter|month|year|moment)|(?:bad|wrong) time",
    "(?:maybe|perhaps|try|reach out|check back|come back|follow up|circle back|contact me|write me|get back to (?:me|us)|ping me|revisit|touch base|reconnect|speak|talk)[^.!?]{0,40}\\b(?:again |back )?(?:later|next (?:year|quarter|month|spring|summer|autumn|fall|winter)|in (?:a few|some|\\d+|two|three|six) (?:weeks|months)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4])|after (?:the )?(?:summer|holidays|new year|budget))",
    "(?:too busy|no budget|budget is (?:gone|spent|frozen)|busy) (?:right now|at the moment|this (?:year|quarter|month)|until)"
  ],
  de: [
    "auf eis|verschoben|(?:vertrag|vertraglich)[^.!?]{0,60}(?:bis|lauft|gebunden)|(?:komme?n?|melde|melden) (?:ich |wir )?(?:mich |uns )?(?:\\w+ ){0,3}(?:auf sie zu|zuruck|wieder|dann)|budget\\w* (?:\\w+ ){0,4}(?:aufgebraucht|erschopft|weg|verplant|stopp)|budgetstopp|(?:frag|meld|schreib|ruf)\\w*[^.!?]{0,50}(?:noch ?(?:ein)?mal|wieder|erneut)|(?:nach|ab|erst|bis) (?:dem |den |zum |der )?(?:sommer\\w*|urlaub|quartal|jahreswechsel|messe|herbst|fruhjahr|winter)|erst (?:mal|intern|klaren)|gebt? mir",

    "(?:derzeit|momentan|aktuell|im moment|zurzeit|zur zeit|gerade) (?:\\w+ ){0,3}(?:nicht|kein\\w*)",
    "(?:spater|nachste[ns] (?:jahr|quartal|monat)|in (?:ein paar|einigen|\\d+|zwei|drei|sechs) (?:wochen|monaten)|ab (?:januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember))[^.!?]{0,40}(?:wieder|noch ?(?:ein)?mal|melden|erneut|sprechen|nach)",
    "(?:melden|schreiben|fragen|kommen) sie (?:sich )?[^.!?]{0,30}(?:spater|nachste[ns]|in (?:ein paar|einigen|\\d+|zwei|drei|sechs)|im (?:januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember|fruhjahr|sommer|herbst|winter))"
  ],
  fr: [
    "pas avant|repousse|reporte|en (?:suspens|pause|stand-?by)|(?:contrat|engage)\\w*[^.!?]{0,50}jusqu|(?:revien\\w*|recontact\\w*|relanc\\w*|reparl\\w*|revoi\\w*)[^.!?]{0,50}(?:a partir|apres|en |dans|rentree|prochain|janvier|\\d)|je (?:vous|te) (?:recontacte|reviens|tiens au courant|fais signe)|budget (?:\\w+ ){0,3}(?:epuise|boucle|gele|consomme)|laissez-moi (?:quelques|deux|trois)|trop tot",

    "pas (?:maintenant|pour (?:le moment|l'instant)|d'actualite|le (?:bon )?moment|en ce moment|cette annee|ce trimestre)",
    "(?:recontact|reven|relanc|rappel|reecri|reparl)\\w*[^.!?]{0,40}(?:plus tard|prochain\\w*|dans (?:quelques|\\d+|deux|trois|six)|en (?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)|a la rentree)"
  ],
  es: [
    "aparcad\\w|pospuest\\w|aplazad\\w|en pausa|(?:contrato|acuerdo)[^.!?]{0,60}hasta|(?:te|le|os) (?:aviso|aviso|contacto|escribo) (?:cuando|en cuanto)|(?:vuelv|busca|escrib|contact|habl|llam)\\w*[^.!?]{0,40}(?:a partir|despues|en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sept|oct|nov|dic|otono|primavera|verano|invierno)|tras|meses)|presupuesto (?:\\w+ ){0,3}(?:agotad|cerrad|gastad)|d[ea]me (?:unos|un par|dos|tres)|mas adelante",

    "(?:ahora|por ahora|de momento|por el momento|en este momento|actualmente) (?:mismo )?no\\b|no (?:es )?(?:\\w+ )?(?:buen momento|el momento|ahora|en este momento|por ahora)",
    "(?:contact|escrib|habl|vuelv|retom)\\w*[^.!?]{0,40}(?:mas adelante|mas tarde|proxim\\w+|dentro de|en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|unos meses))"
  ],
  it: [
    "tutto fermo|rimandat\\w|rinviat\\w|in pausa|(?:contratto|vincolat\\w|fornitore)[^.!?]{0,40}fino a|(?:ris(?:entiamoci|enti\\w*)|riparl\\w+|ricontatt\\w+|ci aggiorniamo)[^.!?]{0,50}|(?:le|ti|vi) (?:faccio|faro|faremo) sapere|budget (?:\\w+ ){0,3}(?:finit|esaurit|chius)|mi dia (?:qualche|un paio|due|tre)|piu avanti|dopo (?:l'estate|le ferie)",

    "(?:non (?:\\w+ )?(?:ora|adesso|in questo momento|al momento)|(?:al|in questo|per il) momento (?:\\w+ ){0,2}non|non e (?:il )?(?:\\w+ )?momento)",
    "(?:ricontatt|riscriv|risent|ripar|contatt|scriv)\\w*[^.!?]{0,40}(?:piu avanti|piu tardi|prossim\\w+|tra (?:qualche|\\d+|due|tre|sei)|a (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre))"
  ],
  pt: [
    "nao e (?:boa|uma boa) (?:altura|hora)|adiad\\w|em (?:pausa|espera|stand)|(?:contrato)[^.!?]{0,60}ate|daqui a|(?:da|de)-?me (?:uns|alguns)|me da (?:uns|alguns|um)|(?:eu )?(?:aviso|retorno|entro em contato|entro em contacto) (?:quando|assim)|(?:orcamento|verba) (?:\\w+ ){0,4}(?:acab|esgot|fech|congel)|(?:volt|fal|procur|contat|contact)\\w*[^.!?]{0,40}(?:depois|apos|a partir|em (?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|set|out|nov|dez))",

    "(?:(?:de|neste|por|no) momento (?:\\w+ ){0,2}nao|nao (?:e )?(?:\\w+ )?(?:agora|neste momento|no momento|o momento|bom momento)|agora nao)",
    "(?:contact|contat|escrev|fal|volt|retom)\\w*[^.!?]{0,40}(?:mais tarde|mais para a frente|proxim\\w+|daqui a|em (?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro))"
  ],
  nl: [
    "ijskast|uitgesteld|on hold|in de wacht|(?:contract)[^.!?]{0,50}(?:tot|loopt)|(?:trek|bel|meld|neem) (?:\\w+ ){0,3}(?:zelf|contact|terug|aan de bel)[^.!?]{0,20}(?:zodra|als|wanneer)|budget (?:\\w+ ){0,4}(?:op\\b|besteed|bevroren)|geef me (?:een paar|enkele|twee|drie)|(?:na|vanaf|tot|in) (?:de )?(?:zomer|vakantie|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|najaar|voorjaar)[^.!?]{0,40}(?:weer|kijken|contact|terug|praten)|nog te vroeg",

    "(?:(?:op dit|dit) moment|momenteel|nu) (?:\\w+ ){0,3}(?:niet|geen)|niet (?:nu|op dit moment)|geen goed moment",
    "(?:later|volgend(?:e)? (?:jaar|kwartaal|maand)|over (?:een paar|enkele|\\d+|twee|drie|zes))[^.!?]{0,40}(?:weer|nog eens|opnieuw|contact|terug|mail)"
  ],
  pl: [
    "zawieszon\\w|odlozon\\w|wstrzyman\\w|(?:umow\\w+)[^.!?]{0,60}(?:do konca|obowiazuje|do)|(?:dam|damy) znac|(?:dac|daj|dajcie)\\w* (?:mi |nam )?(?:kilka|pare|troche)|nie jest dobry (?:moment|czas)|za (?:pol roku|kwartal|rok|jakis czas|kilka|pare)|budzet (?:\\w+ ){0,3}(?:wyczerpan|zamkn|wykorzystan)|(?:przypomni|odezw|wroc|zglos)\\w*[^.!?]{0,40}(?:jesien|wiosn|lat|zim|po (?:wakacj|urlop)|w (?:nowym|przyszlym)|od \\d)",

    "(?:nie (?:teraz|w tej chwili|obecnie)|(?:obecnie|w tej chwili|na razie|teraz) (?:\\w+ ){0,2}nie)",
    "(?:odezw|napisz|wroc|wroci|skontakt|zglos)\\w*[^.!?]{0,40}(?:pozniej|w (?:przyszlym|nastepnym|styczniu|lutym|marcu|kwietniu|maju|czerwcu|lipcu|sierpniu|wrzesniu|pazdzierniku|listopadzie|grudniu)|za (?:kilka|pare|\\d+|dwa|trzy|szesc))"
  ],
  sv: [
    "(?:ligger )?pa is|skjut\\w+ upp|pausat|(?:avtal|kontrakt)\\w*[^.!?]{0,60}(?:till|lop)|hor av (?:mig|oss|dig|er)[^.!?]{0,40}(?:nar|efter|i |om |senare)|budget\\w* (?:\\w+ ){0,4}(?:slut|forbrukad|fryst)|ge mig (?:nagra|ett par|tva|tre)|(?:aterkom|ta upp|prata|hor av)\\w*[^.!?]{0,40}(?:efter|fran|igen|sen\\b|i (?:januari|februari|mars|april|maj|juni|juli|aug|sep|okt|nov|dec|host|var))|fullt upp",

    "inte (?:just )?nu|inte (?:i dagslaget|for tillfallet)|(?:just nu|for tillfallet|i dagslaget) (?:\\w+ ){0,2}(?:inte|ingen)",
    "(?:hor av|aterkom|kontakta|skriv)[^.!?]{0,40}(?:senare|nasta (?:ar|kvartal|manad)|om (?:nagra|\\d+|tva|tre|sex)|i (?:januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december))"
  ]
}

/** A time to talk is proposed or asked for. */
export const MEETING: Phrases = {
  en: [
    "(?:let's|lets|can we|could we|shall we|we should|happy to|glad to|would love to) (?:\\w+ ){0,2}(?:talk|meet|speak|chat|jump|hop|catch up|connect)\\b",
    "(?:give|drop) me a (?:ring|call|bell)|call me\\b|calendly|calendar (?:link|invite)",
    "(?:free|works|good|can do|could do|suits)[^.!?]{0,40}(?:monday|tuesday|wednesday|thursday|friday)|(?:monday|tuesday|wednesday|thursday|friday)[^.!?]{0,40}(?:free|works|good|can do|could do|suits|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:book|schedule|set up|arrange|have|do|jump on|hop on|get on|grab|up for|open to|happy to|for) (?:a|an|some|\\d+)? ?(?:\\w+ )?(?:call|meeting|demo|chat|time|slot|zoom|coffee)\\b",
    "(?:send|share) (?:me |us |over )?(?:\\w+ )?(?:calendar|invite|times|availability|slots)",
    "(?:i'm|i am|we're|we are) (?:free|available) (?:on|at|next|this|tomorrow|from|after)",
    "(?:how about|does|would|works for me|call me|let's (?:talk|meet|speak))[^.!?]{0,30}\\b(?:monday|tuesday|wednesday|thursday|friday|tomorrow|next week|\\d{1,2} ?(?:am|pm)|\\d{1,2}:\\d\\d)"
  ],
  de: [
    "(?:lassen sie uns|lass uns|konnen wir|konnten wir|wollen wir|sollen wir|gerne?) (?:\\w+ ){0,4}(?:telefonieren|sprechen|treffen|reden|austauschen)",
    "rufen sie (?:mich )?(?:\\w+ )?an|ruf(?:t)? mich|calendly|kalender\\w*",
    "(?:passt|geht|konnte|frei|zeit|telefon\\w+)[^.!?]{0,40}(?:montag|dienstag|mittwoch|donnerstag|freitag)|(?:montag|dienstag|mittwoch|donnerstag|freitag)[^.!?]{0,40}(?:passt|geht|konnte|frei|zeit|telefon\\w+|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:termin|telefonat|gesprach|videocall|call|meeting|treffen)\\w* (?:\\w+ ){0,3}(?:vereinbaren|machen|ausmachen|vorschlagen|vor|finden)",
    "(?:rufen sie mich|passt (?:ihnen|es|mir)|wie ware es|hatten sie)[^.!?]{0,40}(?:montag|dienstag|mittwoch|donnerstag|freitag|morgen|nachste woche|\\d{1,2} uhr)",
    "(?:schlagen sie|schicken sie)[^.!?]{0,30}termin"
  ],
  fr: [
    "on (?:\\w+ )?(?:s'appelle|se parle|se voit|se rencontre|en parle)|(?:parlons|discutons|echangeons)|(?:peut|peuvent|pouvons)[^.!?]{0,20}(?:parler|rencontrer|voir|appeler)",
    "appel\\w+[- ]moi|calendly|agenda",
    "(?:dispo\\w*|convient|je peux|ca vous va|ca me va|cafe|visio|telephon\\w+)[^.!?]{0,40}(?:lundi|mardi|mercredi|jeudi|vendredi)|(?:lundi|mardi|mercredi|jeudi|vendredi)[^.!?]{0,40}(?:dispo\\w*|convient|je peux|ca vous va|ca me va|cafe|visio|telephon\\w+|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:rendez-vous|rdv|appel|reunion|visio|creneau)[^.!?]{0,40}(?:fix|prend|organis|cal|propos|plan|mardi|lundi|mercredi|jeudi|vendredi|demain|semaine)",
    "(?:fix|pren|organis|cal|propos|plan)\\w*[^.!?]{0,30}(?:rendez-vous|rdv|appel|reunion|visio|creneau)",
    "(?:disponible|appelez)[^.!?]{0,30}(?:lundi|mardi|mercredi|jeudi|vendredi|demain|semaine)"
  ],
  es: [
    "(?:hablamos|hablemos|quedamos|quedemos|nos vemos|nos llamamos|veamonos)\\b|(?:podemos|podriamos|te parece si) (?:\\w+ )?(?:habl|ver|reuni|qued)\\w+",
    "llama(?:me|dme)|calendly|agenda",
    "(?:te va|le va|me va|puedo|libre|dispon\\w+|quedar|cafe)[^.!?]{0,40}(?:lunes|martes|miercoles|jueves|viernes)|(?:lunes|martes|miercoles|jueves|viernes)[^.!?]{0,40}(?:te va|le va|me va|puedo|libre|dispon\\w+|quedar|cafe|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:agend|program|fij|concert|organi|reserv|propon|manten)\\w*[^.!?]{0,30}(?:reunion|llamada|cita|videollamada|demo)",
    "(?:reunion|llamada|videollamada|llameme|hablamos|disponible)[^.!?]{0,30}(?:lunes|martes|miercoles|jueves|viernes|manana|semana)"
  ],
  it: [
    "(?:sentiamoci|vediamoci|ci sentiamo|ci vediamo|parliamone|incontriamoci)\\b|(?:possiamo|potremmo) (?:\\w+ )?(?:sentir|veder|parlar|incontrar)\\w+",
    "(?:mi )?chiam(?:i|ami|atemi)|calendly|prenotare|agenda",
    "(?:va bene|posso|liber\\w|dispon\\w+|caffe)[^.!?]{0,40}(?:lunedi|martedi|mercoledi|giovedi|venerdi)|(?:lunedi|martedi|mercoledi|giovedi|venerdi)[^.!?]{0,40}(?:va bene|posso|liber\\w|dispon\\w+|caffe|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:fiss|organizz|programm|propon|pianific|sent)\\w*[^.!?]{0,30}(?:appuntamento|chiamata|call|incontro|riunione|telefonata|lunedi|martedi|mercoledi|giovedi|venerdi)",
    "(?:chiam|disponibil|libero|libera|incontr|call)\\w*[^.!?]{0,30}(?:lunedi|martedi|mercoledi|giovedi|venerdi|domani|settimana)"
  ],
  pt: [
    "(?:vamos (?:falar|marcar|conversar|reunir)|falamos|conversamos)\\b|(?:podemos|poderiamos) (?:\\w+ )?(?:falar|conversar|reunir|encontrar)\\w*",
    "(?:me )?lig(?:a|ue)(?:-me)?|calendly|agenda\\b",
    "(?:funciona|pode ser|posso|livre|dispon\\w+|convite|cafe)[^.!?]{0,40}(?:segunda|terca|quarta|quinta|sexta)|(?:segunda|terca|quarta|quinta|sexta)[^.!?]{0,40}(?:funciona|pode ser|posso|livre|dispon\\w+|convite|cafe|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:agend|marc|combin|propon)\\w*[^.!?]{0,30}(?:reuniao|chamada|call|conversa|demo|horario|videochamada)",
    "(?:ligue|disponivel|reuniao|conversar|falar)[^.!?]{0,30}(?:segunda|terca|quarta|quinta|sexta|amanha|semana)"
  ],
  nl: [
    "(?:laten we|zullen we|kunnen we|wil je|wilt u) (?:\\w+ ){0,4}(?:bellen|spreken|praten|afspreken|langskomen)",
    "bel me|agenda\\b|calendly",
    "(?:schikt|past|kan ik|vrij|beschikbaar|komt \\w+ uit|koffie)[^.!?]{0,40}(?:maandag|dinsdag|woensdag|donderdag|vrijdag)|(?:maandag|dinsdag|woensdag|donderdag|vrijdag)[^.!?]{0,40}(?:schikt|past|kan ik|vrij|beschikbaar|komt \\w+ uit|koffie|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:afspraak|belafspraak|gesprek|meeting|call)[^.!?]{0,30}(?:maken|inplannen|plannen|doen|maandag|dinsdag|woensdag|donderdag|vrijdag|morgen)",
    "(?:plan|bel|beschikbaar|schikt|komt)[^.!?]{0,30}(?:afspraak|gesprek|maandag|dinsdag|woensdag|donderdag|vrijdag|morgen|volgende week)"
  ],
  pl: [
    "(?:porozmawiajmy|zdzwonmy sie|spotkajmy sie)|(?:mozemy|mozna|moglibysmy) (?:\\w+ ){0,2}(?:porozmawiac|spotkac|zdzwonic)",
    "(?:prosze )?(?:o telefon|zadzwon\\w*)|kalendarz\\w*|calendly",
    "(?:pasuje|odpowiada|moge|wolny|wolna|dostepn\\w+|kaw\\w+)[^.!?]{0,40}(?:poniedzial\\w+|wtor\\w+|srod\\w+|czwart\\w+|piat\\w+)|(?:poniedzial\\w+|wtor\\w+|srod\\w+|czwart\\w+|piat\\w+)[^.!?]{0,40}(?:pasuje|odpowiada|moge|wolny|wolna|dostepn\\w+|kaw\\w+|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:umow|zaplanuj|ustal|zaproponuj|um[o]wimy)\\w*[^.!?]{0,30}(?:spotkani|rozmow|telefon|termin|call)",
    "(?:spotka|zadzwon|porozmawia|dostepn|pasuje)\\w*[^.!?]{0,30}(?:poniedzial|wtorek|srod|czwart|piatek|jutro|tygodni)"
  ],
  sv: [
    "(?:vi kan|kan vi|ska vi|lat oss) (?:\\w+ ){0,3}(?:prata|ses|horas|traffas|ringas)",
    "ring (?:mig|garna)|calendly|kalender\\w*|kallelse",
    "(?:passar|kan jag|ledig|funkar|ses\\b|fika|kaffe|samtal)[^.!?]{0,40}(?:mandag|tisdag|onsdag|torsdag|fredag)|(?:mandag|tisdag|onsdag|torsdag|fredag)[^.!?]{0,40}(?:passar|kan jag|ledig|funkar|ses\\b|fika|kaffe|samtal|\\d{1,2}(?:[:h]\\d\\d| ?(?:uhr|am\\b|pm\\b|h\\b)))",

    "(?:boka|bestam|satt|ordna)\\w*[^.!?]{0,30}(?:mote|samtal|demo|tid)",
    "(?:ring|traffas|prata|ledig|passar)[^.!?]{0,30}(?:mandag|tisdag|onsdag|torsdag|fredag|imorgon|i morgon|nasta vecka)"
  ]
}
