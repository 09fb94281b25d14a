import type { RecipientWords } from "./RecipientWords.js"

export const fi: RecipientWords = {
  unsubscribe: "Peru viestit",
  unsubscribeLead: "Paina painiketta, niin et saa enää sähköpostia tältä lähettäjältä. Lähettäjä ei voi kumota tätä.",
  unsubscribed: "Viestit on peruttu",
  unsubscribedLead: "Et saa enää sähköpostia tältä lähettäjältä. Voit sulkea tämän sivun.",
  invalid: "Linkki ei kelpaa",
  invalidLead:
    "Linkki voi olla vajaa. Avaa se itse viestistä, tai vastaa viestiin ja pyydä, ettei sinuun enää oteta yhteyttä.",
  later: "Hetkellisesti poissa käytöstä",
  laterLead: "Mitään ei ole vielä tehty. Yritä hetken päästä uudelleen tai vastaa viestiin.",
  why: "Miksi sain tämän?",
  who: "Kuka sinulle kirjoittaa",
  noAddress: "Lähettäjä ei ole ilmoittanut postiosoitetta.",
  whence: "Mistä osoitteesi on peräisin",
  imported: "lähettäjän omasta luettelosta",
  found: "hausta yritystiedoista",
  added: "lisätty kampanjaan",
  stated: "Mistä sinua tai yritystäsi koskevat väitteet ovat peräisin",
  sent: "Mitä sinulle lähetettiin",
  nothingSent: "Sinulle ei ole lähetetty yhtään viestiä.",
  approved: "Ihminen on katsonut ja hyväksynyt nämä viestit.",
  checked: "Mitä ennen jokaista viestiä tarkistetaan",
  checkedWhat:
    "Ettet ole vastannut, vastustanut tai perunut viestejä, että osoitteesi toimii, että ihminen on hyväksynyt kampanjan eikä kukaan ole pysäyttänyt sitä, ja ettei sinulle kirjoiteta liian usein.",
  after: "Mitä sen jälkeen tapahtui",
  stopped: "Tämä lähettäjä ei enää kirjoita sinulle.",
  rights: "Mitä voit tehdä",
  access: "Pyydä kopio tiedoistani",
  erasure: "Pyydä poistamaan tietoni",
  erasureNote: "Tämä lopettaa myös kaikki viestit tältä lähettäjältä.",
  asked: "Pyyntösi on välitetty",
  askedLead: "Lähettäjälle on ilmoitettu, ja hänellä on kuukausi aikaa vastata sinulle."
}
