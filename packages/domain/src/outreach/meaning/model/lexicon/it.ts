import type { Lexicon } from "../conceptNames.js"

/** What words do in Italian. */
export const it: Lexicon = {
  not: "mai ne nessun* niente nn no non nulla senza",
  more: "altre altri altro ancora futuro insist* nuovamente nuovo oltre piu ricontatt* sollecit* ulterior*",
  stop: "asten* bast* cess* chiudiamola evit* fermat* fin* insist* interromp* lasci* palle perdere piant* rinunci* smett* sped* stop stuf*",
  off: "annull* cancell* compar* depenn* disiscri* elimin* esce escl* esco figur* fuori lev* rimoz* rimuov* salt* segnateci sparire sparisc* sparit* togl* tolg* uscire via",
  mail: "commercial* comunicazion* corrispondenza email invi* mail messaggi* newsletter offert* promozion* propost* pubblicita sollecit* spam vendit*",
  write: "chiam* contatt* disturb* insist* invi* mand* ricontatt* riscriv* rivolg* scriv*",
  get: "arriv* legger* ricev* vedere",
  me: "ci io me mi mia mie miei mio noi nostr*",
  you: "lei sua sue suo suoi ti tu tua tuo vi voi vostr*",
  list: "archivi* campagn* crm database elenchi elenco lista liste mailing nominativ* rubrica",
  data: "casella contatto dati indirizzi indirizzo mail nome nominativo numero",
  spam: "gradit* illegal* indesiderat* molest* richiest* spam",
  consent: "autorizz* chiest* consens* iscri* permess*",
  law: "articolo avvocat* blocc* denunc* diffid* diritt* garante gdpr legge oppong* opposizion* privacy revoc* segnal*",
  peace: "disturb* lasciami lasciateci lasciatemi pace romp* rott* sparite stare tranquill*",
  forget: "butt* dimentic*",
  last: "quart* quint* terza ultim* volt*",
  want: "bisogno desider* gradir* intend* interess* prefer* serv* vogli* vorrei vorremmo",
  sure: "assicur* consider* cortesia facciate fate modo nota prendete segnate segnatevi",
  can: "possibile pot* puo puoi",
  where: "chi come dove perche",
  if: "dopo fino prima quando se",
  later:
    "adesso agosto anno aprile dicembre domani estate febbraio gennaio giovedi giugno luglio lunedi maggio martedi marzo mercoledi mese mesi momento natale novembre ora ottobre pasqua settembre settiman* tardi trimestre venerdi",
  thing:
    "account allegat* appuntament* bozz* consegn* contratt* copia doppi* fattur* listino logo ordin* pagina preventiv* produzion* prova riga righe utent* voce",
  others: "cliente clienti collega colleghi destinatari* iscritti loro qualcuno utenti",
  call: "chiam* incontr* parl* sentiamoci sentir* telefon*",
  yes: "certo costa interessa listino mandi prezz* quanto si volentieri",
  please: "cortesemente cortesia favore gentilmente grazie prego",
  answer: "rispond* risposta risposte silenzio tacere",
  here: "casa casella indirizzo questo qui",
  any: "nessuno ogni qualsiasi qualunque sempre tutta tutte tutti tutto",
  gone: "chiusa chiuso deceduto defunto esiste lasciato mancato morto pensione scomparso",
  firm: "associazione azienda ditta dominio impresa negozio scuola squadra studio ufficio",
  such: "cio cosa genere questa queste questi questo roba simili tipo",
  product:
    "abbonamento account funzion* licenza modulo piattaforma prodott* programma prova servizi* sistema software soluzion* strumenti strumento",
  use: "conserv* detenere memorizz* tenere tratta* us* utilizz*",
  confirm: "attest* conferm* prova",
  next: "altra altro prossim* successiv*",
  number: "cinque due quattro seconda sei sesta terza terzo tre",
  only: "ma pero solo soltanto",
  go: "addio altrove andare andate via"
}
