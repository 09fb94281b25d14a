import { type Declared, declaredOf, type DeclaredUse, type SenderUse, type Use, type UseDay } from "./ramp.js"

/** What a mailbox sent on a day to one organisation, and what became of it. */
export interface UseRow extends UseDay {
  readonly mailboxId: string
  /** Null: the organisation is not known. */
  readonly receiver: string | null
}

/** An own mailbox whose use is looked at. */
export interface UsedMailbox extends DeclaredUse {
  readonly mailboxId: string
  readonly domain: string
}

const NOTHING = { taken: 0, delivered: 0, refused: 0, bounced: 0, complained: 0 }

/** Days by their number; entries of the same day are added up. */
class Days {
  readonly #days = new Map<number, UseDay>()
  #use: Use | null = null

  add({ bounced, complained, day, delivered, refused, taken }: UseDay): this {
    const before = this.#days.get(day) ?? NOTHING
    this.#use = null
    this.#days.set(day, {
      day,
      taken: before.taken + taken,
      delivered: before.delivered + delivered,
      refused: before.refused + refused,
      bounced: before.bounced + bounced,
      complained: before.complained + complained
    })
    return this
  }

  get use(): Use {
    return (this.#use ??= [...this.#days.values()])
  }
}

/** Of a mailbox and its domain, in all and to one organisation. */
interface Counted {
  readonly mailbox: Days
  readonly domain: Days
  readonly at: { readonly mailbox: Days; readonly domain: Days } | null
}

/** Adds up what several mailboxes, or one mailbox to several organisations, sent on a day. */
export const byDay = (days: ReadonlyArray<UseDay>): Use => days.reduce((all, day) => all.add(day), new Days()).use

/** What is taken on a day. */
export const takenOn = (use: Use, day: number): number => use.find((one) => one.day === day)?.taken ?? 0

/** The use of all own mailboxes of a workspace, by mailbox, domain and receiving organisation. Others have none. */
export class UseBook {
  readonly #days = new Map<string, Days>()
  readonly #counted = new Map<string, Counted>()
  readonly #mailboxes: ReadonlyMap<string, UsedMailbox>
  readonly #declared = new Map<string, ReadonlyArray<Declared>>()
  readonly #receivers = new Map<string, Set<string>>()

  constructor(
    readonly mailboxes: ReadonlyArray<UsedMailbox>,
    readonly rows: ReadonlyArray<UseRow>
  ) {
    this.#mailboxes = new Map(mailboxes.map((one) => [one.mailboxId, one]))
    for (const one of mailboxes) {
      this.#declared.set(one.domain, [...(this.#declared.get(one.domain) ?? []), ...declaredOf(one)])
    }
    for (const { mailboxId, receiver, ...day } of rows) this.add(mailboxId, receiver, day)
  }

  #of(key: string): Days {
    const known = this.#days.get(key)
    if (known !== undefined) return known
    const made = new Days()
    this.#days.set(key, made)
    return made
  }

  /** Where it is counted. */
  #found({ domain, mailboxId }: UsedMailbox, receiver: string | null): Counted {
    const key = receiver === null ? mailboxId : `${mailboxId} ${receiver}`
    const known = this.#counted.get(key)
    if (known !== undefined) return known
    const made = {
      mailbox: this.#of(`mailbox ${mailboxId}`),
      domain: this.#of(`domain ${domain}`),
      at:
        receiver === null
          ? null
          : { mailbox: this.#of(`mailbox ${mailboxId} ${receiver}`), domain: this.#of(`domain ${domain} ${receiver}`) }
    }
    this.#counted.set(key, made)
    return made
  }

  /** Counts what is said of a day beside what is known of it. */
  add(mailboxId: string, receiver: string | null, day: UseDay): void {
    const mailbox = this.#mailboxes.get(mailboxId)
    if (mailbox === undefined) return
    const { at, domain, mailbox: own } = this.#found(mailbox, receiver)
    own.add(day)
    domain.add(day)
    if (receiver === null || at === null) return
    at.mailbox.add(day)
    at.domain.add(day)
    const receivers = this.#receivers.get(mailbox.domain)
    if (receivers === undefined) this.#receivers.set(mailbox.domain, new Set([receiver]))
    else receivers.add(receiver)
  }

  /** Null: it is no own mailbox of the workspace, so nothing but caps limits it. */
  of(mailboxId: string, receiver: string | null = null): SenderUse | null {
    const mailbox = this.#mailboxes.get(mailboxId)
    if (mailbox === undefined) return null
    const { at, domain, mailbox: own } = this.#found(mailbox, receiver)
    return {
      mailbox: own.use,
      domain: domain.use,
      at: at && { mailbox: at.mailbox.use, domain: at.domain.use },
      declared: { mailbox: declaredOf(mailbox), domain: this.#declared.get(mailbox.domain) ?? [] }
    }
  }

  /** The organisations that mailboxes of a domain wrote to. */
  receiversOf(domain: string): ReadonlyArray<string> {
    return [...(this.#receivers.get(domain) ?? [])].sort()
  }

  /** As it was made: without what was noted since. */
  copy(): UseBook {
    return new UseBook(this.mailboxes, this.rows)
  }

  /** A message that is taken for delivered. */
  note(mailboxId: string, receiver: string | null, day: number): void {
    this.add(mailboxId, receiver, { ...NOTHING, day, taken: 1, delivered: 1 })
  }
}
