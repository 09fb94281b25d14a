import type { RecipientWords } from "./RecipientWords.js"

export const sv: RecipientWords = {
  unsubscribe: "Avregistrera dig",
  unsubscribeLead:
    "Klicka på knappen för att inte få fler mejl från den här avsändaren. Avsändaren kan inte ångra det.",
  unsubscribed: "Du är avregistrerad",
  unsubscribedLead: "Du får inga fler mejl från den här avsändaren. Du kan stänga sidan.",
  invalid: "Länken är ogiltig",
  invalidLead:
    "Länken kan vara ofullständig. Öppna den från själva mejlet, eller svara på mejlet och be att inte få fler mejl.",
  later: "Tillfälligt otillgänglig",
  laterLead: "Ingenting har gjorts än. Försök igen om en stund, eller svara på mejlet.",
  why: "Varför fick jag det här?",
  who: "Vem som skriver till dig",
  noAddress: "Avsändaren har inte uppgett någon postadress.",
  whence: "Var din adress kommer ifrån",
  imported: "från avsändarens egen lista",
  found: "från en sökning i företagsdata",
  added: "tillagd i en kampanj",
  stated: "Varifrån uppgifter om dig eller ditt företag kommer",
  sent: "Vad som skickades till dig",
  nothingSent: "Inget meddelande har skickats till dig.",
  approved: "En människa har läst och godkänt meddelandena.",
  checked: "Vad som kontrolleras före varje meddelande",
  checkedWhat:
    "Att du inte har svarat, invänt eller avregistrerat dig, att din adress fungerar, att en människa har godkänt kampanjen och ingen har stoppat den, och att du inte får mejl för ofta.",
  after: "Vad som hände sedan",
  stopped: "Den här avsändaren skriver inte till dig längre.",
  rights: "Vad du kan göra",
  access: "Be om en kopia av mina uppgifter",
  erasure: "Be om att mina uppgifter raderas",
  erasureNote: "Det stoppar också alla mejl från den här avsändaren.",
  asked: "Din begäran har skickats vidare",
  askedLead: "Avsändaren har meddelats och har en månad på sig att svara."
}
