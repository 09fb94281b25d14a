import type { ClaimedCrmWrite } from "./CrmStore.js"

/** The longest quotation of a reply. */
const QUOTED_CHARS_MAX = 4_000

/** Ours alone, and the same in every try. */
export const markerOf = ({ writeId }: Pick<ClaimedCrmWrite, "writeId">): string => `outbound-${writeId}`

/** What the note says, as plain text. */
export const noteText = (write: ClaimedCrmWrite): string => {
  const { campaignName, kind, reply } = write
  const quoted = reply === null ? "" : reply.bodyText.slice(0, QUOTED_CHARS_MAX)
  const lines = [
    kind === "meeting" ? "A meeting was booked." : "They replied to a campaign.",
    `Campaign: ${campaignName}`,
    ...(reply === null
      ? []
      : [
          ...(reply.classification === null ? [] : [`Understood as: ${reply.classification.replaceAll("_", " ")}`]),
          `Subject: ${reply.subject}`,
          "",
          quoted
        ]),
    "",
    `Reference: ${markerOf(write)}`
  ]
  return lines.join("\n")
}
