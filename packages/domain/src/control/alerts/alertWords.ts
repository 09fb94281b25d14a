import type { AlertCause } from "./AlertStore.js"
import { inert, quoted } from "./foreignWords.js"

/** How names and words of others stand in the text. */
interface Foreign {
  readonly name: (text: string) => string
  readonly words: (text: string) => string
}

/** On a page nothing becomes a link by itself. */
const ON_PAGE: Foreign = { name: (text) => `"${text}"`, words: (text) => text }

/** In a letter: no link, no hidden character. */
export const IN_LETTER: Foreign = { name: quoted, words: inert }

/** Why a mailbox was paused, and the server's own words behind a colon. */
const pauseWords = (says: string, { words: foreign }: Foreign): string => {
  const [reason = "", ...evidence] = says.split(": ")
  const words = reason.replaceAll("_", " ")
  return evidence.length === 0 ? foreign(words) : `${foreign(words)}: “${foreign(evidence.join(": "))}”`
}

/** The text of an alert, on one line. */
export const alertWords = ({ kind, name, says: given, subject }: AlertCause, foreign: Foreign = ON_PAGE): string => {
  const says = foreign.words(given)
  switch (kind) {
    case "low_balance":
      return `Low balance: ${says} credits are available.`
    case "key_cap":
      return `The key ${foreign.name(name)} has used ${says} % of its monthly cap.`
    case "mailbox_paused":
      return `The mailbox ${foreign.words(name)} was paused${given === "" ? "" : ` (${pauseWords(given, foreign)})`}.`
    case "campaign_capacity":
      return `The campaign ${foreign.name(name)} was paused: it has no mailbox that can send.`
    case "webhook_failing":
      return `Every delivery to the webhook ${foreign.words(name)} has failed since ${says}. We keep trying.`
    case "payment_returned":
      return `$${(Number(given) / 100).toFixed(2)} of a payment went back to the payer. Its credits are taken from your balance.`
    case "domain_records":
      return given === ""
        ? `The DNS records of ${foreign.words(name)} were not found in time. Compare them with what should stand there.`
        : `The DNS records of ${foreign.words(name)} were not all set: ${says}`
    case "records_missing":
      return `DNS records of ${foreign.words(name)} that were green are missing or changed: ${says}.`
    case "dmarc_failing":
      return `Mail from ${foreign.words(name)} fails DMARC: ${says} in the last 7 days, as receivers report.`
    case "blocklisted":
      return `${foreign.words(name)} is on a blocklist: ${says}`
    case "delisted":
      return `${foreign.words(name)} is no longer on the blocklist ${says}.`
    case "domain_not_authenticated":
      return `${foreign.words(name)} is not authenticated (${says}), and mailboxes send from it. After three days they pause if the workspace requires authentication.`
    case "bounces_high":
      return `At least 2 % of what the mailbox ${foreign.words(name)} sent went to addresses that don’t exist. Above 3 % it pauses.`
    case "link_host":
      return subject.includes("/")
        ? `The link host ${foreign.words(name)} is on a blocklist: ${says}`
        : `The link host ${foreign.words(name)} does not answer as it should (${says.replaceAll("_", " ")}). New mail carries the service’s own address until it does.`
    case "person_asked":
      return given === "erasure"
        ? "Somebody you wrote to asks you to erase their data."
        : "Somebody you wrote to asks what you hold about them. You have a month to answer."
  }
}

/** The console's page to act on an alert. */
export const alertPath = ({ kind, subject }: AlertCause): string => {
  switch (kind) {
    case "low_balance":
      return "/console/credits"
    case "key_cap":
      return `/console/keys/${subject.split("/")[0] ?? ""}`
    case "mailbox_paused":
      return "/console/sending"
    case "campaign_capacity":
      return `/console/campaigns/${subject}`
    case "webhook_failing":
      return `/console/webhooks/${subject}`
    case "payment_returned":
      return `/console/payments/${subject}`
    case "domain_records":
    case "records_missing":
    case "dmarc_failing":
    case "blocklisted":
    case "delisted":
      return `/console/domains/${subject.split("/")[0] ?? ""}`
    case "domain_not_authenticated":
    case "bounces_high":
      return "/console/sending/health"
    case "link_host":
      return "/console/settings/link-hosts"
    case "person_asked":
      return "/console/settings/person"
  }
}
