import type { RecipientWords } from "./RecipientWords.js"

export const da: RecipientWords = {
  unsubscribe: "Afmeld",
  unsubscribeLead: "Klik på knappen for ikke at få flere mails fra denne afsender. Afsenderen kan ikke fortryde det.",
  unsubscribed: "Du er afmeldt",
  unsubscribedLead: "Du får ikke flere mails fra denne afsender. Du kan lukke siden.",
  invalid: "Linket er ugyldigt",
  invalidLead:
    "Linket er måske ufuldstændigt. Åbn det fra selve mailen, eller svar på mailen og bed om ikke at blive kontaktet igen.",
  later: "Midlertidigt utilgængelig",
  laterLead: "Der er ikke sket noget endnu. Prøv igen om lidt, eller svar på mailen.",
  why: "Hvorfor fik jeg dette?",
  who: "Hvem der skriver til dig",
  noAddress: "Afsenderen har ikke oplyst en postadresse.",
  whence: "Hvor din adresse kommer fra",
  imported: "fra afsenderens egen liste",
  found: "fra en søgning i virksomhedsdata",
  added: "føjet til en kampagne",
  stated: "Hvor udsagn om dig eller din virksomhed stammer fra",
  sent: "Hvad der blev sendt til dig",
  nothingSent: "Der er ikke sendt nogen besked til dig.",
  approved: "Et menneske har set og godkendt beskederne.",
  checked: "Hvad der kontrolleres før hver besked",
  checkedWhat:
    "At du ikke har svaret, gjort indsigelse eller afmeldt dig, at din adresse virker, at et menneske har godkendt kampagnen og ingen har stoppet den, og at du ikke får mails for ofte.",
  after: "Hvad der skete bagefter",
  stopped: "Denne afsender skriver ikke til dig mere.",
  rights: "Hvad du kan gøre",
  access: "Bed om en kopi af mine data",
  erasure: "Bed om at få mine data slettet",
  erasureNote: "Det stopper også alle mails fra denne afsender.",
  asked: "Din anmodning er sendt videre",
  askedLead: "Afsenderen har fået besked og har en måned til at svare dig."
}
