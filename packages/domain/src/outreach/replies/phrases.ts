/**
 * Phrases that express an intent, matched against folded text (`fold`): lower case, no diacritics, straight
 * apostrophes, single spaces. Grouped by language; a pattern's meaning is the list it is in.
 */

/** The normal form that the phrases match: lower case without diacritics, `ss` for the sharp s, single spaces. */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ø/g, "o")
    .replace(/ł/g, "l")
    .replace(/[‘’‛´`]/g, "'")
    .replace(/\s+/g, " ")
    .trim()

export type Phrases = Readonly<Record<string, ReadonlyArray<string>>>

/** The whole message is one of these, with at most a please or a thank-you. */
export const UNSUBSCRIBE_ALONE: Phrases = {
  en: ["remove(?: me)?", "stop(?: (?:it|this|e-?mails?|mails?|now))?", "opt[ -]?out", "take me off", "delete(?: me)?"],
  de: ["abmelden", "austragen", "abbestellen", "loschen", "stopp", "abmeldung"],
  fr: ["desabonne(?:r|ment|z-moi)", "desinscri(?:re|ption|vez-moi)", "stop (?:pub|sms)", "supprimer"],
  es: ["(?:dar(?:me)? de )?baja", "darse de baja", "cancelar suscripcion", "borrar", "eliminar"],
  it: ["disiscriv(?:imi|iti|etemi)", "cancell(?:ami|atemi|azione)", "rimuovi(?:mi)?", "basta"],
  nl: ["uitschrijven", "afmelden", "schrijf me uit", "verwijderen"],
  pt: ["descadastrar", "remover", "cancelar inscricao", "sair", "parar"],
  pl: ["wypisz(?: mnie)?", "wypisac", "usun(?:ac)?", "rezygnuje"],
  nordic: ["avregistrera", "avsluta", "afmeld", "meld av", "ta bort"]
}

const DATA_LAWS = "\\b(?:gdpr|dsgvo|rgpd|avg|rodo|lgpd|lopd)\\b"

export const UNSUBSCRIBE: Phrases = {
  all: [
    // However it is spelled.
    "(?<!(?:\\bnot|n't|dont|never) )uns\\w{0,3}cri\\w+(?! (?:link|button|header|feature|option|page|rate))",
    "(?:is|as|stop|no|ist|als|kein|c'est|du|comme|pas de|es|como|e|come|dit is|to|isto|ar|sluta|reines?|pure?) (?:\\w+ )?spam(?:m\\w*)?\\b(?![- ]?(?:folder|ordner|filter|map\\b|mapp|box|verdacht|\\?))",
    `${DATA_LAWS}[^.!?]{0,100}(?:delet|eras|remov|losch|verwijder|supprim|effac|elimin|borr|suprim|cancell|remov|apag|usun|radera)`,
    `(?:delet|eras|remov|losch|verwijder|supprim|effac|elimin|borr|suprim|cancell|apag|usun|radera)\\w*[^.!?]{0,100}${DATA_LAWS}`
  ],
  en: [
    "(?<!(?:\\bnot|n't|dont|never) )(?:remove|delete|erase|scrub|strike) (?:me|us|my (?:e-?mail|address|name|details|data|contact)\\w*|(?:both )?this (?:e-?mail|address))\\b.{0,60}(?:off|from|lists?|database|system|mailing|records)",
    "(?<!(?:\\bnot|n't|dont|never) )(?:take|get) (?:me|us|my (?:e-?mail|address|name|details|data|contact)\\w*)\\b[^.!?]{0,20}(?:\\boff\\b|out of your)",
    "(?:please|pls|kindly) (?:remove|delete|erase) (?:me|us|my\\b|our\\b|(?:both )?this (?:e-?mail|address)|[^.!?]{0,60}(?:lists?|address|data|details|records))",
    "(?:please|pls),? remove\\b",
    "(?<!(?:do not|don't|not|never) )take (?:me|us) off",
    "(?:lose|forget) (?:my|our) (?:e-?mail|address|number|details|contact)",
    "(?:stop|quit|refrain from) (?:\\w+ )?(?:e-?mailing|contacting|writing|messaging|spamming|sending|bothering|following up|reaching out|chasing)",
    "(?:stop|no) (?:these|those|this|the|your|all|with) (?:e-?mails?|mails?|messages?|spam|nonsense)",
    "(?:do not|don't|dont|never)(?: ever)? (?:e-?mail|contact|write|message|spam|follow up|reach out|chase|bother|send (?:me|us) (?:any|more|this|these|stuff|e-?mails?|messages?|mail))\\b(?!(?: \\w+){0,3} (?:until|before|on|in|with|about))",
    "opt (?:me |us )?out\\b",
    "no (?:more|further) (?:e-?mails?|messages?|mail|contact|outreach|follow[- ]?ups?)",
    "(?:don't|do not|no longer|not) (?:want|wish|care) to (?:receive|get|hear|be (?:contacted|e-?mailed|on))",
    "(?:don't|do not) want (?:any (?:more|further)|these|your|more) (?:of )?(?:\\w+ )?(?:e-?mails?|mails?|messages?|these|this)",
    "(?:make sure|ensure)[^.!?]{0,40}(?:don't|do not|never|no more|not) (?:get|receive|hear|contact|e-?mail)",
    "leave (?:me|us) (?:alone|be\\b|in peace)",
    "(?:report|block|flag)(?:ing|ed)? (?:you\\b|(?:this|your|it)[^.!?]{0,20}(?:spam|abuse|ico|ftc|authorit))",
    "cease (?:and desist|all|contact)"
  ],
  de: [
    "(?:nehmen|streichen|loschen|entfernen|tragen) sie (?:bitte )?(?:mich|uns|meine|unsere|diese)",
    "(?:losch|streich|entfern|nimm|nehmt)\\w*[^.!?]{0,40}(?:mein\\w*|unser\\w*|diese\\w*|aus (?:dem|der|ihrem|ihrer|eurem|eurer))[^.!?]{0,20}(?:adresse|daten\\b|verteiler|liste\\b|mailadresse|kontaktdaten|eintrag)",
    "(?:mich|uns|(?:meine|unsere) (?:mail\\w*|e-?mail\\w*|adresse|daten))\\b.{0,60}(?:aus (?:dem|ihrem|eurem|der|ihrer) (?:e-?mail-?)?(?:verteiler|liste|newsletter|datenbank|mailing)|austragen|abzumelden|abmelden|(?:zu )?loschen)",
    "(?:keine|nicht|kein) (?:weiteren?|mehr) (?:e-?mails?|mails?|nachrichten|werbung|anfragen|kontaktaufnahmen?|kontakt)",
    "kein(?:e|erlei)? (?:\\w+ ){0,2}(?:e-?mails?|mails?|nachrichten|werbung|werbemails?|post|anfragen|zusendung\\w*|kontakt\\w*)(?: \\w+){0,3} (?:mehr|erhalten|bekommen|zusenden|schicken|senden|erwunscht)",
    "nicht (?:mehr|weiter|wieder|erneut|nochmals?|noch (?:ein)?mal)(?: \\w+){0,3} (?:an(?:zu)?schreiben|(?:zu )?(?:kontaktieren|mailen|belastigen|melden|schreiben|nachfassen|behelligen|schicken|senden)|kontaktiert|angeschrieben|nachzufassen)",
    "nicht (?:mehr|weiter|wieder|erneut|nochmals?|noch (?:ein)?mal) (?:an(?:zu)?schreiben|zu kontaktieren|kontaktieren|mailen|belastigen|melden|schreiben|nachfassen|kontaktiert|angeschrieben)",
    "(?:lassen sie|lass|lasst)[^.!?]{0,15}(?:mich|uns)[^.!?]{0,15}(?:in ruhe|zufrieden)",
    "(?:horen sie|hort|hor) (?:\\w+ ){0,2}(?:endlich )?(?:damit )?auf",
    "verschonen sie",
    "(?:unterlassen sie|unterlassung|widerspreche ich|ich widerspreche|bundesnetzagentur|abmahn\\w*)"
  ],
  fr: [
    "(?:desinscri|desabonn)\\w*[- ](?:moi|nous|mon|notre)",
    "(?:me|nous) (?:desinscrire|desabonner|retirer)",
    "(?:retir|supprim|enlev|efface|radi)\\w*[- ](?:moi|nous|mon|notre|mes|cette|nos)\\b",
    "(?:retir|supprim|enlev|efface|radi)\\w*[^.!?]{0,40}(?:de (?:votre|vos|la|cette) (?:\\w+ )?(?:liste|base|fichier)|adresse|coordonnees|mes donnees)",
    "ne (?:plus|pas) (?:\\w+ )?(?:recevoir|etre (?:re)?contacte|m'ecrire|(?:me |nous )?(?:re)?(?:contacter|solliciter|relancer|deranger|importuner|ecrire))",
    "ne (?:souhait|veu|voul|desir)\\w+ (?:plus|pas|aucun\\w*)(?: \\w+){0,2} (?:recevoir|etre|que vous|entendre|mail|message|courriel|contact)",
    "ne (?:me|nous|m') ?(?:contact|recontact|ecri|envoy|sollicit|relanc|derang)\\w+ (?:plus|pas)",
    "n'insist\\w+ (?:pas|plus)",
    "(?:inutile (?:de |d')|evit\\w+ (?:de |d')|(?:merci|priere) de ne (?:pas|plus) )(?:me |nous |m')(?:relanc|recontact|re-?ecri|ecri|solliciter)\\w*",
    "(?:arretez|cessez|stoppez)(?: de (?:m'|me|nous)|[^.!?]{0,20}(?:mail|envoi|message|sollicitation|spam|\\bca\\b))",
    "(?:cesser|arreter|stopper|stop)(?: \\w+){0,2} (?:envois?|mails?|messages?|sollicitations?|courriels?|prospection|demarchage)",
    "(?:fich|fout|laiss)\\w*[- ](?:moi|nous) (?:la paix|tranquille)",
    "(?:je m'oppose|droit d'opposition|\\bcnil\\b)"
  ],
  es: [
    "(?:dar?|den|dame|deme|denme|denos|darme|darnos|quiero dar|solicit\\w*|pido|tramit\\w*)(?:me|nos|se)?(?: \\w+){0,2} (?:de|la) baja",
    "no (?:me|nos) (?:escrib|contact|envi|mand|molest|llam)\\w+ (?:mas|nunca)",
    "no (?:me|nos) (?:escriban?|contacten?|envien?|manden?|molesten?|llamen?)\\b",
    "no (?:me |nos )?(?:vuelv\\w+|volv\\w+|sigan?|siga|continuen?) (?:a )?(?:\\w+ )?(?:escrib|contact|envi|mand|molest|insist|llam)\\w*",
    "no insist\\w+",
    "(?:elimin|borr|quit|sac|retir|suprim)\\w+ [^.!?]{0,40}(?:lista|base de datos|correos?\\b|direccion|mis datos|nuestros datos|email|mail)",
    "(?:dej|par)\\w+ de (?:\\w+ )?(?:escrib|envi|contact|mand|molest|insist)\\w*",
    "dej\\w+ (?:en paz|tranquil\\w+)",
    "no (?:deseo|quiero|queremos|deseamos|quisiera|pretendo) (?:\\w+ )?(?:recibir|que (?:me|nos)|seguir recib|mas (?:correos|mensajes|emails|mails))",
    "(?:agencia (?:\\w+ )?de proteccion de datos|\\baepd\\b|(?:les|os|le) denunci\\w+)"
  ],
  it: [
    "(?:cancell|rimuov|rimoz|tog|elimin)\\w*[^.!?]{0,50}(?:\\blist|elenco|mailing|indirizz|database|contatt|dati|archiv|nominativ|rubrica)",
    "(?:cancellatemi|cancellami|rimuovetemi|rimuovimi|disiscrivetemi|disiscrivermi|toglietemi|toglimi)",
    "non (?:mi |ci )(?:ri)?(?:scriv|contatt)\\w+",
    "non (?:ri)?(?:contatt|scriv|invi|mand|disturb)\\w+(?: \\w+)? piu\\b",
    "non (?:ri)?(?:contattar|scriver|inviar|mandar|disturbar)(?:mi|ci|e)\\b",
    "non (?:desidero|voglio|desideriamo|vogliamo|intendo|intendiamo) (?:\\w+ )?(?:ricevere|essere|altr[ei])",
    "(?:la )?(?:smett(?:ete|etela|ila|a|erla)|piantatela|piantala)\\b",
    "basta (?:con |di )?(?:\\w+ )?(?:e-?mail|mail|messaggi|scriver|mandar|spam)",
    "(?:(?:mi|ci) lasci\\w*|lasci(?:atemi|ami|ateci|aci)) (?:in pace|stare)"
  ],
  nl: [
    "(?:schrijf|haal|verwijder|meld|gooi|wis)\\w* (?:alstublieft |aub |svp )?(?:mij|me|ons|mijn|onze|dit)\\b.{0,50}(?:uit|af|van|lijst|bestand|adres|gegevens)",
    "(?:mijn|onze|dit|mij|me|ons)\\b[^.!?]{0,30}(?:te )?(?:verwijderen|uitschrijven|uit te schrijven|afmelden|af te melden|wissen)",
    "geen (?:\\w+ )?(?:e-?mails?|mails?|berichten|reclame|post)(?: \\w+){0,3} (?:meer|ontvangen|sturen)",
    "niet (?:meer|opnieuw|nogmaals|weer)(?: \\w+){0,2} (?:te )?(?:mailen|contacteren|benaderen|schrijven|contact|sturen|benaderd|opnemen)",
    "niet meer (?:te )?(?:mailen|contacteren|benaderen|schrijven|contact)",
    "wil(?:len)? (?:\\w+ )?(?:geen|niet meer)[^.!?]{0,30}(?:ontvangen|benaderd|gecontacteerd|gemaild)",
    "stop (?:hier ?mee|er ?mee|met (?:\\w+ )?(?:mailen|sturen|dit|deze|mails?|berichten))",
    "(?:hou|houd)(?:t)? (?:\\w+ )?(?:hier|er) ?mee op|hou(?:d|dt)? op\\b",
    "laat (?:mij|me|ons) (?:\\w+ )?met rust"
  ],
  pt: [
    "(?<!nao (?:me |nos )?)(?:remov|retir|exclu|tir|apag|elimin|delet)\\w*(?:-me|-nos)?\\b.{0,40}(?:\\blista|\\bbase|cadastro|mailing|endereco|meus dados|nossos dados|e-?mail\\b)",
    "(?<!nao )(?:me|nos) (?:tir[ae]|remov[ae]|retir[ae]|exclu[ai]|apagu?[ae])m?\\b",
    "(?:tir|remov|retir)[ae]m?-(?:me|nos)",
    "descadastr\\w+ (?:me|meu|o meu|este)",
    "nao (?:me |nos )?(?:envi|contat|contact|escrev|mand)\\w*(?:-me|-nos)? mais",
    "nao (?:me |nos )?(?:volt\\w+|torn\\w+) a (?:me |nos )?(?:envi|contat|contact|escrev|mand)\\w*",
    "nao (?:quero|desejo|queremos|desejamos|pretendo|pretendemos|gostaria de) (?:\\w+ )?(?:receber|ser contact|ser contat|mais (?:e-?mails?|mensagens))",
    "(?:para|pare|parem|deixa|deixe|deixem|chega) (?:ja )?(?:de|com) (?:me |nos )?(?:\\w+ )?(?:envi|escrev|contat|contact|mand|chate|insist|e-?mails?|mensagens)\\w*",
    "(?:deix\\w+)(?:-me|-nos)? em paz"
  ],
  nordic: [
    "(?:ta|tag|plocka) bort (?:mig|oss|min\\b|mina|var\\b|vara)",
    "(?:inga|ikke|ingen|inte) (?:\\w+ )?(?:fler|flere|mer|mere)(?: \\w+)? (?:mail|mejl|e-?post|utskick|meddelanden|brev)",
    "vill inte (?:\\w+ )?(?:ha|fa|ta emot|bli)[^.!?]{0,30}(?:mail|mejl|utskick|e-?post|meddelanden|kontaktad)",
    "sluta (?:\\w+ )?(?:mejla|maila|skriva|skicka|kontakta|spamma|hora)",
    "(?:kontakta|mejla|maila|skriv)(?: \\w+){0,2} (?:inte|aldrig) (?:mer|igen|langre)",
    "(?:inte|aldrig) (?:\\w+ )?(?:kontakta|mejla|maila|hora|skriva|skicka)[^.!?]{0,25}(?:igen|mer|langre)",
    "lamna (?:mig|oss) (?:i fred|ifred)",
    "(?:avregistrera|avprenumerera|radera) (?:mig|oss|min|mina)",
    "(?:fjern|slet) (?:mig|meg|oss|os)"
  ],
  pl: [
    "(?:wypis|usun|skasuj|skasow|wykresl)\\w*[^.!?]{0,40}(?:\\blist|\\bbaz|adres|dane\\b|danych|mnie\\b|nas\\b)",
    "nie zycz\\w+ sobie",
    "prosze (?:\\w+ ){0,4}nie (?:\\w+ )?(?:pis|kontakt|wysyl|przysyl)\\w*",
    "(?:wiecej|juz) (?:\\w+ ){0,3}nie (?:pis|kontakt|wysyl|przysyl)\\w*",
    "nie (?:pisz|kontaktuj|wysylaj|przysylaj)\\w*(?: \\w+){0,3} (?:wiecej|juz)",
    "przestan\\w* (?:\\w+ )?(?:pis|wysyl|kontakt|spam|przysyl)\\w*",
    "nie chc\\w+ (?:\\w+ ){0,2}(?:otrzymywac|dostawac|wiecej)",
    "daj\\w* (?:mi |nam )?(?:\\w+ )?spokoj",
    "(?:wnosze|zglaszam) sprzeciw"
  ]
}

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
