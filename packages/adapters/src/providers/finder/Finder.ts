import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import type { KnownPerson } from "@outbound/domain/outreach/campaigns/knownPeople.js"
import type { ContactEnricher, EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Clock, Effect, Option, Schema } from "effect"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import { setting } from "../../platform/setting.js"
import { rankLinks } from "../../site/choosePages.js"
import type { Beside } from "../Beside.js"
import { makeMeasured } from "../open/measured.js"
import { defineVendor, type MadeVendor, type VendorFacts } from "../Vendor.js"
import { spelled } from "./names.js"
import { type Candidate, candidatesOf, learnt, type NamedAddress, type Pattern, seenPattern } from "./patterns.js"

const FACTS = {
  name: "finder",
  title: "Address finder",
  baseUrl: "",
  callsPerMinute: null,
  unit: "check",
  unitMicros: 0,
  serves: ["contact_enricher"],
  isOpen: true,
  terms: "our own: it asks the companies' mail servers, at the prober's pace",
  limits: [
    "Needs no account, but outgoing TCP port 25, as the prober does, whose settings it uses.",
    "Learns how a company writes its addresses from the workspace's own lists, from its mail that was answered or delivered, and from the company's own pages, makes at most `candidates_max` addresses of a name, and lets the prober decide, the likeliest first.",
    "At a company that takes mail for every address, it finds somebody only if two known people are written alike, as `catch_all`.",
    "Needs the person's name and the company's domain. Finds no profile and no phone number.",
    "Never asks about somebody who objected or was erased.",
    "Its miss rate and latency are those of its lookups of the last 30 days, unless you declare others."
  ],
  known: "specification"
} as const satisfies VendorFacts

const Settings = Schema.Struct({
  candidates_max: setting(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 })), 4)
})

/** At a catch-all domain this many people must prove the pattern. */
const PROVEN_BY_MIN = 2
/** No further address is asked about once a person took this long. */
const BEGIN_MILLIS_MAX = 6_000

/** How long a company's published addresses are remembered, and waited for. */
const SEEN_KEEP_MILLIS = 7 * 86_400_000
const SEEN_MAX = 10_000
const SITE_MILLIS_MAX = 5_000
const PAGES_MAX = 2
const ADDRESS = /[a-z0-9][a-z0-9._-]{0,62}@[a-z0-9.-]{3,100}/gi

/** Finds the addresses that a company publishes on its own pages. */
const makeSeen = ({ web }: Beside) => {
  const seen = new ExpiringCache<ReadonlyArray<Pattern>>(SEEN_MAX, SEEN_KEEP_MILLIS)
  return (companyDomain: string): Effect.Effect<ReadonlyArray<Pattern>> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const known = seen.get(companyDomain, now)
      if (known !== undefined) return known
      const visit = yield* web
        .visit({
          companyDomain,
          pagesMax: PAGES_MAX,
          choose: (at, links) => rankLinks(at, links, "contact team people")
        })
        .pipe(Effect.timeoutOrElse({ duration: SITE_MILLIS_MAX, orElse: () => Effect.succeed(null) }))
      if (visit === null || visit._tag === "Unreadable") return []
      const texts = visit.pages.flatMap(({ links, text }) => [text, ...links.map(({ href }) => href)])
      const emails = texts.flatMap((text) => text.match(ADDRESS) ?? []).map((email) => email.toLowerCase())
      const own = [...new Set(emails)].filter((email) => email.endsWith(`@${companyDomain}`))
      const patterns = own.flatMap((email) => seenPattern(email) ?? [])
      seen.set(companyDomain, patterns, now)
      return patterns
    })
}

const contactOf = (identity: PersonIdentity, candidate: Candidate, isProven: boolean): EnrichedContact => ({
  fullName: identity.fullName ?? [identity.firstName, identity.lastName].filter((part) => part !== null).join(" "),
  firstName: identity.firstName,
  lastName: identity.lastName,
  title: identity.title,
  companyName: identity.companyName,
  companyDomain: identity.companyDomain,
  companyHeadcount: null,
  companyIndustry: null,
  city: null,
  country: null,
  socialUrl: identity.socialUrl,
  observedAt: null,
  workEmail: candidate.email,
  workEmailStatus: isProven ? "valid" : "catch_all",
  emailVerdict: isProven ? "valid" : "catch_all_unknown",
  mobilePhone: null
})

/** How a person is called, in lower case. */
const calledOf = ({
  firstName,
  fullName,
  lastName
}: Pick<PersonIdentity, "firstName" | "fullName" | "lastName">): string =>
  (fullName ?? [firstName, lastName].filter((part) => part !== null).join(" ")).trim().toLowerCase()

/** Whether a question is one for the finder: who is looked for, at which company. */
const isAskable = (identity: PersonIdentity): boolean =>
  identity.companyDomain !== null && identity.email === null && spelled(identity) !== null

/** What is believed of it before it was asked. */
const USUAL = { costMicros: 0, missRate: 0.4, latencyMillis: 4_000 }

/** Makes addresses of a name, by how the company writes others, and has the prober prove one. */
const makeFinder = (beside: Beside, candidatesMax: number): ContactEnricher["lookup"] => {
  const { known, verifier } = beside
  const seenAt = makeSeen(beside)

  const stored = <A, E>(ask: Effect.Effect<A, E>): Effect.Effect<A, ProviderFailure> =>
    Effect.mapError(ask, (cause) => new ProviderFailure({ provider: FACTS.name, reason: "transient", cause }))

  const patternsAt = (people: ReadonlyArray<NamedAddress>, companyDomain: string) =>
    Effect.gen(function* () {
      const own = learnt(people)
      if (own.size > 0) return own
      // What is seen on pages tells the form, but proves nobody's.
      return new Map((yield* seenAt(companyDomain)).map((pattern): readonly [Pattern, number] => [pattern, 1]))
    })

  return (identity) =>
    Effect.gen(function* () {
      const { companyDomain } = identity
      const name = spelled(identity)
      if (verifier === null || companyDomain === null || name === null || !isAskable(identity)) return Option.none()
      const { evidence, workspaceId } = yield* CurrentSourceAccess
      const people: ReadonlyArray<KnownPerson> =
        workspaceId === null || known === null ? [] : yield* stored(known.at(workspaceId, companyDomain))
      const wanted = calledOf(identity)
      const taken = new Set(people.flatMap((one) => (calledOf(one) === wanted ? [] : [one.email])))
      const patterns = yield* patternsAt(people, companyDomain)
      const made = candidatesOf(name, companyDomain, patterns, taken, candidatesMax).filter(
        ({ email }) => usableEmail(email) === email
      )
      const barred =
        workspaceId === null || known === null
          ? { never: false, gone: new Set<string>() }
          : yield* stored(
              known.barred(
                workspaceId,
                made.map(({ email }) => email)
              )
            )
      if (barred.never) return Option.none()
      const until = (yield* Clock.currentTimeMillis) + BEGIN_MILLIS_MAX
      let asked = 0
      for (const candidate of made.filter(({ email }) => !barred.gone.has(email))) {
        if (asked > 0 && (yield* Clock.currentTimeMillis) > until) break
        asked += 1
        const check = yield* verifier.verify(candidate.email)
        if (check.isObjected === true) return Option.none()
        const { pattern, support } = candidate
        const isProven = check.status === "valid"
        const isLikely = check.isCatchAllDomain && support >= PROVEN_BY_MIN && learnt(people).has(pattern)
        if (isProven || isLikely) {
          yield* evidence(FACTS.name, { pattern, known_people: support, asked, status: check.status })
          return Option.some(contactOf(identity, candidate, isProven))
        }
        // A server that takes everybody, or tells nothing, tells no more of the next address.
        if (check.isCatchAllDomain || check.status === "unknown") break
      }
      return Option.none()
    })
}

/** Finds people's work addresses without a vendor. */
export const finder = defineVendor({
  ...FACTS,
  settings: Settings,
  make: (config, { candidates_max }, beside) =>
    Effect.map(
      makeMeasured(config, beside.memory, FACTS.name, "contact_enricher", USUAL),
      ({ counted, source }): MadeVendor => {
        const find = makeFinder(beside, candidates_max)
        const lookup: ContactEnricher["lookup"] = (identity) =>
          beside.verifier !== null && isAskable(identity) ? counted(find(identity)) : find(identity)
        return {
          // What it declares changes: it must not be copied.
          sources: { contact_enricher: Object.assign(source, { lookup }) },
          account: Effect.succeed({
            left: null,
            missing: beside.verifier === null ? ["the prober is not there"] : []
          })
        }
      }
    )
})
