import type { AlertCause } from "./AlertStore.js"

/** What an alert says, on one line. */
export const alertWords = ({ kind, name, says }: AlertCause): string => {
  switch (kind) {
    case "low_balance":
      return `${says} credits are left to spend.`
    case "key_cap":
      return `The key "${name}" has used ${says} % of its monthly cap.`
    case "mailbox_paused":
      return `The mailbox ${name} was paused${says === "" ? "" : ` (${says.replaceAll("_", " ")})`}.`
    case "campaign_capacity":
      return `The campaign "${name}" was paused: there is no mailbox left that may send for it.`
    case "webhook_failing":
      return `The webhook ${name} has taken nothing since ${says}. It is tried again and again.`
  }
}

/** Where in the console somebody does something about it. */
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
  }
}
