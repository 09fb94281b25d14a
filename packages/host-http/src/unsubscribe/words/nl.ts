import type { RecipientWords } from "./RecipientWords.js"

export const nl: RecipientWords = {
  unsubscribe: "Afmelden",
  unsubscribeLead:
    "Klik op de knop om geen e-mail meer van deze afzender te krijgen. De afzender kan dit niet terugdraaien.",
  unsubscribed: "U bent afgemeld",
  unsubscribedLead: "U krijgt geen e-mail meer van deze afzender. U kunt deze pagina sluiten.",
  invalid: "Deze link is ongeldig",
  invalidLead:
    "De link is misschien onvolledig. Open hem vanuit de e-mail zelf, of beantwoord de e-mail en vraag om geen berichten meer.",
  later: "Tijdelijk niet beschikbaar",
  laterLead: "Er is nog niets gedaan. Probeer het zo meteen opnieuw, of beantwoord de e-mail.",
  why: "Waarom kreeg ik dit?",
  who: "Wie u schrijft",
  noAddress: "De afzender heeft geen postadres opgegeven.",
  whence: "Waar uw adres vandaan komt",
  imported: "uit een eigen lijst van de afzender",
  found: "uit een zoekopdracht in bedrijfsgegevens",
  added: "toegevoegd aan een campagne",
  stated: "Waar uitspraken over u of uw bedrijf vandaan komen",
  sent: "Wat u is gestuurd",
  nothingSent: "Er is u geen bericht gestuurd.",
  approved: "Een mens heeft deze berichten bekeken en goedgekeurd.",
  checked: "Wat voor elk bericht wordt gecontroleerd",
  checkedWhat:
    "Dat u niet hebt geantwoord, geen bezwaar hebt gemaakt en u niet hebt afgemeld, dat uw adres werkt, dat een mens de campagne heeft goedgekeurd en niemand die heeft gestopt, en dat u niet te vaak wordt aangeschreven.",
  after: "Wat er daarna gebeurde",
  stopped: "Deze afzender schrijft u niet meer.",
  rights: "Wat u kunt doen",
  access: "Een kopie van mijn gegevens vragen",
  erasure: "Vragen om mijn gegevens te wissen",
  erasureNote: "Dit stopt ook alle e-mail van deze afzender.",
  asked: "Uw verzoek is doorgegeven",
  askedLead: "De afzender is op de hoogte gebracht en heeft een maand om u te antwoorden."
}
