import type { RecipientWords } from "./RecipientWords.js"

export const it: RecipientWords = {
  unsubscribe: "Annulla l’iscrizione",
  unsubscribeLead:
    "Fai clic sul pulsante per non ricevere più e-mail da questo mittente. Il mittente non può annullare questa scelta.",
  unsubscribed: "Iscrizione annullata",
  unsubscribedLead: "Non riceverai più e-mail da questo mittente. Puoi chiudere questa pagina.",
  invalid: "Questo link non è valido",
  invalidLead:
    "Il link potrebbe essere incompleto. Aprilo dall’e-mail stessa, oppure rispondi all’e-mail chiedendo di non essere più contattato.",
  later: "Temporaneamente non disponibile",
  laterLead: "Non è ancora stato fatto nulla. Riprova tra un momento, oppure rispondi all’e-mail.",
  why: "Perché ho ricevuto questo messaggio?",
  who: "Chi ti scrive",
  noAddress: "Il mittente non ha indicato un indirizzo postale.",
  whence: "Da dove viene il tuo indirizzo",
  imported: "da un elenco del mittente",
  found: "da una ricerca in dati aziendali",
  added: "aggiunto a una campagna",
  stated: "Da dove provengono le affermazioni su di Lei o sulla Sua azienda",
  sent: "Che cosa ti è stato inviato",
  nothingSent: "Non ti è stato inviato alcun messaggio.",
  approved: "Una persona ha guardato questi messaggi e li ha approvati.",
  checked: "Che cosa si controlla prima di ogni messaggio",
  checkedWhat:
    "Che tu non abbia risposto, non ti sia opposto e non abbia annullato l’iscrizione, che il tuo indirizzo funzioni, che una persona abbia approvato la campagna e nessuno l’abbia fermata, e che non ti si scriva troppo spesso.",
  after: "Che cosa è successo dopo",
  stopped: "Questo mittente non ti scrive più.",
  rights: "Che cosa puoi fare",
  access: "Chiedi una copia dei miei dati",
  erasure: "Chiedi di cancellare i miei dati",
  erasureNote: "Questo ferma anche tutte le e-mail di questo mittente.",
  asked: "La tua richiesta è stata inoltrata",
  askedLead: "Il mittente è stato avvisato e ha un mese per risponderti."
}
