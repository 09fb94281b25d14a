import type { ForecastMailbox } from "./forecastFacts.js"
import { type RampCaps, rampCaps } from "./ramp.js"
import { takenOn, type UseBook } from "./UseBook.js"

/** What may be sent in a day, and what was. */
interface Room {
  readonly cap: number
  taken: number
}

type Sender = Pick<ForecastMailbox, "mailboxId" | "domain">

/** What own mailboxes may still send on a day that is followed. Others have no ramp. */
export class DayRamps {
  readonly #rooms = new Map<string, Room>()
  readonly #caps = new Map<string, RampCaps | null>()

  constructor(
    readonly book: UseBook,
    readonly day: number
  ) {}

  #capsOf({ domain, mailboxId }: Sender, receiver: string | null): RampCaps | null {
    const key = `${mailboxId} ${receiver ?? ""}`
    const known = this.#caps.get(key)
    if (known !== undefined) return known
    const use = this.book.of(mailboxId, receiver)
    const caps = use === null ? null : rampCaps(use, this.day)
    this.#caps.set(key, caps)
    if (use === null || caps === null) return caps
    const open = (name: string, cap: number, taken: number) => {
      if (!this.#rooms.has(name)) this.#rooms.set(name, { cap, taken })
    }
    open(domain, caps.domain, takenOn(use.domain, this.day))
    if (receiver !== null && caps.at !== null && use.at !== null) {
      open(`${mailboxId} ${receiver}`, caps.at.mailbox, takenOn(use.at.mailbox, this.day))
      open(`${domain} ${receiver}`, caps.at.domain, takenOn(use.at.domain, this.day))
    }
    return caps
  }

  #left(name: string): number {
    const room = this.#rooms.get(name)
    return room === undefined ? Infinity : room.cap - room.taken
  }

  /** Most messages of the mailbox on this day. */
  capOf(sender: Sender): number {
    return this.#capsOf(sender, null)?.mailbox ?? Infinity
  }

  /** How many messages its domain may still send. */
  domainLeft(sender: Sender): number {
    return this.#capsOf(sender, null) === null ? Infinity : this.#left(sender.domain)
  }

  /** Whether it may send one more to the organisation. */
  hasRoomAt(sender: Sender, receiver: string): boolean {
    if (this.#capsOf(sender, receiver) === null) return true
    return Math.min(this.#left(`${sender.mailboxId} ${receiver}`), this.#left(`${sender.domain} ${receiver}`)) > 0
  }

  /** A message left, and is taken for delivered. */
  note(sender: Sender, receiver: string): void {
    if (this.#capsOf(sender, receiver) === null) return
    for (const name of [sender.domain, `${sender.mailboxId} ${receiver}`, `${sender.domain} ${receiver}`]) {
      const room = this.#rooms.get(name)
      if (room !== undefined) room.taken += 1
    }
    this.book.note(sender.mailboxId, receiver, this.day)
  }
}
