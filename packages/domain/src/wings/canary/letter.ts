/** A canary's letter: an approved text, as it would go to a person, addressed to another own mailbox. */
import { oneLine, requiredVariables } from "../../kernel/sequences/template.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import { wordedBy, wordingsOf } from "../../kernel/sequences/variants.js"
import { PLAIN_FOOTER } from "../../kernel/words/notice.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { Campaign } from "../../outreach/campaigns/CampaignStore.js"
import { letterMarkOf } from "../../outreach/mail/mailMark.js"
import type { OutgoingMail } from "../../outreach/mail/MailTransport.js"
import { footer, mergedMessage, rfcMessageId } from "../../outreach/sending/compose.js"
import type { Mailbox } from "../../outreach/sending/SendingStore.js"
import type { Canary } from "./Canary.js"

/** How many wordings the first message of a campaign has; null: one, so it has no variants. */
export const variantsOf = ({ sequence }: Pick<Campaign, "sequence">): number | null => {
  const [first] = sequence
  return first?.otherVariants === undefined ? null : wordingsOf(first).length
}

/** The other mailbox as a person: values that a text needs of its own stand there under their names. */
const recipientOf = (
  { address, displayName, domain }: Mailbox,
  { sequence }: Pick<Campaign, "sequence">
): Recipient => {
  const [firstName = "", ...rest] = oneLine(displayName).split(" ")
  const custom = requiredVariables(sequence).flatMap((name) =>
    name.startsWith("custom.") ? [[name.slice("custom.".length), name.slice("custom.".length)] as const] : []
  )
  return {
    email: address,
    firstName: firstName === "" ? null : firstName,
    lastName: rest.length === 0 ? null : rest.join(" "),
    companyName: domain,
    custom: Object.fromEntries(custom)
  }
}

/** `unsubscribeUrl`: on the workspace's link host, of a person who does not exist. */
export const letterOf = (
  crypto: Pick<Crypto["Service"], "mac">,
  canary: Canary,
  of: {
    readonly campaign: Campaign
    readonly from: Mailbox
    readonly to: Mailbox
    readonly postalAddress: string | null
    readonly unsubscribeUrl: string
  }
): OutgoingMail => {
  const { campaign, from, postalAddress, to, unsubscribeUrl } = of
  const recipient = recipientOf(to, campaign)
  const { body, subject, toName } = mergedMessage(wordedBy(campaign.sequence, [canary.variant]), 0, recipient)
  return {
    messageId: rfcMessageId(canary.canaryId, from.domain),
    from: { address: from.address, name: oneLine(from.displayName) },
    to: { address: to.address, name: toName },
    subject,
    text: `${body.map(({ text }) => text).join("")}${footer(postalAddress ?? "", unsubscribeUrl, PLAIN_FOOTER)}`,
    html: null,
    references: [],
    unsubscribeUrl,
    mark: letterMarkOf(crypto, canary.workspaceId, canary.canaryId)
  }
}
