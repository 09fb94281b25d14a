import { Effect } from "effect"
import type { Approval } from "../../../calls/approvals/ApprovalStore.js"
import type { ContentSummary } from "../../../calls/approvals/Snapshot.js"
import { canonicalJson } from "../../../kernel/canonical.js"
import { Crypto } from "../../../kernel/ports/Crypto.js"
import { Ids } from "../../../kernel/ports/Ids.js"
import type { Recipient, SequenceStep } from "../../../kernel/sequences/Sequence.js"
import { ownValue, variablesIn } from "../../../kernel/sequences/template.js"
import type { Campaign } from "../Campaign.js"
import { hoursUnder } from "../recipientHours.js"
import { ContentStore, type ShownPerson } from "./ContentStore.js"
import { examine } from "./examine.js"

/** A person whose messages an approval covers. */
export interface Addressed extends Recipient {
  readonly addressHash: string
}

const CUSTOM = "custom."

/** Only what the messages are merged from. A blank value is none: its fallback is sent. */
const usedOf = (sequence: ReadonlyArray<SequenceStep>) => {
  const names = [...new Set(variablesIn(sequence).map(({ name }) => name))].filter((name) => name.startsWith(CUSTOM))
  return ({ companyName, custom, email, firstName, lastName }: Recipient): Recipient => ({
    email,
    firstName,
    lastName,
    companyName,
    custom: Object.fromEntries(
      names.flatMap((name) => {
        const value = ownValue({ companyName, custom, email, firstName, lastName }, name)
        return value === null ? [] : [[name.slice(CUSTOM.length), value]]
      })
    )
  })
}

/** What an approval shows of a content, and the people to store with it. */
export interface Shown {
  readonly summary: ContentSummary
  readonly people: ReadonlyArray<ShownPerson>
}

/**
 * Binds an approval to each merged message: what people are shown and what is executed are the same values
 * (contract: approvals, binding).
 */
export const makeContent = Effect.gen(function* () {
  const store = yield* ContentStore
  const crypto = yield* Crypto
  const ids = yield* Ids

  const digestsOf = ({ schedule, sequence }: Pick<Campaign, "schedule" | "sequence">) => {
    const used = usedOf(sequence)
    return (recipient: Recipient): { readonly person: Recipient; readonly digest: string } => {
      const person = used(recipient)
      const { companyName, custom, email, firstName, lastName } = person
      const hours = hoursUnder(schedule, recipient)
      const bound = [email, firstName, lastName, companyName, custom, ...(hours === null ? [] : [hours])]
      return { person, digest: crypto.mac("content", canonicalJson(bound)) }
    }
  }

  /** Examines what would be sent to these people. */
  const shown = (campaign: Campaign, recipients: ReadonlyArray<Addressed>, nowMillis: number) =>
    Effect.map(
      store.overlapping(
        campaign.workspaceId,
        campaign.campaignId,
        recipients.map(({ addressHash }) => addressHash)
      ),
      (overlapping_people): Shown => {
        const digestOf = digestsOf(campaign)
        const read = recipients.map((recipient) => ({ ...digestOf(recipient), addressHash: recipient.addressHash }))
        const { people, summary } = examine(
          campaign.sequence,
          read.map(({ person }) => person)
        )
        return {
          summary: {
            ...summary,
            digest: crypto.mac("content", read.map(({ digest }) => digest).join("\n")),
            overlapping_people
          },
          people: read.map(({ addressHash, digest, person }, index) => ({
            ...person,
            shownId: ids.next(nowMillis),
            addressHash,
            digest,
            looks: people[index]?.looks ?? [],
            hosts: people[index]?.hosts ?? []
          }))
        }
      }
    )

  /** Stores what an approval shows, and drops what replaced ones of its target showed. */
  const keep = (workspaceId: string, approvalId: string, target: string, { people }: Shown) =>
    Effect.zipRight(store.forget(workspaceId, target), store.insert(workspaceId, approvalId, people))

  /** Whether the approval showed each of these people with exactly these values. Fewer people than shown are covered. */
  const covers = (approval: Approval, campaign: Campaign, recipients: ReadonlyArray<Addressed>) =>
    Effect.map(store.digests(campaign.workspaceId, approval.approvalId), (digests) => {
      const digestOf = digestsOf(campaign)
      return recipients.every((recipient) => digests.get(recipient.addressHash) === digestOf(recipient).digest)
    })

  return { shown, keep, covers }
})

/** The preview's members about the content (contract: approvals, preview). */
export const contentPreview = (summary: ContentSummary) => ({
  variables: summary.variables.map(({ distinct_values, longest, name }) => ({ name, distinct_values, longest })),
  links: summary.hosts.map(({ host }) => host),
  overlapping_people: summary.overlapping_people
})
