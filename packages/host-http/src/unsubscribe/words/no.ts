import type { RecipientWords } from "./RecipientWords.js"

export const no: RecipientWords = {
  unsubscribe: "Meld deg av",
  unsubscribeLead: "Klikk på knappen for ikke å få flere e-poster fra denne avsenderen. Avsenderen kan ikke angre det.",
  unsubscribed: "Du er avmeldt",
  unsubscribedLead: "Du får ikke flere e-poster fra denne avsenderen. Du kan lukke siden.",
  invalid: "Lenken er ugyldig",
  invalidLead:
    "Lenken kan være ufullstendig. Åpne den fra selve e-posten, eller svar på e-posten og be om ikke å bli kontaktet igjen.",
  later: "Midlertidig utilgjengelig",
  laterLead: "Ingenting er gjort ennå. Prøv igjen om litt, eller svar på e-posten.",
  why: "Hvorfor fikk jeg dette?",
  who: "Hvem som skriver til deg",
  noAddress: "Avsenderen har ikke oppgitt noen postadresse.",
  whence: "Hvor adressen din kommer fra",
  imported: "fra avsenderens egen liste",
  found: "fra et søk i bedriftsdata",
  added: "lagt til i en kampanje",
  stated: "Hvor utsagn om deg eller bedriften din kommer fra",
  sent: "Hva som ble sendt til deg",
  nothingSent: "Ingen melding er sendt til deg.",
  approved: "Et menneske har sett på og godkjent meldingene.",
  checked: "Hva som kontrolleres før hver melding",
  checkedWhat:
    "At du ikke har svart, protestert eller meldt deg av, at adressen din virker, at et menneske har godkjent kampanjen og ingen har stoppet den, og at du ikke får e-post for ofte.",
  after: "Hva som skjedde etterpå",
  stopped: "Denne avsenderen skriver ikke til deg lenger.",
  rights: "Hva du kan gjøre",
  access: "Be om en kopi av opplysningene mine",
  erasure: "Be om at opplysningene mine slettes",
  erasureNote: "Det stopper også all e-post fra denne avsenderen.",
  asked: "Forespørselen din er sendt videre",
  askedLead: "Avsenderen er varslet og har en måned på å svare deg."
}
