import type { OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import type { Answered } from "../service/Client.js"

/** Answers that a replay may repeat. */
const STORED = 200

/**
 * What the outside saw: clients their answers, a provider its messages, people what they decided. The stores can agree with
 * each other and be wrong; these can't be talked into it.
 */
export class Oracle {
  readonly #answers = new Map<string, { readonly body: string; readonly result: string; readonly requestId: string }>()
  readonly #left = new Map<string, string>()
  readonly #approved = new Set<string>()
  readonly #people = new Map<string, Set<string>>()

  /** What the client got under its key. Returns what is wrong with it. */
  answered(key: string, body: string, answer: Answered): ReadonlyArray<string> {
    if (answer.status !== STORED) return []
    const result = JSON.stringify(answer.result)
    const before = this.#answers.get(key)
    if (before === undefined) {
      this.#answers.set(key, { body, result, requestId: answer.requestId })
      return []
    }
    if (before.body !== body) return [`key ${key} answered another request`]
    if (before.result !== result) return [`key ${key} answered ${result} after ${before.result}`]
    return []
  }

  /** A person approved it, and saw these people. */
  approved(approvalId: string, campaignId: string, people: Iterable<string>): void {
    this.#approved.add(approvalId)
    const known = this.#people.get(campaignId) ?? new Set()
    for (const email of people) known.add(email)
    this.#people.set(campaignId, known)
  }

  isApproved(approvalId: string): boolean {
    return this.#approved.has(approvalId)
  }

  /** A message reached the provider. `mayHaveLeft`: unless it said at once that nothing happened. */
  delivered(message: OutgoingMessage, mayHaveLeft: boolean): ReadonlyArray<string> {
    const { campaignId, campaignLeadId, messageId, stepIndex, to } = message
    const wrong: Array<string> = []
    const step = `${campaignLeadId} step ${stepIndex}`
    const before = this.#left.get(step)
    if (before !== undefined) wrong.push(`${to.address} got ${step} twice: ${before}, ${messageId}`)
    if (mayHaveLeft) this.#left.set(step, messageId)
    if (this.#people.get(campaignId)?.has(to.address) !== true) wrong.push(`nobody approved ${to.address}`)
    return wrong
  }
}
