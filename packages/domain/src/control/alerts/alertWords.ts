import type { AlertCause } from "./AlertStore.js"

/** Why a mailbox was paused, and the server's own words behind a colon. */
const pauseWords = (says: string): string => {
  const [reason = "", ...evidence] = says.split(": ")
  const words = reason.replaceAll("_", " ")
  return evidence.length === 0 ? words : `${words}: “${evidence.join(": ")}”`
}

/** The text of an alert, on one line. */
export const alertWords = ({ kind, name, says }: AlertCause): string => {
  switch (kind) {
    case "low_balance":
      return `Low balance: ${says} credits are available.`
    case "key_cap":
      return `The key "${name}" has used ${says} % of its monthly cap.`
    case "mailbox_paused":
      return `The mailbox ${name} was paused${says === "" ? "" : ` (${pauseWords(says)})`}.`
    case "campaign_capacity":
      return `The campaign "${name}" was paused: it has no mailbox that can send.`
    case "webhook_failing":
      return `Every delivery to the webhook ${name} has failed since ${says}. We keep trying.`
    case "payment_returned":
      return `$${(Number(says) / 100).toFixed(2)} of a payment went back to the payer. Its credits are taken from your balance.`
    case "domain_records":
      return says === ""
        ? `The DNS records of ${name} were not found in time. Compare them with what should stand there.`
        : `The DNS records of ${name} were not all set: ${says}`
    case "records_missing":
      return `DNS records of ${name} that were green are missing or changed: ${says}.`
    case "dmarc_failing":
      return `Mail from ${name} fails DMARC: ${says} in the last 7 days, as receivers report.`
    case "blocklisted":
      return `${name} is on a blocklist: ${says}`
    case "delisted":
      return `${name} is no longer on the blocklist ${says}.`
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
  }
}
