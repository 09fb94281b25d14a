import { Attention } from "@outbound/domain/control/attention/Attention.js"
import type { Plan, Share } from "@outbound/domain/control/attention/plan.js"
import { wordedFor } from "@outbound/domain/control/attention/worded.js"
import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { mergedMessage } from "@outbound/domain/outreach/sending/compose.js"
import { Effect } from "effect"

/** One message to look at. Show all of it, and nothing beside it that tells it from another one. */
export interface MessageToLookAt {
  /** Give it back with the verdict. */
  readonly at: number
  readonly to: string
  /** Each message of the sequence; the footer stands under each. Empty: what it is merged from is not kept any more. */
  readonly messages: ReadonlyArray<{ readonly subject: string; readonly text: string }>
}

/** What a person has to look at before they approve a request, or may. */
export interface Looking {
  /** `decide` answers `unattended` until they have looked at all of it. */
  readonly isAsked: boolean
  /** Before anything is drawn: if nothing is wrong in so many messages, at most this share of all can be. */
  readonly sizes: ReadonlyArray<{ readonly share: Share; readonly messages: number }>
  readonly looked: number
  /** Null: nothing is drawn yet. */
  readonly of: number | null
  /** The next one; null: nothing is drawn, or all were looked at. */
  readonly next: MessageToLookAt | null
  /** Once all were looked at: the most people whose messages can be wrong, 95 % sure, and of how many people. */
  readonly conclusion: { readonly wrongAtMost: number; readonly people: number } | null
}

const messagesFor = ({ snapshot }: Approval, person: ShownPerson | null): MessageToLookAt["messages"] => {
  if (person === null || (snapshot.kind !== "launch" && snapshot.kind !== "add_leads")) return []
  const sequence = wordedFor(snapshot)(person.addressHash)
  return sequence.map((_, step) => {
    const { body, subject } = mergedMessage(sequence, step, person)
    return { subject, text: body.map(({ text }) => text).join("") }
  })
}

/** What a page of the embedding program needs to ask people to look first. */
export const makeLooking = Effect.gen(function* () {
  const attention = yield* Attention

  const next = (approval: Approval, plan: Plan, at: number | null) =>
    Effect.gen(function* () {
      const item = at === null ? undefined : plan.items[at]
      if (at === null || item === undefined) return null
      const person = yield* attention.shown(approval, item)
      return { at, to: person?.email ?? "", messages: messagesFor(approval, person) }
    })

  const looking = (approval: Approval, userId: string) =>
    Effect.gen(function* () {
      const standing = yield* attention.standing(approval, userId)
      if (standing === null) return null
      const { isAsked, own, sizes } = standing
      const found = own?.found ?? null
      const shown: Looking = {
        isAsked,
        sizes,
        looked: found?.looked ?? 0,
        of: found?.items ?? null,
        next: own === null ? null : yield* next(approval, own.plan, own.found.next),
        conclusion: found?.isDone === true ? { wrongAtMost: found.wrongAtMost, people: found.people } : null
      }
      return shown
    })

  return { looking, begin: attention.begin, say: attention.say }
})
