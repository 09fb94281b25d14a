import { type Blocklist, type ListAnswer } from "./blocklists.js"
import type { Failing } from "./alignment.js"

/** Where a domain or an address stands on one list. */
export interface ListStanding {
  readonly zone: string
  readonly subject: string
  /** What the list last said; null: nothing yet. */
  readonly isListed: boolean | null
  /** Since when it says so. */
  readonly sinceMillis: number
  /** Whether it was listed before that. */
  readonly wasListed: boolean
  /** The list's own words. Third-party text. */
  readonly says: string
  /** What came of the last look. */
  readonly last: "answered" | "refused" | "silent"
}

/** What we know of a sending domain from looking at it again and again. */
export interface DomainWatch {
  readonly workspaceId: string
  readonly domainId: string
  /** Null: never. */
  readonly lookedAtMillis: number | null
  readonly nextLookAtMillis: number
  /** Records that were green and are so no more, and in how many looks in a row; null: none. */
  readonly missing: {
    readonly records: ReadonlyArray<string>
    readonly looks: number
    readonly sinceMillis: number
  } | null
  readonly lists: ReadonlyArray<ListStanding>
  /** Own mail that fails DMARC, by reports; null: too little. */
  readonly failing: (Failing & { readonly sinceMillis: number }) | null
}

export const HOUR_MILLIS = 3_600_000

/** How long until the next look; sooner after a look that found a record gone. */
export const LOOK_MILLIS = 6 * HOUR_MILLIS
export const LOOK_AGAIN_MILLIS = HOUR_MILLIS

/** Name servers may be wrong once. So many looks in a row must miss a record before owners are alerted. */
export const MISSING_LOOKS_MIN = 2

/** What one look found. */
export interface Look {
  /** Null: the domain isn't green, or some name servers did not answer. */
  readonly missing: ReadonlyArray<string> | null
  readonly answers: ReadonlyArray<{ readonly list: Blocklist; readonly subject: string; readonly answer: ListAnswer }>
}

const standingAfter = (
  before: ListStanding | undefined,
  { answer, list, subject }: Look["answers"][number],
  nowMillis: number
): ListStanding => {
  const known = before ?? {
    zone: list.zone,
    subject,
    isListed: null,
    sinceMillis: nowMillis,
    wasListed: false,
    says: "",
    last: "silent"
  }
  // A list that says nothing, or nothing to us, changes nothing.
  if (answer._tag === "refused" || answer._tag === "silent") return { ...known, last: answer._tag }
  const isListed = answer._tag === "listed"
  const says = answer._tag === "listed" ? answer.says : ""
  if (known.isListed === isListed) return { ...known, last: "answered", says }
  return { ...known, isListed, sinceMillis: nowMillis, wasListed: known.isListed === true, says, last: "answered" }
}

/** The watch after a look, and what is listed that was not before. */
export const afterLook = (
  watch: DomainWatch,
  look: Look,
  nowMillis: number
): { readonly watch: DomainWatch; readonly newlyListed: ReadonlyArray<ListStanding> } => {
  const beforeOf = (zone: string, subject: string) =>
    watch.lists.find((one) => one.zone === zone && one.subject === subject)
  const lists = look.answers.map((one) => standingAfter(beforeOf(one.list.zone, one.subject), one, nowMillis))
  const missing =
    look.missing === null
      ? watch.missing
      : look.missing.length === 0
        ? null
        : {
            records: look.missing,
            looks: (watch.missing?.looks ?? 0) + 1,
            sinceMillis: watch.missing?.sinceMillis ?? nowMillis
          }
  const isUnsure = missing !== null && missing.looks < MISSING_LOOKS_MIN
  return {
    watch: {
      ...watch,
      lookedAtMillis: nowMillis,
      nextLookAtMillis: nowMillis + (isUnsure ? LOOK_AGAIN_MILLIS : LOOK_MILLIS),
      missing,
      lists
    },
    newlyListed: lists.filter((one) => one.isListed === true && beforeOf(one.zone, one.subject)?.isListed !== true)
  }
}
