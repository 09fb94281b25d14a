import type { ForecastFacts, ForecastMailbox } from "./forecastFacts.js"
import { type Left, leftBeside, type Room } from "./planner.js"
import { atReceiver, type Declared, rampOn, type RampStart, STARTS, type Use } from "./ramp.js"
import { takenOn, type UseBook } from "./UseBook.js"

type Sender = Pick<ForecastMailbox, "mailboxId" | "domain">

interface Counted extends Room {
  taken: number
}

/** What is looked at once a day: the mailbox and its domain, in all or towards one receiver. */
interface Pair {
  readonly mailbox: Counted
  readonly domain: Counted
}

/** What own mailboxes may still send on a day that is followed. Others have no ramp. */
export class DayRamps {
  readonly #rooms = new Map<string, Counted>()
  readonly #known = new Map<string, Pair | null>()

  constructor(
    readonly caps: ForecastFacts["caps"],
    readonly book: UseBook,
    readonly day: number
  ) {}

  /** Mailboxes of one domain share its room. */
  #room(name: string, use: Use, start: RampStart, declared: ReadonlyArray<Declared>): Counted {
    const known = this.#rooms.get(name)
    if (known !== undefined) return known
    const made = { cap: rampOn(use, start, this.day, declared).cap, taken: takenOn(use, this.day) }
    this.#rooms.set(name, made)
    return made
  }

  #look({ domain, mailboxId }: Sender, receiver: string | null): Pair | null {
    const use = this.book.of(mailboxId, receiver)
    if (use === null) return null
    const { at, declared } = use
    if (at === null) {
      return {
        mailbox: this.#room(`mailbox ${mailboxId}`, use.mailbox, STARTS.mailbox, declared.mailbox),
        domain: this.#room(`domain ${domain}`, use.domain, STARTS.domain, declared.domain)
      }
    }
    return {
      mailbox: this.#room(
        `mailbox ${mailboxId} ${receiver}`,
        at.mailbox,
        STARTS.mailboxAt,
        atReceiver(declared.mailbox)
      ),
      domain: this.#room(`domain ${domain} ${receiver}`, at.domain, STARTS.domainAt, atReceiver(declared.domain))
    }
  }

  #of(sender: Sender, receiver: string | null): Pair | null {
    const key = `${sender.mailboxId} ${receiver ?? ""}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const rooms = this.#look(sender, receiver)
    this.#known.set(key, rooms)
    return rooms
  }

  /** What it may still send; `receiver`: also to that organisation. `sent`: on this day. */
  left(sender: Sender, receiver: string | null, sent: Pick<Left, "workspace" | "mailbox">): Left {
    const inAll = this.#of(sender, null)
    const at = receiver === null ? null : this.#of(sender, receiver)
    return leftBeside(this.caps, inAll && { ...inAll, at }, sent)
  }

  /** A message left, and is taken for delivered. */
  note(sender: Sender, receiver: string): void {
    const inAll = this.#of(sender, null)
    const there = this.#of(sender, receiver)
    if (inAll === null || there === null) return
    inAll.domain.taken += 1
    there.mailbox.taken += 1
    there.domain.taken += 1
    this.book.note(sender.mailboxId, receiver, this.day)
  }
}
