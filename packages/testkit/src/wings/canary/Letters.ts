import {
  type Candidate,
  type Canary,
  choosePairs,
  COUNTED_MILLIS,
  dayOf,
  restAfter
} from "@outbound/domain/wings/canary/Canary.js"
import { CanaryMachine } from "@outbound/domain/wings/canary/CanaryMachine.js"
import { NO_VERDICTS } from "@outbound/domain/wings/canary/verdicts.js"
import type { Measure, Placed, Writer } from "../Measure.js"

/** The letters between own mailboxes of one run of a simulation, as the service plans and judges them. */
export class Letters implements Measure {
  readonly #receivers: ReadonlyArray<Candidate>
  #recent: ReadonlyArray<Canary> = []
  #count = 0

  /** There is one own mailbox at each of these. */
  constructor(organisations: ReadonlyArray<string>) {
    this.#receivers = organisations.map((organisation, index) => ({
      mailboxId: `own-at-${index}`,
      domain: "own.test",
      organisation
    }))
  }

  send<W extends Writer>(
    senders: ReadonlyArray<W>,
    nowMillis: number,
    place: (sender: W, receiver: number) => Placed,
    rest: (sender: W, receiver: number) => void
  ): void {
    if (this.#receivers.length === 0) return
    this.#recent = this.#recent.filter(({ plannedAtMillis }) => plannedAtMillis > nowMillis - COUNTED_MILLIS)
    const candidates = senders.map(({ domain, mailboxId }): Candidate => ({
      mailboxId,
      domain,
      organisation: "hosts-of-senders.test"
    }))
    for (const { from, nth, to } of choosePairs(candidates, this.#receivers, this.#recent, nowMillis)) {
      const sender = senders.find(({ mailboxId }) => mailboxId === from.mailboxId)
      const receiver = this.#receivers.findIndex(({ mailboxId }) => mailboxId === to.mailboxId)
      if (sender === undefined) continue
      const placed = place(sender, receiver)
      this.#count += 1
      const isMeasured = placed === "inbox" || placed === "junk"
      const canary: Canary = {
        ...NO_VERDICTS,
        workspaceId: "workspace",
        canaryId: String(this.#count).padStart(8, "0"),
        fromMailboxId: from.mailboxId,
        toMailboxId: to.mailboxId,
        domain: from.domain,
        organisation: to.organisation,
        day: dayOf(nowMillis),
        nth,
        campaignId: "campaign",
        variant: null,
        state: isMeasured ? placed : "dropped",
        plannedAtMillis: nowMillis,
        claimedAtMillis: nowMillis,
        sentAtMillis: isMeasured ? nowMillis : null,
        arrivedAtMillis: isMeasured ? nowMillis : null,
        lookedAtMillis: nowMillis,
        nextAtMillis: null,
        isRemoved: isMeasured,
        says: ""
      }
      const why = CanaryMachine.is.measured(canary.state) ? restAfter(canary, this.#recent, nowMillis) : null
      this.#recent = [...this.#recent, canary]
      if (why !== null) rest(sender, receiver)
    }
  }
}
