import { addressesAmong } from "../../kernel/people/addresses.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { Intent } from "../../verbs/Replies.js"
import { MEETING, NOT_NOW, REFERRAL, WRONG_PERSON } from "./intentPhrases.js"
import type { Phrases } from "./phrases.js"
import type { Classification } from "./Classification.js"

/** What hints at an intent where nothing surer does, matched against folded text (`fold`). It classifies nobody. */

/** The writer wants to go on in writing: the price, a trial, material. Said of the intent alone. */
const WANTS_MORE: Phrases = {
  en: [
    "more (?:info\\w*|details)|how (?:do|can|would) (?:i|we) (?:\\w+ )?(?:start|sign up|try|get|test)|(?:sounds|looks) (?:\\w+ )?(?:good|great|interesting|useful|relevant|promising)|(?:keen|would love|i'd love|we'd love)|send (?:it|that|this|over|the)",
    "(?:what|how much)[^.!?]{0,40}(?:cost|price|pricing|charge)|\\b(?:quote|pricing|price list|brochure|trial|whitepaper)\\b|(?:tell|show) me more|(?:i'm|im|i am) (?:\\w+ )?curious|looking (?:at|for) (?:vendors|something like|exactly)|(?:show|run) this (?:to|by|past) my"
  ],
  de: [
    "(?:mehr|weitere) (?:infos?|informationen|details)|(?:klingt|hort sich) (?:\\w+ )?(?:gut|spannend|interessant)|(?:schick|send)\\w+ (?:\\w+ ){0,3}(?:zu|mir|uns)",
    "was (?:\\w+ )?kostet|(?:preis|preise|preisliste|angebot|kosten|testzugang|testen|unterlagen|referenzen)\\b|erzahl\\w+ (?:sie |mir )*mehr|(?:suchen|brauchen) (?:\\w+ ){0,3}(?:gerade|genau|sowas)|neugierig|offen dafur|\\bgerne\\b"
  ],
  fr: [
    "(?:plus|davantage) (?:d'info\\w*|de details)|(?:ca|cela) (?:a l'air|semble|parait)|(?:interessant|prometteur)",
    "combien|\\b(?:tarifs?|devis|prix|essai|essayer|tester|documentation|brochure|plaquette)\\b|dites-m'en plus|envoyez|(?:ca|cela) m'(?:intrigue|intéresse)|curieu\\w+"
  ],
  es: [
    "mas (?:info\\w*|detalles)|(?:suena|parece) (?:\\w+ )?(?:bien|interesante)|(?:me|nos) (?:gusta|encaja)",
    "cuanto (?:\\w+ )?(?:cuesta|vale|sale)|\\b(?:precios?|tarifas?|presupuesto|prueba|probar|catalogo)\\b|cuent\\w+ mas|mand\\w+ (?:la )?info|llamado la atencion|curiosidad"
  ],
  it: [
    "(?:piu|maggiori|altre) (?:info\\w*|dettagli)|(?:sembra|pare) (?:\\w+ )?(?:interessante|utile)|(?:mandi|mandami|invii|inviami)",
    "quanto (?:\\w+ )?cost|\\b(?:prezz\\w|preventivo|listino|tariff\\w|provare|prova|brochure)\\b|(?:mi )?raccont\\w+|(?:stiamo|sto) (?:\\w+ )?(?:valutando|cercando)|incuriosi\\w+"
  ],
  pt: [
    "mais (?:info\\w*|detalhes)|(?:parece|soa) (?:\\w+ )?(?:bem|bom|interessante)|(?:manda|mande|envia|envie)\\b",
    "(?:quanto|qual) (?:\\w+ ){0,2}(?:custa|valor|preco)|\\b(?:precos?|orcamento|tabela|testar|teste|experimentar|material|documentacao)\\b|cont\\w+ mais|(?:pode|podem) (?:mandar|enviar|ser)|achei (?:\\w+ )?(?:legal|interessante)|curios\\w"
  ],
  nl: [
    "meer (?:info\\w*|details)|(?:klinkt|lijkt) (?:\\w+ ){0,2}(?:goed|interessant)|(?:stuur|mail) (?:\\w+ )?(?:maar|door|op|toe)",
    "(?:wat|hoeveel) (?:\\w+ )?kost|\\b(?:prijs|prijzen|prijslijst|offerte|proefperiode|proberen|uitproberen|documentatie|brochure)\\b|vertel|nieuwsgierig|stuur (?:maar|de|een)|\\bgraag\\b"
  ],
  pl: [
    "wiecej (?:info\\w*|szczegol\\w*)|(?:brzmi|wyglada) (?:\\w+ )?(?:dobrze|ciekawie|interesujaco)|(?:prosze|poprosz\\w+) (?:o |przes|wys)\\w*",
    "(?:ile|jak\\w+) (?:\\w+ ){0,2}(?:kosztuje|cena|koszt)|\\b(?:cen\\w*|cennik\\w*|oferte|wycen\\w+|przetestowac|wyprobowac|material\\w*|testow\\w*)\\b|chetnie|prosze (?:przeslac|wyslac|opowiedziec)|zaciekaw\\w+"
  ],
  sv: [
    "mer (?:info\\w*|detaljer)|(?:later|verkar) (?:\\w+ )?(?:bra|intressant|spannande)|skicka (?:\\w+ )?(?:over|garna|mer)",
    "(?:vad|hur mycket) kostar|\\b(?:pris|priser|prislista|offert|testa|prova|material|broschyr)\\b|beratta mer|(?:ok )?skicka\\b|nyfiken|later (?:\\w+ )?(?:vettigt|bra|spannande|intressant)|lat (?:vettigt|bra|spannande|intressant)"
  ]
}

/** The writer declines without the usual words. Said of the intent alone: it suppresses nobody. */
const DECLINED: Phrases = {
  en: [
    "(?:we're|we are|i'm|i am|all) (?:\\w+ )?(?:good|covered|sorted)\\b|happy (?:as|with)|(?:have|got|use|built) (?:\\w+ ){0,3}(?:in[- ]house|our own|ourselves|a (?:vendor|solution|partner|supplier|tool|system))|(?:will|i'll|we'll|must|to) (?:\\w+ )?(?:decline|pass)\\b|not (?:looking|convinced|worth)|(?:don't|do not|can't|cannot) see (?:the|a|any|how|why)|thanks,? but|nope|nah\\b|(?:best of|good) luck",
    "^no+[.! ]*$|already (?:work|have|use|using|got|working)|no (?:intention|plans?|need|use)\\b|decided (?:not|against|to (?:pass|stay|go with))|not going (?:to|ahead)|(?:manage|do|fine|survive) without|(?:stick|stay|sticking|staying) with|signed with|doesn't apply|do not apply|not for us"
  ],
  de: [
    "(?:nichts|kein thema) fur (?:uns|mich)|danke,? (?:nein|aber)|(?:machen|losen|erledigen) (?:\\w+ )?(?:das )?(?:selbst|intern)|(?:selbst|intern) (?:gelost|entwickelt)|lehne\\w* (?:\\w+ ){0,4}ab|absage\\w*|verzichte\\w*|nicht in (?:frage|betracht)|uninteressant|zu teuer|viel (?:erfolg|gluck)|(?:sehe|sehen) (?:\\w+ ){0,2}kein\\w*",
    "^n(?:e+|ein|o+)\\b.{0,20}$|(?:passt|lohnt|nutzt|bringt) (?:\\w+ ){0,3}nicht|(?:haben|nutzen|arbeiten) (?:\\w+ ){0,3}(?:bereits|schon)|(?:damit|sehr|ganz) zufrieden|(?:bleiben|belassen) (?:\\w+ ){0,3}(?:bei|dabei)|(?:dagegen|anders) entschieden|lass(?:en)? (?:wir |sie |es )*(?:mal|lieber)|ohne aus"
  ],
  fr: [
    "(?:pas|n'est pas) (?:\\w+ )?(?:pour (?:nous|moi)|notre|une priorite)|declin\\w+|deja equipe\\w*|en interne|sans suite|bonne (?:continuation|chance)|ne correspond\\w* pas|trop (?:cher|petit)|merci,? mais",
    "^non+[.! ]*$|(?:avons|ai|a) deja|(?:ne )?(?:nous|me) concern\\w+ pas|(?:ne )?vo(?:is|yons) pas (?:l'|d')?(?:interet|utilite)|(?:decide|choisi) de ne pas|(?:se |nous )?(?:debrouill|pass)\\w+ (?:tres bien )?(?:sans|d'un)|(?:tres )?(?:satisfait|content)\\w* (?:de|avec)|donner suite|pas convaincu"
  ],
  es: [
    "(?:lo )?tenemos cubiert\\w|lo hacemos|internamente|descart\\w+|declin\\w+|suerte\\b|gracias,? pero|no (?:nos )?hace falta|no (?:vemos|veo)|demasiado (?:caro|pequen\\w+)",
    "^no+[.! ]*$|ya (?:tenemos|trabajamos|usamos|contamos)|no (?:es|seria) (?:algo|para)|(?:hemos )?decidido no|no (?:nos )?(?:encaja|aplica|sirve|procede)|(?:seguimos|nos quedamos|estamos (?:contentos|bien|satisfechos)) (?:con|asi)|(?:nos )?apanamos sin|no le veo"
  ],
  it: [
    "(?:siamo|sono) (?:gia )?(?:a posto|coperti)|declin\\w+|internamente|grazie,? ma|non (?:ci|mi) serve|non rientra|troppo (?:car|piccol)\\w|(?:buona fortuna|in bocca al lupo)",
    "^no+[.! ]*$|(?:abbiamo|ho|usiamo) gia|non (?:fa|serve|e adatt\\w)|(?:deciso|scelto) di non|(?:ci troviamo|siamo) (?:\\w+ )?(?:bene|soddisfatti|contenti)|nessuna (?:necessita|esigenza)|non (?:vedo|vediamo) (?:come|l'utilita)|lasciamo (?:stare|perdere)|facciamo (?:\\w+ )?senza|va bene cosi"
  ],
  pt: [
    "obrigad\\w,? mas|declin\\w+|recus\\w+|internamente|boa sorte|muito caro|nao (?:vemos|vejo|ha) (?:\\w+ )?(?:vantagem|utilidade|interesse|necessidade)",
    "^nao+[.! ]*$|ja (?:temos|usamos|trabalhamos|utilizamos)|(?:decidimos|optamos|resolvemos) (?:por )?nao|nao (?:se aplica|faz sentido|serve|e para)|(?:estamos|ficamos) (?:\\w+ )?(?:satisfeitos|bem|contentes)|(?:vivemos|passamos) (?:\\w+ )?sem"
  ],
  nl: [
    "niet nodig|(?:al|reeds) voorzien|(?:doen|regelen) (?:we|wij|ik) (?:\\w+ )?(?:zelf|intern)|(?:bedankt|dank),? maar|zien (?:\\w+ )?(?:ervan|er van|hiervan) af|te (?:duur|klein)|succes (?:ermee|verder|met)|slaan (?:\\w+ )?over",
    "^nee+[.! ]*$|(?:hebben|gebruiken|werken) (?:\\w+ ){0,2}(?:al|reeds)\\b|(?:besloten|gekozen)[^.!?]{0,30}niet|(?:past|werkt|is) (?:\\w+ )?niet (?:bij|voor)|(?:heel |prima )?tevreden|bevalt|(?:modder|redd|doen) (?:\\w+ ){0,3}(?:door|zonder|wel)|niets voor"
  ],
  pl: [
    "nie potrzebuj\\w+|(?:dziekuj\\w+|podziekuj\\w+),? ale|podziekuj\\w+|mamy (?:swoj\\w*|wlasn\\w+|stalego)|odmawia\\w+|powodzenia|za drog\\w+|(?:sami|we wlasnym zakresie)",
    "^nie+[.! ]*$|(?:mamy|uzywamy|korzystamy) (?:\\w+ )?(?:juz|z)|juz (?:mamy|uzywamy|korzystamy)|(?:postanowili|zdecydowa)\\w+[^.!?]{0,40}(?:nie|zrezygn)|(?:to )?nie dla (?:nas|mnie)|(?:jestesmy|jestem) zadowol\\w+|(?:poradzimy|przezyjemy|obejdziemy)[^.!?]{0,20}bez|zrezygn\\w+|nie skorzystam\\w*"
  ],
  sv: [
    "tackar nej|avboj\\w+|(?:behover|onskar) inte|inget behov|(?:skoter|gor) (?:\\w+ )?(?:det )?sjalva|internt|lycka till|for dyrt|for sma",
    "^nej+[.! ]*$|har (?:redan|nyss|precis)|(?:bestamt|beslutat|valt)[^.!?]{0,25}(?:inte|att avsta)|(?:ar )?(?:nojda|nojd) med|passar inte|(?:klarar|klara) (?:\\w+ ){0,2}utan|inget for (?:oss|mig)|gar inte vidare|avstar"
  ]
}

/** An absence that the rules of arrival are not sure enough of. */
const ABSENT: Phrases = {
  en: [
    "(?:automatic|auto)[- ]?(?:reply|response)|out of (?:the )?office|(?:i'm|i am|i will be|i'll be|currently) (?:\\w+ )?(?:away|travelling|traveling|on (?:\\w+ )?(?:leave|holiday|vacation)|off sick)|office (?:is|will be) closed|back (?:at my desk|in the office|on)\\b"
  ],
  de: [
    "(?:automatische antwort|abwesenheits\\w+)|(?:betriebs|im) ?(?:urlaub|ferien)\\b|elternzeit|mutterschutz|(?:auf|in) (?:dienst|geschafts)reise|buro (?:\\w+ )?geschlossen|wieder (?:da|fur sie da|im buro|erreichbar|zuruck)|nicht im (?:buro|haus)|krank ?geschrieben"
  ],
  fr: [
    "(?:reponse|message) automatique|en conges?|absent\\w*|en (?:vacances|deplacement|arret)|conge (?:maternite|parental)|(?:est|sera|sommes) ferme\\w*|de retour (?:le|lundi|mardi|mercredi|jeudi|vendredi|au)"
  ],
  es: [
    "(?:respuesta|mensaje) automatic\\w|(?:estoy|estare|estamos) (?:\\w+ ){0,2}(?:de viaje|de vacaciones|de baja|ausente|fuera|cerrad\\w+)|(?:estoy|estare) de vuelta|baja (?:medica|maternal|por)|cerrado por|vacaciones hasta"
  ],
  it: [
    "risposta automatica|(?:sono|saro|siamo) (?:\\w+ ){0,2}(?:in ferie|assente|in viaggio|fuori|chiusi|in maternita|in malattia)|(?:chiusi|chiuso|chiusura) (?:per|fino)|rientr\\w+ (?:il|lunedi|martedi)|torn\\w+ (?:il|in ufficio)"
  ],
  pt: [
    "resposta automatica|(?:estou|estarei|estamos|encontro-me|encontramo-nos) (?:\\w+ ){0,2}(?:de ferias|em ferias|de licenca|em viagem|ausente|fora|fechad\\w+)|ferias coletivas|licenca (?:de )?(?:maternidade|medica)|(?:volt|regress|retorn)\\w+ (?:no dia|dia|a \\d|na segunda)"
  ],
  nl: [
    "automatisch (?:antwoord|bericht)|afwezig|met (?:vakantie|verlof|zwangerschapsverlof)|op vakantie|(?:kantoor|wij|we) (?:\\w+ )?(?:is|zijn) gesloten|(?:ben|zijn) (?:ik|we|wij) (?:er )?(?:weer|terug)|zijn (?:we|wij) terug"
  ],
  pl: [
    "automatyczna odpowiedz|(?:na|w) (?:urlop\\w*|delegacj\\w*|zwolnieni\\w*)|nieobecn\\w+|poza biurem|urlop\\w* (?:macierzynski\\w*|rodzicielski\\w*)|(?:biuro|firma) (?:\\w+ )?(?:nieczynn|zamkniet)\\w+|wracam"
  ],
  sv: [
    "(?:autosvar|automatiskt svar)|(?:pa|har) (?:semester|tjansteresa)|foraldraled\\w*|sjukskriven|bortrest|franvar\\w+|(?:kontoret|vi) (?:\\w+ )?(?:ar|har) stangt|(?:ater|tillbaka) (?:pa|den|mandag|i tjanst)"
  ]
}

const somewhere = (phrases: Phrases): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${Object.values(phrases)
      .flat()
      .map((phrase) => `(?:${phrase})`)
      .join("|")})`,
    "u"
  )

const wrongPerson = somewhere(WRONG_PERSON)
const referral = somewhere(REFERRAL)
const notNow = somewhere(NOT_NOW)
const meeting = somewhere(MEETING)
const wantsMore = somewhere(WANTS_MORE)
const declined = somewhere(DECLINED)
const absent = somewhere(ABSENT)

/** Who names an address in so few words says little else. */
const POINTER_CHARS_MAX = 200

/** People say that they are away in their first words. */
const ABSENT_WITHIN_CHARS = 200

/** The first address in the writer's own words that is not their own. */
export const addressNamed = (own: string, fromEmail: string): string | null => {
  const mine = usableEmail(fromEmail)
  for (const address of addressesAmong(own)) if (address !== mine) return address
  return null
}

/** The intent that the phrases name, given how the reply is classified and whether it names an address. */
export const intentByRules = (classification: Classification | null, text: string, isNamed: boolean): Intent => {
  if (classification === "bounce" || classification === "unsubscribe" || classification === "out_of_office") {
    return classification
  }
  if (absent.test(text.slice(0, ABSENT_WITHIN_CHARS))) return "out_of_office"
  const isWrong = wrongPerson.test(text)
  if (isNamed && (isWrong || referral.test(text) || text.length <= POINTER_CHARS_MAX)) return "referral"
  if (isWrong) return "wrong_person"
  if (notNow.test(text)) return "not_now"
  if (meeting.test(text)) return "meeting"
  if (classification === "not_interested" || classification === "interested") return classification
  if (declined.test(text)) return "not_interested"
  if (wantsMore.test(text)) return "interested"
  return /[?？]/u.test(text) ? "question" : "other"
}
