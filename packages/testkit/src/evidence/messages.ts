import type { ValueEvidence } from "@outbound/domain/kernel/sequences/evidence.js"
import type { Recipient } from "@outbound/domain/kernel/sequences/Sequence.js"
import { answerOf, lookInAnswer } from "@outbound/domain/outreach/evidence/answers.js"
import { concluded } from "@outbound/domain/outreach/evidence/concluded.js"
import { markOf } from "@outbound/domain/outreach/evidence/marks.js"
import { lookOnPage, prepared } from "@outbound/domain/outreach/evidence/pages.js"
import { readFileSync } from "node:fs"

/** A fact of the corpus: what a source says, and values that say the same, less, or something else. */
export interface Fact {
  readonly id: string
  readonly company: string
  readonly domain: string
  readonly page?: string
  readonly answer?: unknown
  readonly verb?: string
  readonly excerpt: string
  readonly honest: ReadonlyArray<string>
  readonly altered: ReadonlyArray<string>
  /** Words of the source that its sentence takes back, each with a value that takes them for a statement. */
  readonly context?: ReadonlyArray<readonly [excerpt: string, value: string]>
  /** Words about somebody else in the same answer, and a value that claims them. */
  readonly other?: string
  readonly otherValue?: string
  /** Words that the source itself dates two years back, and their value. */
  readonly oldExcerpt?: readonly [excerpt: string, value: string]
}

const FOLDER = new URL("../../../../docs/corpora/evidence/", import.meta.url)

/** The facts of a set: `tuning`, which the rules were written with, or `measured`, which they were not changed for. */
export const factsOf = (set: "tuning" | "measured"): ReadonlyArray<Fact> =>
  readFileSync(new URL(`${set}.jsonl`, FOLDER), "utf8")
    .trim()
    .split("\n")
    .map((line): Fact => JSON.parse(line))

/** A message with one merged value. `planted`: why it must be marked; null: it must be `proven`. */
export interface Message {
  readonly fact: Fact
  readonly value: string
  readonly excerpt: string | null
  readonly seenAt: string
  readonly publishedAt: string | null
  readonly isRequestKnown: boolean
  readonly planted: Planted | null
}

export const PLANTED = [
  "altered",
  "invented",
  "changed_words",
  "seen_long_ago",
  "published_long_ago",
  "out_of_context",
  "about_another",
  "unknown_request",
  "no_evidence"
] as const
export type Planted = (typeof PLANTED)[number]

export const NOW = Date.parse("2026-11-28T12:00:00Z")
const RECENT = "2026-11-27"
const LONG_AGO = "2024-11-20"

/** Numbers in [0, 1) from a seed, the same on every machine. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Vary = (text: string) => string

/** How programs and people hand on words that stand somewhere, without changing them. */
const EXCERPT_FORMS: ReadonlyArray<Vary> = [
  (text) => text,
  (text) => `“${text}”`,
  (text) => text.replaceAll(" ", "\u00A0"),
  (text) => text.replace(/ (?=\S+ \S+$)/, "\n  "),
  (text) => text.replaceAll("&", "&amp;").replaceAll("'", "&#39;"),
  (text) => text.replaceAll("-", "–").replaceAll("'", "’"),
  (text) => {
    const words = text.split(" ")
    return words.length < 9 || text.startsWith('"') ? text : [...words.slice(0, -5), "…", ...words.slice(-3)].join(" ")
  }
]
/** Left out words are no longer in the excerpt, so a value may lack its ground: this form is for values that are short. */
const WHOLE_FORMS = EXCERPT_FORMS.length - 1

const VALUE_FORMS: ReadonlyArray<Vary> = [
  (text) => text,
  (text) => text[0]?.toUpperCase() + text.slice(1),
  (text) => `${text}.`,
  (text) => text.replaceAll(" ", "  ").replaceAll("'", "’"),
  (text) => text.replace(/(\d) million\b/g, "$1M"),
  (text) => text.replace(/(\d),(?=\d{3})/g, "$1.")
]

const SWAPS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(\d)(\d)\b/, "$2$17"],
  [/\d+/, "83"],
  [/\b(first|new|neue[ns]?|second|VP|nuevo|gold|all)\b/, "third"],
  [/\b(of|in|on|with|von|de|entre)\b/, "under"]
]

const changed = (excerpt: string): string => {
  for (const [pattern, by] of SWAPS) {
    const next = excerpt.replace(pattern, by)
    if (next !== excerpt) return next
  }
  return `never ${excerpt}`
}

const pick = <A>(random: () => number, from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)] as A

/** Messages of which a third carries a planted fault, drawn by a seed. */
export const messagesOf = (facts: ReadonlyArray<Fact>, seed: number, honest: number, planted: number) => {
  const random = randomFrom(seed)
  const usual = { seenAt: RECENT, publishedAt: null, isRequestKnown: true } as const
  const valueOf = (text: string): string => pick(random, VALUE_FORMS)(text)
  const excerptOf = (fact: Fact): string => pick(random, EXCERPT_FORMS.slice(0, WHOLE_FORMS))(fact.excerpt)
  const good = (): Message => {
    const fact = pick(random, facts)
    const value = valueOf(pick(random, fact.honest))
    return { ...usual, fact, value, excerpt: excerptOf(fact), planted: null }
  }
  const bad = (kind: Planted): Message => {
    const having = (test: (fact: Fact) => boolean): Fact => pick(random, facts.filter(test))
    const fact = having((one) =>
      kind === "out_of_context"
        ? one.context !== undefined
        : kind === "about_another"
          ? one.other !== undefined
          : kind === "unknown_request"
            ? one.answer !== undefined
            : kind === "published_long_ago"
              ? one.page !== undefined || one.oldExcerpt !== undefined
              : true
    )
    const base = { ...usual, fact, value: valueOf(pick(random, fact.honest)), excerpt: excerptOf(fact), planted: kind }
    switch (kind) {
      case "altered":
        return { ...base, value: valueOf(pick(random, fact.altered)) }
      case "invented":
        return { ...base, excerpt: `${fact.company} confirms: ${pick(random, fact.honest)}` }
      case "changed_words":
        return { ...base, excerpt: changed(fact.excerpt) }
      case "seen_long_ago":
        return { ...base, seenAt: LONG_AGO }
      case "published_long_ago":
        return fact.oldExcerpt === undefined
          ? { ...base, publishedAt: `${LONG_AGO}T08:00:00.000Z` }
          : { ...base, excerpt: fact.oldExcerpt[0], value: fact.oldExcerpt[1] }
      case "out_of_context": {
        const [excerpt, value] = pick(random, fact.context ?? [])
        return { ...base, excerpt, value }
      }
      case "about_another":
        return { ...base, excerpt: fact.other ?? "", value: valueOf(fact.otherValue ?? "") }
      case "unknown_request":
        return { ...base, isRequestKnown: false }
      case "no_evidence":
        return { ...base, excerpt: null }
    }
  }
  /** Half of the planted ones are altered values, which are the hardest. */
  const kinds = Array.from({ length: planted }, (_, index) =>
    index % 2 === 0 ? "altered" : (PLANTED[1 + ((index >> 1) % (PLANTED.length - 1))] as Planted)
  )
  return [...Array.from({ length: honest }, good), ...kinds.map(bad)]
}

const recipientOf = ({ fact, value }: Message): Recipient => ({
  email: `kim@${fact.domain}`,
  firstName: "Kim",
  lastName: null,
  companyName: fact.company,
  custom: { trigger: value }
})

/** The mark of a message's value, found as the service finds it. */
export const markOfMessage = (message: Message) => {
  const { excerpt, fact, isRequestKnown, publishedAt, seenAt } = message
  const recipient = recipientOf(message)
  if (excerpt === null) return markOf(null, NOW)
  const isPage = fact.page !== undefined
  const evidence: ValueEvidence = {
    variable: "custom.trigger",
    requestId: isPage ? null : "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70",
    url: isPage ? `https://${fact.domain}/news` : null,
    excerpt,
    seenAt,
    finding: null
  }
  const finding = isPage
    ? lookOnPage(
        prepared({ url: `https://${fact.domain}/news`, title: null, text: fact.page ?? "", publishedAt }),
        excerpt,
        recipient
      )
    : isRequestKnown
      ? lookInAnswer(
          answerOf([JSON.stringify(fact.answer)]),
          { verb: fact.verb ?? "", atMillis: NOW - 86_400_000 },
          excerpt,
          recipient,
          false
        )
      : { kind: "absent" as const, reason: "no_request" as const, datedAt: null, readFrom: null }
  return markOf({ ...evidence, finding: concluded(finding, evidence, recipient, NOW) }, NOW)
}
