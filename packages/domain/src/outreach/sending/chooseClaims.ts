import type { CampaignLead } from "../campaigns/CampaignStore.js"
import { MessageMachine } from "./MessageMachine.js"
import type { ClaimedMessage, Message } from "./SendingStore.js"
import { decideSend, type SendFacts } from "./sendRule.js"

/** A lead that may be due, with the facts that decide. */
export interface ClaimCandidate {
  readonly lead: {
    readonly workspaceId: string
    readonly campaignId: string
    readonly addressHash: string
    readonly mailboxId: string | null
  }
  /** The company that the campaign's rules hold for; null: none. */
  readonly company: string | null
  readonly facts: SendFacts
}

/** Counts by their names. */
class Tally {
  readonly #counts = new Map<string, number>()

  of(...name: ReadonlyArray<string | null>): number {
    return this.#counts.get(name.join(" ")) ?? 0
  }

  add(...name: ReadonlyArray<string | null>): void {
    this.#counts.set(name.join(" "), this.of(...name) + 1)
  }
}

/**
 * Which of the candidates are claimed, at most `limit`, in the order given. Each claim counts for those after it as if
 * it had been there when their facts were read: for the caps of the day, for its company, and as a message that is on
 * its way to the person.
 */
export const chooseClaims = <C extends ClaimCandidate>(candidates: Iterable<C>, limit: number): ReadonlyArray<C> => {
  const claimed = new Tally()
  const chosen: Array<C> = []
  if (limit <= 0) return chosen
  for (const candidate of candidates) {
    const { company, facts } = candidate
    const { addressHash, campaignId, mailboxId, workspaceId } = candidate.lead
    const { elsewhere, left } = facts
    const isWrittenTo = claimed.of("person", workspaceId, addressHash) > 0
    const decision = decideSend({
      ...facts,
      // Own mailboxes, whose domains and receivers are counted, claim one message at a time.
      left: {
        ...left,
        workspace: left.workspace - claimed.of("workspace", workspaceId),
        mailbox: left.mailbox - claimed.of("mailbox", workspaceId, mailboxId)
      },
      company: facts.company && {
        ...facts.company,
        left: facts.company.left && facts.company.left - claimed.of("company", workspaceId, campaignId, company)
      },
      elsewhere: isWrittenTo ? [...elsewhere, { state: MessageMachine.initial }] : elsewhere
    })
    if (decision.may !== "send") continue
    chosen.push(candidate)
    if (chosen.length >= limit) break
    claimed.add("workspace", workspaceId)
    claimed.add("mailbox", workspaceId, mailboxId)
    claimed.add("company", workspaceId, campaignId, company)
    claimed.add("person", workspaceId, addressHash)
  }
  return chosen
}

/** The lead's next message, as its claim stores it. */
export const messageOf = (
  { campaignId, campaignLeadId, stepsSent, workspaceId }: CampaignLead,
  claim: Pick<Message, "messageId" | "mailboxId" | "variant" | "claimedAtMillis">
): Message => ({
  workspaceId,
  campaignId,
  campaignLeadId,
  ...claim,
  stepIndex: stepsSent,
  state: MessageMachine.initial,
  sentAtMillis: null
})

/** What the messages to a lead so far, by their steps, mean for the next: what it follows, and how often it was tried. */
export const historyOf = (
  messages: ReadonlyArray<Pick<Message, "messageId" | "state" | "stepIndex" | "variant">>,
  stepsSent: number
): Pick<ClaimedMessage, "thread" | "failedTries"> => ({
  thread: messages
    .filter(({ state }) => MessageMachine.is.left(state))
    .map(({ messageId, variant }) => ({ messageId, variant })),
  failedTries: messages.filter(({ state, stepIndex }) => stepIndex === stepsSent && MessageMachine.is.unsent(state))
    .length
})
