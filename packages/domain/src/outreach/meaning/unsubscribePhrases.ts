import type { Phrases } from "./phrases.js"

/** Requests not to be written to again, matched against folded text (`fold`). They suppress their writer for good. */

/** The whole message is one of these, with at most a please or a thank-you. */
export const UNSUBSCRIBE_ALONE: Phrases = {
  en: [
    "unsub",
    "spam",
    "remove(?: me)?",
    "stop(?: (?:it|this|e-?mails?|mails?|now))?",
    "opt[ -]?out",
    "take me off",
    "delete(?: me)?"
  ],
  de: ["abmelden", "austragen", "abbestellen", "loschen", "stopp", "abmeldung"],
  fr: ["desabonne(?:r|ment|z-moi)", "desinscri(?:re|ption|vez-moi)", "stop (?:pub|sms)", "supprimer"],
  es: ["(?:dar(?:me)? de )?baja", "darse de baja", "cancelar suscripcion", "borrar", "eliminar"],
  it: ["disiscriv(?:imi|iti|etemi)", "cancell(?:ami|atemi|azione)", "rimuovi(?:mi)?", "basta"],
  nl: ["uitschrijven", "afmelden", "schrijf me uit", "verwijderen"],
  pt: ["descadastrar", "remover", "cancelar inscricao", "sair", "parar"],
  pl: ["wypisz(?: mnie)?", "wypisac", "usun(?:ac)?", "rezygnuje"],
  nordic: ["avregistrera", "avsluta", "afmeld(?: mig)?", "meld (?:meg )?av", "ta bort(?: mig)?", "avanmal(?: mig)?"],
  fi: ["poista(?: minut)?", "peru(?:uta)?(?: tilaus)?", "lopeta(?:kaa)?"],
  cs: ["odhlasit(?: se)?", "odhlaste me", "vymazat", "odhlasit sa", "zrusit odber"],
  ru: ["отписаться", "отписка", "отпишите(?: меня)?", "стоп", "удалите(?: меня)?", "відписатися", "видаліть(?: мене)?"],
  tr: ["abonelikten c[iı]k\\w*", "listeden c[iı]kar\\w*", "iptal"],
  hu: ["leiratkozas", "leiratkozom", "torles"],
  ro: ["dezabonare", "dezabonati-ma", "stergeti-ma"],
  el: ["διαγραφή", "διαγράψτε με", "απεγγραφή"],
  ja: ["配信停止", "停止", "解除", "退会"],
  zh: ["退订", "退訂", "取消订阅", "取消訂閱", "停止"],
  ko: ["수신 ?거부", "구독 ?취소"]
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
  authorities: [
    // Who is told of unwanted mail, and that they are or will be.
    "(?:report|complain|complaint|forward|goes|go|straight|tell|notify|meld|anzeig|beschwer|signal|plainte|denunci|reclama|segnal|gir[oa]|klacht|aangifte|meld|zglasz|zglosz|skarg|anmal|next|nachste|nochmal|prochain|proxim|prossim|volgende|nastepn|nasta|otro|otra|noch ein|een)\\w*[^.!?]{0,60}\\b(?:ico|ftc|cnil|aepd|garante|uodo|imy|procon|anacom|verbraucherzentrale|verbraucherschutz|bundesnetzagentur|datenschutzbehorde|autoriteit persoonsgegevens|datatilsynet|integritetsskydds\\w+)\\b",
    "(?:skrappost|junk ?mail|correo basura|no deseado|posta indesiderata|lixo eletronico|pourriel|courrier indesirable)\\b"
  ],
  en: [
    "(?:take|get|remove|delete|drop|strike) [^\\s@]{1,64}@[^\\s@]{1,200} (?:off|from|out of)\\b",
    "(?:wipe|scrub|purge|erase|delete) (?:it|me|us|my|our)[^.!?]{0,30}(?:computer|system|files?|servers?|phone|drive|records?)",
    "(?:final|last) (?:communication|correspondence|contact)\\b|\\bno more,? (?:thank you|thanks|please)|how do (?:i|we) (?:get off|get out of|leave|stop|unsub\\w*)",
    "object to (?:the )?processing|(?:article|art\\.?) (?:17|21)\\b",
    "(?:don't|do not|dont|never)(?: ever)? (?:send|mail|write) (?:me|us) (?:anything|another|further)|no more of (?:this|these|that|your)\\b",
    "(?:purge|wipe) (?:me|us|my|our|all)\\b|(?:lose|bin) (?:this|my|our) (?:address|e-?mail|number|contact)",
    "(?:this|my|our) (?:inbox|address|mailbox|e-?mail)[^.!?]{0,20} (?:not|never) (?:be )?used",
    "(?:last|final) (?:message|e-?mail|mail|one) (?:that )?(?:i|we) (?:get|got|receive|ever)",
    "(?:take|get|keep|leave) (?:my|our) (?:name|address|e-?mail|details|number)[^.!?]{0,15} (?:out|off)\\b",
    "(?:not|n't) have (?:my|our|any) (?:permission|consent) to (?:e-?mail|contact|write|message)",
    "(?:^|[.!?,] )(?:enough already|quit it|cut it out|give it a rest)\\b",
    "(?:send|mail|write) (?:me |us )?(?:absolutely )?nothing (?:more|else|further|again)",
    "nothing (?:more|further|else) from you(?:r \\w+)?(?:,? (?:please|pls|thanks))?",
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
    "cease (?:and desist|all|contact)",
    "(?:would like|i'd like|i want|prefer|rather|wish)(?: \\w+){0,2} (?:to stop (?:receiving|getting)|not (?:to )?(?:receive|hear|get|be contacted))",
    "stop (?:bugging|pestering|hounding|harassing|receiving)|(?:this is|that's|it's) (?:\\w+ )?harass\\w+",
    "(?:cross|strike|scratch|count) (?:me|us|my name) (?:off|out)|\\bi want out\\b",
    "(?:withdraw|revoke|never gave|did not give|didn't give) (?:my |our )?(?:any )?consent|object to (?:the |your |any )?(?:processing|use)",
    "(?:go away|get lost|(?:piss|fuck|bugger|sod) off|knock it off)",
    "(?:^|[.!?,] )(?:please |just )?stop(?: it| this| that| now| please| pls)*(?:[.!]|$)"
  ],
  de: [
    "(?:art\\.?|artikel) (?:17|21) (?:ds-?gvo|der)|(?:meine |die |diese )?(?:mail|adresse|daten)\\w*[^.!?]{0,25}(?:losch|entfern)\\w*|(?:lass|lasst|lassts|lassen sie) (?:mi|mich|uns|ons)\\b[^.!?]{0,20}\\b(?:ruh|ruah|frieden)",
    "aus (?:ihrem|eurem|dem|der|ihrer|eurer) (?:system|kartei|datei|crm|liste|verteiler|datenbank)\\w* (?:nehmen|loschen|streichen|entfernen|werfen)",
    "keine (?:weiteren? )?zusendung\\w*|(?:loschung|loschen)[^.!?]{0,60}\\bdaten\\b",
    "will (?:das|die|so ?etwas|sowas|diese\\w*)[^.!?]{0,30}nicht mehr (?:kriegen|bekommen|erhalten|haben)",
    "\\b(?:sperr|robinson)liste|(?:nehmt|nehmen sie|nimm) (?:mich|uns) (?:\\w+ )?(?:raus|heraus)|kein(?:en)? bock auf",
    "(?:mails?|werbung|nachrichten)[^.!?]{0,30}ohne (?:meine |unsere )?(?:einwilligung|zustimmung|erlaubnis)",
    "(?:schick|send|schreib|mail)\\w*[^.!?]{0,30}\\bnichts (?:mehr|weiter\\w*)",
    "nichts (?:mehr|weiter\\w*) (?:von (?:ihnen|euch|dir)|(?:zu)?(?:schicken|senden|schreiben)|zuschicken|zusenden)",
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
    "(?:unterlassen sie|unterlassung|widerspreche ich|ich widerspreche|bundesnetzagentur|abmahn\\w*)",
    "(?:von|auf) weitere\\w* (?:e-?mails?|mails?|nachrichten|anfragen|kontaktaufnahmen?|anschreiben|zusendungen)[^.!?]{0,20}(?:abzusehen|absehen|verzichten|zu verzichten)",
    "(?:aus|von) (?:ihrem|eurem|dem|diesem) (?:\\w+ )?verteiler|raus aus|(?:newsletter|liste|verteiler)[^.!?]{0,15}(?:abbestell|streich)\\w*",
    "(?:unerwunschte|unverlangte|unaufgeforderte)\\w* (?:werbung|mails?|e-?mails?|zusendung\\w*|nachrichten)|belastigung",
    "(?:widerrufe|keine einwilligung|nie (?:eine )?einwilligung|nie zugestimmt)|(?:loschung|entfernung) (?:meiner|unserer|aller|der) (?:daten|adresse|e-?mail)",
    "(?:^|[.!?,] )(?:schluss damit|es reicht|jetzt reicht's|genug)\\b|nie wieder (?:\\w+ ){0,2}(?:schreiben|mailen|kontaktieren|mail)"
  ],
  fr: [
    "vire[zr]?[- ](?:moi|nous|mon|notre)|(?:arret|stop|cess)\\w* (?:de )?(?:m |m'|me |nous )(?:ecri|envoy|contact|relanc|mail)\\w*|(?:merci|priere|svp) de plus (?:nous |m'|me )\\w+|ne plus (?:figurer|apparaitre|etre) (?:parmi|dans|sur) (?:vos|votre)",
    "ne plus (?:m'|me |nous )(?:envoyer|adresser|transmettre)|(?:lach\\w+|foutez)[- ](?:moi|nous)",
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
    "(?:je m'oppose|droit d'opposition|\\bcnil\\b)",
    "(?:ray|biff)\\w+[- ](?:moi|nous|mon|notre)|oubli\\w+[- ](?:moi|nous)",
    "plus (?:de|aucun) (?:mails?|e-?mails?|messages?|courriels?|sollicitations?|demarchage)",
    "(?:ca|cela) suffit|harcel\\w+|mise en demeure|retir\\w+ (?:mon|notre) consentement|jamais (?:donne|consenti)",
    "(?:desabonnement|desinscription)\\b"
  ],
  es: [
    "(?:saqu|quit|borr|elimin)[ea]n?(?:me|nos)\\b|que (?:me|nos) (?:borr|quit|saqu|elimin)\\w+|(?:me|nos) (?:borr|quit|sac)(?:a|as|e|en|an) (?:de|ya)|\\bcort\\w*la\\b",
    "dad(?:me|nos) de baja|(?:dej|par)\\w+ ya de|supresion[^.!?]{0,20}\\bdatos\\b",
    "no (?:me|nos) (?:escrib|envi|mand)\\w+ nada",
    "(?:dar?|den|dame|deme|denme|denos|darme|darnos|quiero dar|solicit\\w*|pido|tramit\\w*)(?:me|nos|se)?(?: \\w+){0,2} (?:de|la) baja",
    "no (?:me|nos) (?:escrib|contact|envi|mand|molest|llam)\\w+ (?:mas|nunca)",
    "no (?:me|nos) (?:escriban?|contacten?|envien?|manden?|molesten?|llamen?)\\b",
    "no (?:me |nos )?(?:vuelv\\w+|volv\\w+|sigan?|siga|continuen?) (?:a )?(?:\\w+ )?(?:escrib|contact|envi|mand|molest|insist|llam)\\w*",
    "no insist\\w+",
    "(?:elimin|borr|quit|sac|retir|suprim)\\w+ [^.!?]{0,40}(?:lista|base de datos|correos?\\b|direccion|mis datos|nuestros datos|email|mail)",
    "(?:dej|par)\\w+ de (?:\\w+ )?(?:escrib|envi|contact|mand|molest|insist)\\w*",
    "dej\\w+ (?:en paz|tranquil\\w+)",
    "no (?:deseo|quiero|queremos|deseamos|quisiera|pretendo) (?:\\w+ )?(?:recibir|que (?:me|nos)|seguir recib|mas (?:correos|mensajes|emails|mails))",
    "(?:agencia (?:\\w+ )?de proteccion de datos|\\baepd\\b|(?:les|os|le) denunci\\w+)",
    "(?:borr|elimin|quit|sac|retir)[ae]n?(?:me|nos)\\b|(?:borr|elimin|quit|sac)ad(?:me|nos)\\b|date de baja",
    "(?:^|[.!?,] )(?:basta|paren|ya esta bien|ya basta)(?: ya)?\\b|acoso|cancel\\w+ (?:mi|la) suscripcion",
    "no (?:autorizo|he autorizado|doy mi consentimiento|envien? mas|escriban? mas|manden? mas)|no quiero mas"
  ],
  it: [
    "(?:si )?(?:richiede|chiedo|chiediamo|esigo|pretendo) (?:la |l')(?:rimozione|cancellazione|eliminazione)|(?:non|nn) (?:mandate|scrivete|inviate|mandatemi|scrivetemi) (?:piu|niente|nnt)",
    "mai (?:dato|prestato|fornito)[^.!?]{0,15}consenso|\\bn(?:o)?n (?:voglio|vogliamo) (?:piu )?ricevere",
    "(?:cancell|rimuov|rimoz|tog|elimin)\\w*[^.!?]{0,50}(?:\\blist|elenco|mailing|indirizz|database|contatt|dati|archiv|nominativ|rubrica)",
    "(?:cancellatemi|cancellami|rimuovetemi|rimuovimi|disiscrivetemi|disiscrivermi|toglietemi|toglimi)",
    "non (?:mi |ci )(?:ri)?(?:scriv|contatt)\\w+",
    "non (?:ri)?(?:contatt|scriv|invi|mand|disturb)\\w+(?: \\w+)? piu\\b",
    "non (?:ri)?(?:contattar|scriver|inviar|mandar|disturbar)(?:mi|ci|e)\\b",
    "non (?:desidero|voglio|desideriamo|vogliamo|intendo|intendiamo) (?:\\w+ )?(?:ricevere|essere|altr[ei])",
    "(?:la )?(?:smett(?:ete|etela|ila|a|erla)|piantatela|piantala)\\b",
    "basta (?:con |di )?(?:\\w+ )?(?:e-?mail|mail|messaggi|scriver|mandar|spam)",
    "(?:(?:mi|ci) lasci\\w*|lasci(?:atemi|ami|ateci|aci)) (?:in pace|stare)",
    "(?:^|[.!?,] )(?:basta|finitela|finiscila|adesso basta)\\b|(?:non autorizzo|revoco il consenso|mi oppongo)",
    "(?:elimin|cancell|rimuov|togli)\\w*(?:mi|ci|temi|teci)\\b|(?:segnal\\w+|denunc\\w+)[^.!?]{0,20}(?:spam|garante|autorita)",
    "(?:disiscrizione|cancellazione)\\b|non (?:inviate|inviare|mandate|scrivete|scrivere|contattate)(?: \\w+){0,2}"
  ],
  nl: [
    "(?:mij|me|ons|mn|m'n|mijn|onze|het) (?:\\w+ ){0,3}(?:er ?af|eraf|weg) ?hal\\w*|(?:weghalen|afmelden|uitschrijven|verwijderen) (?:aub|pls|svp|graag|alsjeblieft)|(?:wil|willen) (?:\\w+ ){0,2}niet meer (?:krijgen|ontvangen|hebben|zien)",
    "spam(?:mail)?s?\\b[^.!?]{0,40}(?:meld|aangifte|klacht)",
    "(?:stuur|mail|schrijf|zend)\\w*[^.!?]{0,30}\\b(?:niks|niets) meer",
    "(?:niks|niets) meer (?:van (?:jullie|u|je)|(?:te )?(?:sturen|mailen|ontvangen))",
    "(?:schrijf|haal|verwijder|meld|gooi|wis)\\w* (?:alstublieft |aub |svp )?(?:mij|me|ons|mijn|onze|dit)\\b.{0,50}(?:uit|af|van|lijst|bestand|adres|gegevens)",
    "(?:mijn|onze|dit|mij|me|ons)\\b[^.!?]{0,30}(?:te )?(?:verwijderen|uitschrijven|uit te schrijven|afmelden|af te melden|wissen)",
    "geen (?:\\w+ )?(?:e-?mails?|mails?|berichten|reclame|post)(?: \\w+){0,3} (?:meer|ontvangen|sturen)",
    "niet (?:meer|opnieuw|nogmaals|weer)(?: \\w+){0,2} (?:te )?(?:mailen|contacteren|benaderen|schrijven|contact|sturen|benaderd|opnemen)",
    "niet meer (?:te )?(?:mailen|contacteren|benaderen|schrijven|contact)",
    "wil(?:len)? (?:\\w+ )?(?:geen|niet meer)[^.!?]{0,30}(?:ontvangen|benaderd|gecontacteerd|gemaild)",
    "stop (?:hier ?mee|er ?mee|met (?:\\w+ )?(?:mailen|sturen|dit|deze|mails?|berichten))",
    "(?:hou|houd)(?:t)? (?:\\w+ )?(?:hier|er) ?mee op|hou(?:d|dt)? op\\b",
    "laat (?:mij|me|ons) (?:\\w+ )?met rust",
    "(?:haal|gooi|schrap)[^.!?]{0,20}(?:er ?af|van (?:de|jullie|uw) (?:lijst|mailing))|val(?:t)? (?:mij|me|ons)[^.!?]{0,15}lastig|lastig ?(?:te )?vallen",
    "ongewenste? (?:mail|reclame|e-?mail|post|bericht)\\w*|(?:geen|nooit) toestemming|(?:trek|intrekken)[^.!?]{0,20}toestemming|(?:hou|hoepel|rot) (?:\\w+ )?op\\b"
  ],
  pt: [
    "abst\\w+-se de (?:novos|mais|futuros|enviar|contact)\\w*|(?:pedi|peco|solicito|solicitei) (?:a )?(?:minha )?(?:exclusao|remocao|eliminacao)|desampar\\w+-(?:me|nos)|\\bja chega\\b",
    "\\bme descadastr\\w+|nunca (?:autorizei|autorizamos)|\\bme esque(?:ce|ca)m?\\b",
    "nao (?:me |nos )?(?:envi|mand|escrev)\\w+ (?:mais )?nada",
    "(?<!nao (?:me |nos )?)(?:remov|retir|exclu|tir|apag|elimin|delet)\\w*(?:-me|-nos)?\\b.{0,40}(?:\\blista|\\bbase|cadastro|mailing|endereco|meus dados|nossos dados|e-?mail\\b)",
    "(?<!nao )(?:me|nos) (?:tir[ae]|remov[ae]|retir[ae]|exclu[ai]|apagu?[ae])m?\\b",
    "(?:tir|remov|retir)[ae]m?-(?:me|nos)",
    "descadastr\\w+ (?:me|meu|o meu|este)",
    "nao (?:me |nos )?(?:envi|contat|contact|escrev|mand)\\w*(?:-me|-nos)? mais",
    "nao (?:me |nos )?(?:volt\\w+|torn\\w+) a (?:me |nos )?(?:envi|contat|contact|escrev|mand)\\w*",
    "nao (?:quero|desejo|queremos|desejamos|pretendo|pretendemos|gostaria de) (?:\\w+ )?(?:receber|ser contact|ser contat|mais (?:e-?mails?|mensagens))",
    "(?:para|pare|parem|deixa|deixe|deixem|chega) (?:ja )?(?:de|com) (?:me |nos )?(?:\\w+ )?(?:envi|escrev|contat|contact|mand|chate|insist|e-?mails?|mensagens)\\w*",
    "(?:deix\\w+)(?:-me|-nos)? em paz",
    "(?:^|[.!?,] )(?:chega|basta|parem|pare)(?: (?:com isso|ja|por favor))?(?:[.!]|$)|cancel\\w+ (?:a |minha )?(?:subscricao|inscricao|assinatura)",
    "nao (?:mandem?|enviem?|escrevam?|contactem?|contatem?|incomodem?|perturbem?|chateiem?)\\b|nao (?:autorizo|dei (?:o meu )?consentimento)|(?:vou )?denunciar"
  ],
  nordic: [
    "(?:inte|aldrig) (?:godkant|samtyckt)|stryk (?:min|mina|var)\\b",
    "(?:skicka|send|skriv|mejla)\\w*[^.!?]{0,20}\\b(?:inget|ingenting|intet|ikke noe|ikke noget)(?: mere?| fler\\w*)",
    "(?:inget|ingenting|intet) mere? (?:fran|fra) (?:er|dig|dere|jer)",
    "(?:ta|tag|plocka) bort (?:mig|oss|min\\b|mina|var\\b|vara)",
    "(?:inga|ikke|ingen|inte) (?:\\w+ )?(?:fler|flere|mer|mere)(?: \\w+)? (?:mail|mejl|e-?post|utskick|meddelanden|brev)",
    "vill inte (?:\\w+ )?(?:ha|fa|ta emot|bli)[^.!?]{0,30}(?:mail|mejl|utskick|e-?post|meddelanden|kontaktad)",
    "sluta (?:\\w+ )?(?:mejla|maila|skriva|skicka|kontakta|spamma|hora)",
    "(?:kontakta|mejla|maila|skriv)(?: \\w+){0,2} (?:inte|aldrig) (?:mer|igen|langre)",
    "(?:inte|aldrig) (?:\\w+ )?(?:kontakta|mejla|maila|hora|skriva|skicka)[^.!?]{0,25}(?:igen|mer|langre)",
    "lamna (?:mig|oss) (?:i fred|ifred)",
    "(?:avregistrera|avprenumerera|radera) (?:mig|oss|min|mina)",
    "(?:fjern|slet) (?:mig|meg|oss|os)",
    "(?:^|[.!?,] )sluta(?: (?:nu|med det har|tack))?(?:[.!]|$)|stryk (?:mig|oss)|undanber (?:mig|oss)|(?:vill|onskar) slippa|stoppa (?:mejlen|utskicken|mailen)",
    "(?:avanmal|avprenumerera|avregistrera)\\w*|trakasser\\w*|(?:inte|aldrig) (?:gett|lamnat) (?:\\w+ )?samtycke"
  ],
  pl: [
    "skresl\\w*[^.!?]{0,20}(?:mnie|nas|z listy|z bazy|adres)|(?:mnie|nas) (?:\\w+ )?(?:skresl|wypis|usun|wykresl)\\w*",
    "zaprzesta\\w+[^.!?]{0,40}(?:przesyl|wysyl|kontakt|ofert|wiadomosc|mail|korespondenc)\\w*",
    "nic (?:wiecej )?(?:mi |nam )?nie (?:przysyl|wysyl|przesyl|pisz|pisa)\\w*",
    "nie (?:przysyl|wysyl|przesyl|pisz|pisa)\\w*[^.!?]{0,20}\\bnic wiecej",
    "(?:wypis|usun|skasuj|skasow|wykresl)\\w*[^.!?]{0,40}(?:\\blist|\\bbaz|adres|dane\\b|danych|mnie\\b|nas\\b)",
    "nie zycz\\w+ sobie",
    "prosze (?:\\w+ ){0,4}nie (?:\\w+ )?(?:pis|kontakt|wysyl|przysyl)\\w*",
    "(?:wiecej|juz) (?:\\w+ ){0,3}nie (?:pis|kontakt|wysyl|przysyl)\\w*",
    "nie (?:pisz|kontaktuj|wysylaj|przysylaj)\\w*(?: \\w+){0,3} (?:wiecej|juz)",
    "przestan\\w* (?:\\w+ )?(?:pis|wysyl|kontakt|spam|przysyl)\\w*",
    "nie chc\\w+ (?:\\w+ ){0,2}(?:otrzymywac|dostawac|wiecej)",
    "daj\\w* (?:mi |nam )?(?:\\w+ )?spokoj",
    "(?:wnosze|zglaszam) sprzeciw",
    "(?:prosze o |o )?usuniecie|(?:prosze )?przestac (?:\\w+ )?(?:pis|wysyl|kontakt)\\w*|(?:^|[.!?,] )(?:dosc|koniec)(?: tego)?(?:[.!]|$)",
    "(?:cofam|nie wyraz\\w+|nie udziel\\w+|nie dawal\\w+) (?:\\w+ ){0,2}zgod\\w*|odczep\\w*|rezygnuje z (?:\\w+ )?(?:mail|wiadomosc|newsletter|otrzymyw)\\w*"
  ],
  fi: [
    "(?:poista|poistakaa) (?:minut|meidät|osoitteeni|yhteystietoni|tietoni|sähköpostini)",
    "(?:älä|älkää) (?:\\w+ ){0,2}(?:lähetä|lähettäkö|lähettäkää|kirjoita|kirjoittako|ottako yhteyttä|ota yhteyttä)",
    "en halua (?:\\w+ ){0,2}(?:näitä|viestejä|sähköpostia|sähköposteja|vastaanottaa|mainoksia)"
  ],
  cs: [
    "(?:odhlaste|vyřaďte|vyradte|vymažte|odstraňte|smažte) (?:prosím )?(?:mě|mne|ma|nás|můj|moji|mou|náš|naši|moje|naše)",
    "(?:už |uz |více )?(?:mi |nám |mně |nam )(?:\\w+ ){0,2}(?:nepište|neposílejte|neposielajte|nepíšte|nevolejte)",
    "nechci (?:\\w+ ){0,2}(?:dostávat|odebírat|vaše)|nepřeji si|neželám si|neobtěžujte"
  ],
  ru: [
    "(?:удалите|уберите|исключите|отпишите|вычеркните) (?:пожалуйста )?(?:меня|нас|мой|наш|этот|мои)",
    "не (?:пишите|присылайте|шлите|отправляйте|беспокойте)(?! \\w+ до)",
    "прекратите (?:писать|присылать|рассылку|отправлять|слать|эту)|(?:не хочу|не желаю) (?:больше )?(?:получать|видеть)",
    "(?:видаліть|приберіть|відпишіть) (?:мене|нас|мою)|не (?:пишіть|надсилайте|турбуйте)"
  ],
  tr: [
    "(?:beni|bizi|adresimi|adresimizi) (?:\\w+ ){0,3}(?:ç[iı]kar|sil)\\w*",
    "(?:mail|e-?posta|mesaj)\\w* (?:\\w+ ){0,2}(?:gönder|at|yolla)mey?[iı]n",
    "bir daha (?:\\w+ ){0,2}(?:yaz|gönder|ara)ma?m?e?y?[iı]n"
  ],
  hu: [
    "(?:töröljék|törölje|vegyenek le|vegyen le|iratkoztassanak le|iratkoztasson le)",
    "ne (?:írjanak|küldjenek|írjon|küldjön|keressenek|zaklassanak)"
  ],
  ro: [
    "(?:ștergeți|scoateți|dezabonați|eliminați)(?:-mă|-ne| mă| adresa)",
    "nu (?:îmi |ne |mă |mai )(?:mai )?(?:scrieți|trimiteți|contactați)"
  ],
  el: ["(?:διαγράψτε|αφαιρέστε|βγάλτε) (?:με|μας|το|τη)", "μην? (?:μου |μας )?(?:ξανα)?(?:στέλνετε|στείλετε|γράφετε)"],
  ja: [
    "配信(?:を)?(?:停止|不要)|メール(?:を|は)?(?:もう)?送らないで|送らないでください|リストから(?:削除|外し)",
    "今後(?:の|は)?(?:連絡|メール|ご連絡).{0,6}(?:不要|控え|しないで|やめて|お断り)"
  ],
  zh: [
    "退订|退訂|取消订阅|取消訂閱|(?:不要|别|請勿|请勿)再?(?:给我|給我|向我)?(?:发|發|联系|聯繫|打扰|寄)",
    "(?:从|從)(?:你们的?|貴公司的?)?(?:列表|名单|名單).{0,4}(?:删除|移除|刪除)|把我.{0,8}(?:删除|移除|刪除)"
  ],
  ko: [
    "수신 ?거부|메일(?:을)? ?(?:그만|보내지 ?마)|더 ?이상 ?(?:메일|연락).{0,6}(?:보내지|하지) ?마|명단에서 ?(?:빼|삭제)"
  ]
}
