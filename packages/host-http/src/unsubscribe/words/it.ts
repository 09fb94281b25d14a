import type { RecipientWords } from "./RecipientWords.js"

export const it: RecipientWords = {
  unsubscribe: "Annulla l’iscrizione",
  unsubscribeLead:
    "Faccia clic sul pulsante per non ricevere più e-mail da questo mittente. Il mittente non può annullare questa scelta.",
  unsubscribed: "Iscrizione annullata",
  unsubscribedLead: "Non riceverà più e-mail da questo mittente. Può chiudere questa pagina.",
  invalid: "Questo link non è valido",
  invalidLead:
    "Il link potrebbe essere incompleto. Lo apra dall’e-mail stessa, oppure risponda all’e-mail chiedendo di non ricevere altri messaggi.",
  later: "Temporaneamente non disponibile",
  laterLead: "Non è ancora stato fatto nulla. Riprovi tra un momento, oppure risponda all’e-mail.",
  why: "Perché ho ricevuto questo messaggio?",
  who: "Chi le scrive",
  noAddress: "Il mittente non ha indicato un indirizzo postale.",
  whence: "Da dove viene il suo indirizzo",
  imported: "da un elenco del mittente",
  found: "da una ricerca in dati aziendali",
  added: "aggiunto a una campagna",
  stated: "Da dove provengono le affermazioni su di lei o sulla sua azienda",
  sent: "Che cosa le è stato inviato",
  nothingSent: "Non le è stato inviato alcun messaggio.",
  approved: "Una persona ha guardato questi messaggi e li ha approvati.",
  checked: "Che cosa si controlla prima di ogni messaggio",
  checkedWhat:
    "Che lei non abbia risposto, fatto opposizione o annullato l’iscrizione, che il suo indirizzo funzioni, che una persona abbia approvato la campagna e nessuno l’abbia fermata, e che non le si scriva troppo spesso.",
  after: "Che cosa è successo dopo",
  stopped: "Questo mittente non le scrive più.",
  rights: "Che cosa può fare",
  access: "Chiedere una copia dei miei dati",
  erasure: "Chiedere la cancellazione dei miei dati",
  erasureNote: "Questo ferma anche tutte le e-mail di questo mittente.",
  asked: "La sua richiesta è stata inoltrata",
  askedLead: "Il mittente è stato avvisato e ha un mese per risponderle."
}
