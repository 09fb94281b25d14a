/**
 * The words of which helpdesks make their notices, by language: of a request that was closed, resolved, merged or given to
 * somebody, of a survey about it, and of an address that nobody reads any more. A star stands for any ending. A clause with
 * any other word is somebody's own. Read beside `deskNotices.ts`.
 */
import { fold } from "../meaning/phrases.js"

interface Words {
  /** What a notice is about. */
  readonly request: string
  /** What became of it. */
  readonly became: string
  /** What a denial may be about: an answer that did not come. */
  readonly answer: string
  readonly no: string
  /** A clause that begins so offers something. */
  readonly offer: string
  readonly offered: string
  readonly greeting: string
  readonly regards: string
  /** Who signs. */
  readonly team: string
  /** What a survey asks. */
  readonly survey: string
  /** What an unread address is called, and what is said of it. */
  readonly address: string
  readonly unread: string
  readonly program: string
  /** Where to write instead. */
  readonly instead: string
  /** What begins a survey. */
  readonly question: string
  readonly rest: string
}

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    request: "ticket* request* case* inquir* enquir* conversation* issue*",
    became:
      "closed close closing solved resolved resolution merged assigned changed updated completed reopened opened indicated",
    answer: "answer* reply replies response* heard received feedback",
    no: "no not haven't hasn't without",
    offer: "if should to for",
    offered:
      "need* help assistance question* problem* still any further more comment* additional feel believe should think not satisfied assume",
    greeting: "dear hi hello greetings",
    regards: "regards thanks thank sincerely",
    team: "team support service services desk helpdesk customer care rep representative it",
    survey:
      "how would did do rate rating good bad great okay ok poor excellent i'm satisfied unsatisfied dissatisfied neutral very likely unlikely recommend* colleague* friend* experience feedback score not at all extremely neither nor think tell opinion fill out invitation date",
    address: "address mailbox account inbox",
    unread: "use used active monitored read valid discontinued changed unattended exist exists",
    program: "automat* generated",
    instead: "contact write form again book longer future instead forwarded update",
    question: "how rate rating survey* think",
    rest: "this that the a an your our you we us of in on at by with from as so since because there it its here here's is are was were be been being has have had will may can and or message* e-mail email mail status state open pending into group department priority low normal high deemed marked automatically hours hour days day after within new simply just please view online link click above below type line number id reference reminder what about reopen itself now today time reply* respond to for back do hope satisfaction review comment follow access off turn notification* access assume successfully provided resolve"
  },
  de: {
    request: "ticket* vorgang* anfrage* fall anliegen",
    became:
      "geschlossen abgeschlossen gelöst erledigt zusammengeführt zugewiesen geändert aktualisiert wiedereröffnet statusänderung",
    answer: "antwort* rückmeldung* reaktion* nachricht*",
    no: "kein* nicht ohne",
    offer: "falls wenn sollten um bei",
    offered: "hilfe benötig* brauch* frage* weiterhin noch weiter* problem* möchten zufrieden lösung nicht",
    greeting: "guten tag hallo sehr geehrte* damen herren liebe*",
    regards: "grüße* gruß grüßen freundlichen danke dank vielen",
    team: "team support service* serviceteam kundenservice kundendienst helpdesk team it",
    survey: "wie zufrieden unzufrieden gut schlecht bewert* bearbeitung waren sind beurteil* unser* empfehl*",
    address: "adresse* e-mail-adresse mailadresse postfach",
    unread: "verwendet genutzt gelesen abgerufen gültig aktiv geändert überwacht",
    program: "automat* generiert*",
    instead: "künftig nutzen schreiben weitergeleitet mehr",
    question: "wie bewert* meinung",
    rest: "dies* das der die den dem des ein* ihr* ihnen sie wir uns unser* von vom zu zum zur in im am an auf mit und oder ist sind wurde* wird werden worden war haben hat da weil daher erhalten eingegangen status offen wartend stunden tage* tagen tag nach innerhalb neu* einfach bitte e-mail mail nachricht* antworten antwort es er ihn wieder öffnen erneut automatisch für link hier nummer ticketnummer können kannst sie indem erfolgreich hoffen zufriedenheit ansehen anzeigen sein sollte jederzeit"
  },
  fr: {
    request: "ticket* demande* dossier* cas",
    became: "fermé* clôturé* clôturée* résolu* fusionné* attribué* modifié* rouvert* clos close*",
    answer: "réponse* retour nouvelle* message",
    no: "sans pas aucun* n'avons",
    offer: "si pour",
    offered: "aide besoin question* toujours encore autre* suffit il n'êtes satisfait* pas solution vous de",
    greeting: "bonjour madame monsieur cher chère",
    regards: "cordialement merci salutations",
    team: "support service équipe client clients technique assistance informatique",
    survey: "comment évalu* satisfait* insatisfait* bon mauvais note* avis êtes notre recommand* merci aide",
    address: "adresse boîte compte messagerie",
    unread: "utilisée consultée active valable lue surveillée changé",
    program: "automat* généré*",
    instead: "écrire écrivez désormais utiliser utilisez d'écrire plus",
    question: "comment évalu* avis",
    rest: "ce cette ceci votre vos notre nous vous de du des la le les l'un une un en à au aux par et ou est sont sera a été était d'ici dans il suffit maintenant heures heure jours jour automatiquement maintenant n° numéro statut répondre répondant répondez rouvrir courriel e-mail mail n la pouvez n'est part lien ici s'il plaît veuillez espérons satisfaction sous pouvez votre"
  },
  es: {
    request: "ticket* caso solicitud incidencia consulta",
    became: "cerrad* cerrará resuelt* fusionad* asignad* cambiad* reabiert*",
    answer: "respuesta* mensaje noticias",
    no: "no sin ninguna",
    offer: "si para",
    offered: "ayuda necesita todavía más pregunta* reabrirl* basta con responder",
    greeting: "hola estimad* cliente buenos días",
    regards: "gracias saludo* atentamente cordial*",
    team: "soporte equipo servicio atención asistencia",
    survey: "cómo valora atención recibida buen* mal* satisfech* opinión tiempo califica recomend*",
    address: "dirección cuenta buzón",
    unread: "uso activa utiliza revisa lee válida cambiado",
    program: "automátic*",
    instead: "escriba dirigirse utilice",
    question: "cómo valora califica opinión",
    rest: "este esta su sus nuestro nuestra nos le la el los las de del a al en por y o es está son será ha sido fue han hemos recibido como se horas hora días día automáticamente correo electrónico e-mail ya ser un una responda favor ahora enlace aquí número nº estado esperamos satisfacción puede reabrir reabrirlo"
  },
  it: {
    request: "ticket* richiesta caso segnalazione",
    became: "chius* risolt* unit* assegnat* modificat* riapert*",
    answer: "risposta* riscontro messaggio",
    no: "non senza nessuna",
    offer: "se per",
    offered: "aiuto bisogno ancora altr* domand* riaprirl* basta rispondere",
    greeting: "buongiorno gentile cliente salve",
    regards: "grazie saluti cordiali",
    team: "assistenza supporto team servizio clienti",
    survey: "come valuta assistenza ricevuta l'assistenza buon* scars* soddisfatt* valutazione consigli*",
    address: "indirizzo casella account",
    unread: "attivo uso letta utilizzato monitorata valido cambiato",
    program: "automatic*",
    instead: "scrivere utilizzare",
    question: "come valuta*",
    rest: "questo questa la il lo i gli le un una di del della da dal a al in tra fra per e o è sono sarà verrà stata stato ha abbiamo avendo ricevuto ore ora giorni giorno automaticamente e-mail mail sua suo nostra più si prega rispondere link qui numero n speriamo può riaprire soddisfazione"
  },
  nl: {
    request: "ticket* melding* aanvraag vraag verzoek",
    became: "gesloten afgesloten opgelost afgehandeld samengevoegd toegewezen gewijzigd heropend",
    answer: "reactie* antwoord* bericht",
    no: "geen niet zonder",
    offer: "als heeft mocht om",
    offered: "hulp nodig nog vragen verder",
    greeting: "beste hallo geachte heer mevrouw",
    regards: "bedankt dank groet* vriendelijke",
    team: "support team service servicedesk helpdesk klantenservice",
    survey: "hoe tevreden ontevreden beoordeelt goed slecht bent onze aanbevelen",
    address: "e-mailadres adres mailbox postvak",
    unread: "gebruik gebruikt gelezen actief geldig gewijzigd",
    program: "automatisch* gegenereerd*",
    instead: "voortaan meer",
    question: "hoe beoordeelt",
    rest: "dit deze de het een uw u wij we ons onze van voor in op met en of is zijn wordt worden werd omdat ontvangen over na binnen uur dagen dag automatisch beantwoord beantwoorden e-mail mail bericht heropenen opnieuw in gebruik nummer link hier status hebben dan hopen kunt ticket"
  },
  pl: {
    request: "zgłoszeni* sprawa bilet",
    became: "zamknięt* rozwiązan* połączon* przypisan* zmienion*",
    answer: "odpowiedzi* wiadomość* reakcji",
    no: "nie bez brak*",
    offer: "aby jeśli jeżeli",
    offered: "pomoc* potrzebuj* nadal pytania otworzyć ponownie",
    greeting: "dzień dobry szanown*",
    regards: "dziękujemy pozdraw*",
    team: "zespół wsparci* pomoc*",
    survey: "jak oceniasz ocena naszą pomoc dobrze źle zadowolon* niezadowolon*",
    address: "adres skrzynka",
    unread: "używany czytana aktywny zmieniony",
    program: "automatyczn*",
    instead: "pisać",
    question: "jak oceniasz ocena",
    rest: "to ten ta tę twoje państwa pana pani na w za po i lub jest są będzie zostanie zostało został była otrzymaliśmy dlatego automatycznie godzin* dni dzień je prosimy odpowiedzieć wiadomość e-mail mail już link numer możesz można otworzyć"
  },
  pt: {
    request: "ticket* chamado* solicitação pedido caso",
    became: "encerrad* fechad* resolvid* mesclad* atribuíd* alterad* reabert*",
    answer: "resposta* retorno mensagem",
    no: "não sem nenhuma",
    offer: "se para caso",
    offered: "ajuda precisar ainda dúvidas reabr* basta responder",
    greeting: "olá prezad* caro bom dia",
    regards: "obrigad* atenciosamente cumprimentos",
    team: "suporte equipe equipa atendimento apoio",
    survey: "como avalia avalie atendimento bom ruim mau satisfeit* insatisfeit*",
    address: "endereço caixa conta",
    unread: "uso ativo utilizado lida monitorada mudou",
    program: "automátic*",
    instead: "escreva",
    question: "como avali*",
    rest: "este esta o a os as seu sua nosso nossa um uma de do da em no na por e ou é está são será foi tem recebemos como horas hora dias dia automaticamente e-mail mail mais responda link aqui número nº esperamos pode reabrir satisfação"
  },
  nordic: {
    request: "ärende* sag sagen sak saken henvendelse* tukipyyn* pyynt* tiket* förfrågan",
    became:
      "stängs stängt avslutat avslutas löst lukkes lukket løst lukkes lukket lukkes suljettu suljetaan ratkaistu tilldelat avsluttet",
    answer: "svar svaret vastausta vastaus",
    no: "inte ikke ingen inget emme ei",
    offer: "behöver om hvis jos for har",
    offered: "hjälp hjælp hjelp apua fortfarande stadig brug för spørgsmål tarvitset edelleen",
    greeting: "hej hei hyvä kära kære",
    regards: "tack tak takk kiitos hälsningar hilsen vänliga venlig vennlig",
    team: "support team kundtjänst kundeservice tuki asiakaspalvelu service",
    survey:
      "hur nöjd missnöjd hjälpen hvor tilfreds utilfreds god dårlig bra dålig fornøyd misfornøyd kuinka tyytyväinen tyytymätön är er med",
    address: "adressen adress adresse e-postadress e-postadresse postlåda osoite",
    unread: "används läses aktiv anvendes læses bruges brukes leses käytössä lueta",
    program: "automatisk* automaatti*",
    instead: "längre længere lenger",
    question: "hur hvor kuinka",
    rest: "det den detta denne dette här her ditt din dit vi oss dig deg du i på av af til till om och og så svarar på mejlet mail mejl timmar timer dagar dage dager automatiskt automatisk har fått något modtaget mottatt är er blev ble være genåbne åpne öppna igen igjen svar denna link nummer at for tai on tunnin kuluttua automaattisesti olemme saaneet voit vastata viestiin kan hoppas håber"
  },
  cs: {
    request: "požadav* ticket* dotaz* tiket*",
    became: "uzavřen* vyřešen* sloučen* přiřazen* změněn*",
    answer: "odpověď* odpovědi zprávu",
    no: "ne bez nedostali neobdrželi",
    offer: "pro pokud",
    offered: "pomoc potřebujete stále opětovné otevření",
    greeting: "dobrý den vážen*",
    regards: "děkujeme pozdrav*",
    team: "podpora podpory tým",
    survey: "jak hodnotíte naši podporu dobře špatně spokojen* nespokojen* hodnocení",
    address: "adresa schránka",
    unread: "používána čtena aktivní změněna",
    program: "automatick*",
    instead: "již",
    question: "jak hodnot*",
    rest: "tento tato to váš vaše náš na v za po a nebo je jsou bude byl byla jsme proto odpověď odpovězte e-mail mail zprávu automaticky hodin* dnů den číslo odkaz můžete otevřít"
  },
  ru: {
    request: "заявк* обращени* запрос* тикет*",
    became: "закрыт* решен* объединен* назначен* изменен*",
    answer: "ответ* сообщени*",
    no: "не без нет",
    offer: "чтобы если для",
    offered: "помощь нужна еще открыть снова вопрос*",
    greeting: "здравствуйте добрый день уважаем*",
    regards: "спасибо уважени*",
    team: "поддержк* служб* команда",
    survey: "как вы оцениваете работу поддержк* хорошо плохо оценк* оцените доволен недоволен",
    address: "адрес ящик",
    unread: "используется читается изменен",
    program: "автоматическ*",
    instead: "пишите больше",
    question: "как оцен*",
    rest: "это этот эта ваш* наш* мы вам вас на в во с к по и или за через поэтому будет был была получили автоматически час* дн* письмо ответьте её ее номер ссылка можете открыть"
  }
}

/** An expression for any of these words, whole. */
const anyOf = (words: string): RegExp =>
  new RegExp(
    `^(?:${words
      .split(" ")
      .map((word) => fold(word).replace(/\*/g, "[\\p{L}'-]*"))
      .join("|")})$`,
    "u"
  )

/** The words of a language, as expressions for folded words; `plain`, `asked` and `told`: all that a notice, a survey, and the notice of an address may hold. */
export type DeskLanguage = Readonly<Record<keyof Words | "plain" | "asked" | "told", RegExp>>

export const DESK_LANGUAGES: ReadonlyArray<DeskLanguage> = Object.values(WORDS).map((words) => {
  const plain = [
    words.request,
    words.became,
    words.answer,
    words.no,
    words.regards,
    words.team,
    words.program,
    words.rest
  ]
  return {
    request: anyOf(words.request),
    became: anyOf(words.became),
    answer: anyOf(words.answer),
    no: anyOf(words.no),
    offer: anyOf(words.offer),
    offered: anyOf([...plain, words.offer, words.offered].join(" ")),
    greeting: anyOf(words.greeting),
    regards: anyOf(words.regards),
    team: anyOf(words.team),
    survey: anyOf(words.survey),
    address: anyOf(words.address),
    unread: anyOf(words.unread),
    program: anyOf(words.program),
    instead: anyOf(words.instead),
    question: anyOf(words.question),
    rest: anyOf(words.rest),
    plain: anyOf(plain.join(" ")),
    asked: anyOf([...plain, words.survey, words.question].join(" ")),
    told: anyOf([...plain, words.address, words.unread, words.instead].join(" "))
  }
})
