import type { RecipientWords } from "./RecipientWords.js"

export const en: RecipientWords = {
  unsubscribe: "Unsubscribe",
  unsubscribeLead: "Click the button to stop all email from this sender. The sender can’t undo this.",
  unsubscribed: "You are unsubscribed",
  unsubscribedLead: "You will get no more email from this sender. You can close this page.",
  invalid: "This link is invalid",
  invalidLead:
    "The link may be incomplete. Open it from the email itself, or reply to the email and ask not to be contacted again.",
  later: "Temporarily unavailable",
  laterLead:
    "You are not unsubscribed yet, and nothing was passed on. Try again in a moment, or reply to the email and ask not to be contacted again.",
  why: "Why did I get this?",
  who: "Who writes to you",
  noAddress: "The sender gave no postal address.",
  whence: "Where your address came from",
  imported: "from a list of the sender’s own",
  found: "from a search in business data",
  added: "added to a campaign",
  stated: "Where statements about you or your company come from",
  sent: "What was sent to you",
  nothingSent: "No message was sent to you.",
  approved: "A person looked at these messages and approved them.",
  checked: "What is checked before each message",
  checkedWhat:
    "That you have not answered, objected or unsubscribed, that your address works, that a person approved the campaign and nobody stopped it, and that you are not written to too often.",
  after: "What happened afterwards",
  stopped: "This sender does not write to you any more.",
  rights: "What you can do",
  access: "Ask for a copy of my data",
  erasure: "Ask to delete my data",
  erasureNote: "This also stops all email from this sender.",
  asked: "Your request was passed on",
  askedLead: "The sender has been notified, and has a month to answer you."
}
