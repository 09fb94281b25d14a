import type { ForecastMailbox } from "./forecastFacts.js"
import { atReceiver, type Declared, rampOn, type RampStart, STARTS, type Use } from "./ramp.js"
import { takenOn, type UseBook } from "./UseBook.js"

/** What may be sent in a day, and what was. */
interface Room {
  readonly cap: number
  taken: number
}

type Sender = Pick<ForecastMailbox, "mailboxId" | "domain">

/** What is looked at once a day: the mailbox and its domain, in all or towards one receiver. */
interface Rooms {
  readonly mailbox: Room
  readonly domain: Room
}

/** What own mailboxes may still send on a day that is followed. Others have no ramp. */
export class DayRamps {
  readonly #rooms = new Map<string, Room>()
  readonly #known = new Map<string, Rooms | null>()

  constructor(
    readonly book: UseBook,
    readonly day: number
  ) {}

  /** Mailboxes of one domain share its room. */
  #room(name: string, use: Use, start: RampStart, declared: ReadonlyArray<Declared>): Room {
    const known = this.#rooms.get(name)
    if (known !== undefined) return known
    const made = { cap: rampOn(use, start, this.day, declared).cap, taken: takenOn(use, this.day) }
    this.#rooms.set(name, made)
    return made
  }

  #look({ domain, mailboxId }: Sender, receiver: string | null): Rooms | null {
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

  #of(sender: Sender, receiver: string | null): Rooms | null {
    const key = `${sender.mailboxId} ${receiver ?? ""}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const rooms = this.#look(sender, receiver)
    this.#known.set(key, rooms)
    return rooms
  }

  /** Most messages of the mailbox on this day. */
  capOf(sender: Sender): number {
    return this.#of(sender, null)?.mailbox.cap ?? Infinity
  }

  /** How many messages its domain may still send. */
  domainLeft(sender: Sender): number {
    const rooms = this.#of(sender, null)
    return rooms === null ? Infinity : rooms.domain.cap - rooms.domain.taken
  }

  /** Whether it may send one more to the organisation. */
  hasRoomAt(sender: Sender, receiver: string): boolean {
    const rooms = this.#of(sender, receiver)
    return rooms === null || (rooms.mailbox.taken < rooms.mailbox.cap && rooms.domain.taken < rooms.domain.cap)
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
