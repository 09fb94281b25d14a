import { Effect, Result, Semaphore } from "effect"
import { budgetTooLow } from "../../calls/Handler.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import { type Credits, plus, zero } from "../../kernel/money/Credits.js"
import type { Contact } from "../../verbs/fields.js"
import { EMAIL_LOOKUP_PRICE, MOBILE_SEARCH_PRICE } from "../../verbs/prices.js"

/** Overlapping calls for one person on this host. */
interface Open {
  calls: number
  /** Whether they ever overlapped. */
  overlap: boolean
  readonly turns: Semaphore.Semaphore
}

/** How an overlapping call ends. */
export interface Turn {
  /** Whether another call for the person ran meanwhile, so that the cache may have changed. */
  readonly overlaps: () => boolean
  /** Runs ends one at a time, so that later ones find what earlier ones cached. */
  readonly inTurn: <A, E, R>(end: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Makes overlapping calls for a person charge as if they ran in sequence: the first to settle pays, the others find its
 * result in the cache. Their lookups still run in parallel.
 */
export class SamePerson {
  readonly #open = new Map<string, Open>()

  during<A, E, R>(personKey: string, work: (turn: Turn) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const open = this.#open.get(personKey) ?? { calls: 0, overlap: false, turns: Semaphore.makeUnsafe(1) }
      this.#open.set(personKey, open)
      open.calls += 1
      if (open.calls > 1) open.overlap = true
      const leave = Effect.sync(() => {
        open.calls -= 1
        if (open.calls === 0) this.#open.delete(personKey)
      })
      const turn: Turn = { overlaps: () => open.overlap, inTurn: open.turns.withPermits(1) }
      return Effect.ensuring(work(turn), leave)
    })
  }
}

/** What a call wants, and the lookups it may run. */
export interface Wanted {
  readonly email: boolean
  readonly profile: boolean
  readonly mobile: boolean
  /** False if a ceiling dropped it or the key's `want` handling is off. */
  readonly mobileSearch: boolean
}

/** The results of both lookups. Null: not run, or nobody found. `fresh`: run for this call. */
export interface Found {
  readonly lookup: { readonly contact: Contact; readonly fresh: boolean } | null
  /** From the separate mobile search. */
  readonly mobile: { readonly phone: string; readonly fresh: boolean } | null
}

export interface Resolved {
  readonly outcome: "hit" | "partial" | "miss"
  readonly contact: Contact | null
  readonly charge: Credits
  /** Whether the email lookup is paid for, now or earlier, so that its result may be shown and cached. */
  readonly lookupPaid: boolean
}

const MISS: Resolved = { outcome: "miss", contact: null, charge: zero, lookupPaid: false }

const withPhone = (contact: Contact, phone: string | null): Contact => ({
  ...contact,
  mobile_phone: contact.mobile_phone ?? phone
})

/** The contact without what the email lookup revealed. */
export const unrevealed = (contact: Contact): Contact => ({
  ...contact,
  work_email: null,
  work_email_status: null,
  email_verdict: null,
  mobile_phone: null
})

/** The contact with what a late source added. */
export const withLate = (contact: Contact, late: Contact | null): Contact => ({
  ...contact,
  ...(late === null || late.work_email === null || contact.work_email !== null
    ? {}
    : { work_email: late.work_email, work_email_status: late.work_email_status, email_verdict: late.email_verdict }),
  mobile_phone: contact.mobile_phone ?? late?.mobile_phone ?? null
})

/**
 * The most that a request may cost: the email lookup, and the mobile search if one is wanted. A ceiling below both leaves
 * the mobile search out, and one below the email lookup is refused (contract: credits, ceilings).
 */
export const mostFor = (
  { mobile }: Pick<Wanted, "mobile">,
  ceiling: Credits | null
): Result.Result<{ readonly maximum: Credits; readonly dropped: boolean }, AnyWireError> => {
  if (ceiling !== null && ceiling < EMAIL_LOOKUP_PRICE) return Result.fail(budgetTooLow(EMAIL_LOOKUP_PRICE))
  const full = mobile ? plus(EMAIL_LOOKUP_PRICE, MOBILE_SEARCH_PRICE) : EMAIL_LOOKUP_PRICE
  const dropped = ceiling !== null && ceiling < full
  return Result.succeed({ maximum: dropped ? EMAIL_LOOKUP_PRICE : full, dropped })
}

/**
 * The outcome and its price (contract: credits, prices): 5 where the email lookup hit; 17 where the
 * separate search found the mobile; a mobile-only request pays for the one that found it, and nothing for an email.
 */
export const resolve = (wanted: Wanted, found: Found, blank: Contact): Resolved => {
  const { lookup, mobile } = found
  const lookupPrice = lookup?.fresh === true ? EMAIL_LOOKUP_PRICE : zero
  const mobilePrice = mobile?.fresh === true ? MOBILE_SEARCH_PRICE : zero
  const phone = lookup?.contact.mobile_phone ?? null
  if (wanted.mobile && !wanted.email && !wanted.profile) {
    if (lookup !== null && phone !== null) {
      return { outcome: "hit", contact: lookup.contact, charge: lookupPrice, lookupPaid: true }
    }
    if (mobile === null) return MISS
    const contact = withPhone(unrevealed(lookup?.contact ?? blank), mobile.phone)
    return { outcome: "hit", contact, charge: mobilePrice, lookupPaid: false }
  }
  const emailFound = lookup !== null && lookup.contact.work_email !== null
  // A hit: it found something that was wanted.
  const lookupHit =
    lookup !== null && (wanted.profile || (wanted.email && emailFound) || (wanted.mobile && phone !== null))
  if (!lookupHit && mobile === null) return MISS
  const contact = withPhone(
    lookupHit && lookup !== null ? lookup.contact : unrevealed(lookup?.contact ?? blank),
    mobile?.phone ?? null
  )
  const complete =
    (!wanted.email || emailFound) && (!wanted.profile || lookupHit) && (!wanted.mobile || contact.mobile_phone !== null)
  return {
    outcome: complete ? "hit" : "partial",
    contact,
    charge: plus(lookupHit ? lookupPrice : zero, mobilePrice),
    lookupPaid: lookupHit
  }
}
