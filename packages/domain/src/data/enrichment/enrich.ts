import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Option, Result, Schema } from "effect"
import { canonicalJson } from "../../kernel/canonical.js"
import {
  capabilitiesOf,
  ceilingOf,
  type Finish,
  type Handler,
  type Plan,
  routeOf,
  served,
  wouldSpend
} from "../../calls/Handler.js"
import { maskedContact } from "../people/contact.js"
import { isCrediblePhone } from "../people/Credible.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { ContactEnricher, EnrichedContact, MobileFinder } from "../../sources/ports/ContactEnricher.js"
import type { Person, PersonIdentity } from "../../sources/ports/Person.js"
import { askSources, incredible } from "../../sources/Waterfall.js"
import type { Enrich } from "../../verbs/Enrich.js"
import { Contact } from "../../verbs/fields.js"
import type { RequestOf } from "../../verbs/Verb.js"
import { credibleContact } from "./credibleContact.js"
import { type CachedContact, ENRICHMENT_CACHE_DAYS, EnrichmentCache } from "./EnrichmentCache.js"
import { type Found, mostFor, resolve, SamePerson, unrevealed, type Wanted, withLate } from "./lookup.js"

const until = Schema.Number

/** Names of sources still at work when a paid lookup ended. */
const pending = Schema.Array(Schema.String).pipe(Schema.withDecodingDefault(Effect.sync(() => [])))

/** The cached knowledge about a person. The two lookups were paid for separately, and each expires on its own. */
const Known = Schema.Struct({
  lookup: Schema.NullOr(Schema.Struct({ contact: Contact, until, pending })),
  /** `phone` is null if the search found none, so that it isn't repeated. `contact` is masked. */
  mobile: Schema.NullOr(Schema.Struct({ phone: Schema.NullOr(Schema.String), contact: Contact, until }))
})
type Known = typeof Known.Type

const json = Schema.fromJsonString(Known)
const decode = Schema.decodeOption(json)

const encodeKnown: (known: Known) => string = Schema.encodeSync(json)

const alive = <Part extends { readonly until: number }>(part: Part | null, nowMillis: number): Part | null =>
  part !== null && nowMillis < part.until ? part : null

/** The unexpired part of a cache entry. */
const knownAt = (nowMillis: number, cached: Option.Option<CachedContact>): Known => {
  const known = Option.getOrNull(Option.flatMap(cached, (entry) => decode(entry.contact)))
  return { lookup: alive(known?.lookup ?? null, nowMillis), mobile: alive(known?.mobile ?? null, nowMillis) }
}

interface EnrichPlan extends Plan {
  readonly route: NonNullable<Plan["route"]>
  readonly wanted: Wanted
  readonly dropped: boolean
  readonly enrichers: ReadonlyArray<ContactEnricher>
  readonly finders: ReadonlyArray<MobileFinder>
}

const identityOf = (person: RequestOf<typeof Enrich>["person"]): PersonIdentity => ({
  fullName: person.full_name?.trim() ?? null,
  firstName: person.first_name?.trim() ?? null,
  lastName: person.last_name?.trim() ?? null,
  email: person.email === undefined ? null : (usableEmail(person.email) ?? person.email.trim()),
  socialUrl: person.social_url ?? null,
  companyName: person.company_name?.trim() ?? null,
  companyDomain: person.company_domain ?? null,
  title: person.title?.trim() ?? null
})

/** The person's cache key. Ignores case, white space and a trailing slash. */
const identityText = (identity: PersonIdentity): string =>
  canonicalJson(
    Object.fromEntries(
      Object.entries(identity).map(([name, value]: readonly [string, string | null]) => [
        name,
        value === null ? null : value.toLowerCase().replace(/\s+/g, " ").replace(/\/+$/, "")
      ])
    )
  )

const asPerson = ({ email: _, ...known }: PersonIdentity): Person => ({
  ...known,
  companyHeadcount: null,
  companyIndustry: null,
  city: null,
  country: null,
  observedAt: null
})

/** What a source that verified a revealed address said of it. */
const verdictOf = (contact: Contact | null): Pick<Finish<unknown>, "verdict"> => {
  if (contact === null || contact.work_email === null || contact.email_verdict === null) return {}
  return { verdict: { email: contact.work_email, status: contact.email_verdict } }
}

/** With `want` handling off every call runs the same email lookup (contract: data, enrich). */
const wantedOf = (request: RequestOf<typeof Enrich>, handling: boolean): Omit<Wanted, "mobileSearch"> => {
  const want = handling && request.want !== undefined && request.want.length > 0 ? request.want : ["work_email"]
  return {
    email: want.includes("work_email"),
    profile: want.includes("profile"),
    mobile: want.includes("mobile_phone")
  }
}

/** Adds what the email lookup found. Many finders need only a profile or an address. */
const identityWith = (identity: PersonIdentity, contact: Contact | null): PersonIdentity => ({
  ...identity,
  email: identity.email ?? contact?.work_email ?? null,
  socialUrl: identity.socialUrl ?? contact?.social_url ?? null
})

const foundBy = (contact: Contact | null, fresh: boolean): Found["lookup"] =>
  contact === null ? null : { contact, fresh }

/** The result of an email lookup, and the sources that may still answer. */
interface LookedUp {
  readonly contact: Contact | null
  readonly pending: ReadonlyArray<string>
}

/** Whether a source still at work may have something wanted and unknown. */
const isLacking = (wanted: Wanted, { lookup, mobile }: Known): boolean =>
  lookup !== null &&
  ((wanted.email && lookup.contact.work_email === null) ||
    (wanted.mobile && lookup.contact.mobile_phone === null && mobile?.phone == null))

/** The call's own results. None: it didn't look, or a supplementary search failed. */
interface CallFindings {
  readonly lookup: Option.Option<LookedUp>
  /** From sources still at work when an earlier paid lookup ended. */
  readonly late: Option.Option<LookedUp>
  readonly phone: Option.Option<string | null>
}

/** The result of the email lookup, this call's or an earlier one's, plus late answers. */
const foundOf = (known: Known, { late, lookup }: Pick<CallFindings, "late" | "lookup">): LookedUp | null => {
  if (known.lookup === null) return Option.getOrNull(lookup)
  if (Option.isNone(late)) return known.lookup
  return { contact: withLate(known.lookup.contact, late.value.contact), pending: late.value.pending }
}

export const enrich = Effect.gen(function* () {
  const crypto = yield* Crypto
  const cache = yield* EnrichmentCache
  const together = new SamePerson()

  /** An address whose source did not verify it is not to be relied on (contract: data, enrich). */
  const contactOf = (found: EnrichedContact, asked: PersonIdentity): Contact => ({
    ...maskedContact(crypto, found, found.workEmail ?? asked.email),
    work_email: found.workEmail,
    work_email_status:
      found.workEmail !== null && (found.emailVerdict === null || found.emailVerdict === "unknown")
        ? "unknown"
        : found.workEmailStatus,
    email_verdict: found.emailVerdict,
    mobile_phone: found.mobilePhone
  })

  const lookUp = ({ enrichers, route }: EnrichPlan, identity: PersonIdentity) =>
    askSources(
      { kind: "contact_enricher", sources: enrichers, route: route.used, request: identity },
      (source) =>
        Effect.flatMap(source.lookup(identity), (found) => {
          const credible = Option.flatMapNullishOr(found, credibleContact)
          return Option.isSome(found) && Option.isNone(credible)
            ? Effect.fail(incredible(source))
            : Effect.succeed(credible)
        }),
      (contact) => contact.workEmail !== null,
      () => true
    ).pipe(
      Effect.map(({ answer, pending, satisfied }): LookedUp => ({
        contact: Option.getOrNull(Option.map(answer, (found) => contactOf(found, identity))),
        pending: satisfied ? [] : pending
      }))
    )

  /** Asks the sources again that were still at work. The known result doesn't depend on it. */
  const lookLate = (plan: EnrichPlan, identity: PersonIdentity, pending: ReadonlyArray<string>) => {
    const enrichers = plan.enrichers.filter(({ name }) => pending.includes(name))
    return enrichers.length === 0
      ? Effect.succeedNone
      : Effect.catch(Effect.asSome(lookUp({ ...plan, enrichers }, identity)), () => Effect.succeedNone)
  }

  const findMobile = ({ finders, route }: EnrichPlan, identity: PersonIdentity) =>
    askSources({ kind: "mobile_finder", sources: finders, route: route.used, request: identity }, (source) =>
      source.find(identity).pipe(
        Effect.filterOrFail(
          (found) => Option.isNone(found) || isCrediblePhone(found.value),
          () => incredible(source)
        )
      )
    ).pipe(
      // A pending search is repeated, not cached as empty.
      Effect.map(({ answer, pending }) =>
        pending.length > 0 && Option.isNone(answer) ? Option.none() : Option.some(Option.getOrNull(answer))
      )
    )

  /** Looks up what is wanted and unknown. */
  const look = (plan: EnrichPlan, identity: PersonIdentity, known: Known, blank: Contact) =>
    Effect.gen(function* () {
      const { finders, wanted } = plan
      const mobileOnly = wanted.mobile && !wanted.email && !wanted.profile
      const looksUp = known.lookup === null && !(mobileOnly && known.mobile?.phone != null)
      const lookup = looksUp ? Option.some(yield* lookUp(plan, identity)) : Option.none()
      const late = isLacking(wanted, known)
        ? yield* lookLate(plan, identity, known.lookup?.pending ?? [])
        : Option.none()
      const contact = foundOf(known, { lookup, late })?.contact ?? null
      const searches =
        wanted.mobileSearch && contact?.mobile_phone == null && known.mobile === null && finders.length > 0
      // A failing finder takes nothing from what was found already.
      const found = resolve(wanted, { lookup: foundBy(contact, looksUp), mobile: null }, blank)
      const phone = searches
        ? yield* findMobile(plan, identityWith(identity, contact)).pipe(
            Effect.catch((error) => (found.charge > 0n ? Effect.succeedNone : Effect.fail(error)))
          )
        : Option.none()
      const looked: CallFindings = { lookup, late, phone }
      return { looked, searches }
    })

  const handler: Handler<typeof Enrich, EnrichPlan> = {
    plan: (request, { key, providers }) =>
      Result.gen(function* () {
        const route = routeOf(request)
        const enrichers = yield* served("enrich", providers.contactEnrichers)
        const finders = providers.mobileFinders
        const wanted = wantedOf(request, !key.capabilitiesOff.includes("want_handling"))
        const { dropped, maximum } = yield* mostFor(wanted, ceilingOf(request))
        return {
          maximum,
          capabilities: capabilitiesOf(request),
          warnings: dropped ? ["the ceiling is below the price of the mobile search, which is left out"] : [],
          route,
          wanted: { ...wanted, mobileSearch: wanted.mobile && !dropped },
          dropped,
          enrichers,
          finders
        }
      }),
    would: (request, plan) =>
      Effect.succeed({
        candidate_sources: plan.enrichers.length + (plan.wanted.mobileSearch ? plan.finders.length : 0),
        ...wouldSpend(request, plan)
      }),
    perform: (request, call) => {
      const { plan, workspaceId } = call
      const { wanted } = plan
      const identity = identityOf(request.person)
      const personKey = crypto.mac("person", `${workspaceId}\n${identityText(identity)}`)

      return together.during(personKey, ({ inTurn, overlaps }) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const readCache = Effect.map(cache.find(workspaceId, personKey, nowMillis), (cached) =>
            knownAt(nowMillis, cached)
          )
          const before = yield* readCache
          const blank = before.mobile?.contact ?? maskedContact(crypto, asPerson(identity), identity.email)
          const { looked, searches } = yield* look(plan, identity, before, blank)

          const finish = (known: Known) => {
            // What another call has paid for meanwhile is known.
            const lookup = foundOf(known, looked)
            const contact = lookup?.contact ?? null
            const isFreshLookup = known.lookup === null && Option.isSome(looked.lookup)
            const isFreshPhone = known.mobile === null && Option.isSome(looked.phone)
            const phone = known.mobile === null ? Option.getOrNull(looked.phone) : known.mobile.phone
            const mobile: Found["mobile"] = phone === null || !wanted.mobile ? null : { phone, fresh: isFreshPhone }
            const resolved = resolve(wanted, { lookup: foundBy(contact, isFreshLookup), mobile }, blank)
            const fromCache = resolved.contact !== null && !isFreshLookup && !(searches && known.mobile === null)
            const isAsked = isFreshLookup || known.lookup?.contact.work_email === null
            const finished = {
              ...(isAsked ? verdictOf(resolved.contact) : {}),
              result: {
                outcome: resolved.outcome,
                contact: resolved.contact,
                from_cache: fromCache,
                ...(plan.dropped ? { dropped_to_fit: ["mobile_phone" as const] } : {})
              },
              charge: resolved.charge
            }
            // Late answers belong to the paid lookup: they are free and cached.
            const isCompleted = known.lookup !== null && Option.isSome(looked.late)
            if (!isCompleted && (resolved.contact === null || fromCache)) return call.settle(finished)
            const until = nowMillis + ENRICHMENT_CACHE_DAYS * DAY_MILLIS
            const isKept = contact !== null && (known.lookup !== null || (isFreshLookup && resolved.lookupPaid))
            const kept: Known = {
              lookup: isKept ? { contact, pending: lookup?.pending ?? [], until: known.lookup?.until ?? until } : null,
              mobile: isFreshPhone ? { phone, contact: unrevealed(contact ?? blank), until } : known.mobile
            }
            return call.settle({
              ...finished,
              cache: {
                personKey,
                contact: encodeKnown(kept),
                emailLookedUp: kept.lookup !== null,
                mobileSearched: kept.mobile !== null,
                expiresAtMillis: Math.max(kept.lookup?.until ?? 0, kept.mobile?.until ?? 0)
              }
            })
          }
          return yield* inTurn(Effect.suspend(() => (overlaps() ? Effect.flatMap(readCache, finish) : finish(before))))
        })
      )
    }
  }
  return handler
})
