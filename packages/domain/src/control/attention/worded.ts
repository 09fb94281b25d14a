import type { AddLeadsSnapshot, LaunchSnapshot } from "../../calls/approvals/Snapshot.js"
import type { SequenceStep } from "../../kernel/sequences/Sequence.js"
import { assignedVariants, wordedBy } from "../../kernel/sequences/variants.js"

/** What writes to people: it has messages to look at. */
export type Sending = typeof LaunchSnapshot.Type | typeof AddLeadsSnapshot.Type

/** The messages of a request as they are worded for a person, by the hash of their address. */
export const wordedFor = ({ campaign_id: campaignId, steps }: Sending) => {
  const sequence: ReadonlyArray<SequenceStep> = steps.map(({ body, other_variants, subject, wait_days }) => ({
    subject,
    body,
    waitDays: wait_days,
    ...(other_variants === undefined ? {} : { otherVariants: other_variants })
  }))
  return (addressHash: string): ReadonlyArray<SequenceStep> =>
    wordedBy(sequence, assignedVariants({ campaignId, sequence }, addressHash))
}
