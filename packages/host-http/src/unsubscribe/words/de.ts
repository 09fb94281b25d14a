import type { RecipientWords } from "./RecipientWords.js"

export const de: RecipientWords = {
  unsubscribe: "Abmelden",
  unsubscribeLead:
    "Mit dem Knopf beenden Sie alle E-Mails dieses Absenders. Der Absender kann das nicht rückgängig machen.",
  unsubscribed: "Sie sind abgemeldet",
  unsubscribedLead: "Sie erhalten keine E-Mails mehr von diesem Absender. Sie können diese Seite schließen.",
  invalid: "Dieser Link ist ungültig",
  invalidLead:
    "Der Link ist vielleicht unvollständig. Öffnen Sie ihn aus der E-Mail selbst, oder antworten Sie auf die E-Mail, dass Sie nicht mehr angeschrieben werden möchten.",
  later: "Vorübergehend nicht erreichbar",
  laterLead: "Noch ist nichts geschehen. Versuchen Sie es gleich noch einmal, oder antworten Sie auf die E-Mail.",
  why: "Warum habe ich das bekommen?",
  who: "Wer Ihnen schreibt",
  noAddress: "Der Absender hat keine Postanschrift angegeben.",
  whence: "Woher Ihre Adresse stammt",
  imported: "aus einer eigenen Liste des Absenders",
  found: "aus einer Suche in Geschäftsdaten",
  added: "zu einer Kampagne hinzugefügt",
  stated: "Woher Aussagen über Sie oder Ihr Unternehmen stammen",
  sent: "Was Ihnen gesendet wurde",
  nothingSent: "Ihnen wurde keine Nachricht gesendet.",
  approved: "Ein Mensch hat diese Nachrichten angesehen und freigegeben.",
  checked: "Was vor jeder Nachricht geprüft wird",
  checkedWhat:
    "Dass Sie nicht geantwortet, widersprochen oder sich abgemeldet haben, dass Ihre Adresse funktioniert, dass ein Mensch die Kampagne freigegeben und niemand sie gestoppt hat, und dass Ihnen nicht zu oft geschrieben wird.",
  after: "Was danach geschah",
  stopped: "Dieser Absender schreibt Ihnen nicht mehr.",
  rights: "Was Sie tun können",
  access: "Eine Kopie meiner Daten verlangen",
  erasure: "Löschung meiner Daten verlangen",
  erasureNote: "Das beendet auch alle E-Mails dieses Absenders.",
  asked: "Ihr Anliegen wurde weitergegeben",
  askedLead: "Der Absender wurde benachrichtigt und hat einen Monat Zeit, Ihnen zu antworten."
}
