import { Clock, Effect, Either, Option, Schema } from "effect"
import { canonicalJson } from "../calls/canonical.js"
import type { Handler, Plan } from "../calls/Handler.js"
import { budgetTooLow, capabilitiesOf, ceilingOf, routeOf, served } from "../calls/planning.js"
import { type Credits, format, plus } from "../money/Credits.js"
import { maskedContact } from "../people/contact.js"
import { normalizeEmail } from "../people/EmailAddress.js"
import { Crypto } from "../ports/Crypto.js"
import type { ContactEnricher, EnrichedContact, MobileFinder } from "../ports/providers/ContactEnricher.js"
import type { Person, PersonIdentity } from "../ports/providers/Person.js"
import { inOrder, pour } from "../providers/Waterfall.js"
import type { Enrich } from "../verbs/Enrich.js"
import { Contact } from "../verbs/fields.js"
import type { RequestOf } from "../verbs/Verb.js"
import { ENRICHMENT_CACHE_DAYS, EnrichmentCache } from "./EnrichmentCache.js"
import { EMAIL_LOOKUP_PRICE, type Found, MOBILE_SEARCH_PRICE, resolve, type Wanted } from "./lookup.js"

const DAY_MILLIS = 86_400_000

interface EnrichPlan extends Plan {
  readonly wanted: Wanted
  readonly dropped: boolean
  readonly enrichers: ReadonlyArray<ContactEnricher>
  readonly finders: ReadonlyArray<MobileFinder>
}

const identityOf = (person: RequestOf<typeof Enrich>["person"]): PersonIdentity => ({
  fullName: person.full_name?.trim() ?? null,
  firstName: person.first_name?.trim() ?? null,
  lastName: person.last_name?.trim() ?? null,
  email: person.email === undefined ? null : (normalizeEmail(person.email) ?? person.email.trim()),
  socialUrl: person.social_url ?? null,
  companyName: person.company_name?.trim() ?? null,
  companyDomain: person.company_domain ?? null,
  title: person.title?.trim() ?? null
})

const asPerson = (identity: PersonIdentity): Person => ({
  fullName: identity.fullName,
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
  observedAt: null
})

/** With `want` handling off every call runs the same email lookup (completions.md §3). */
const wantedOf = (request: RequestOf<typeof Enrich>, handling: boolean): Omit<Wanted, "mobileSearch"> => {
  const want = handling && request.want !== undefined && request.want.length > 0 ? request.want : ["work_email"]
  return {
    email: want.includes("work_email"),
    profile: want.includes("profile"),
    mobile: want.includes("mobile_phone")
  }
}

const CachedJson = Schema.parseJson(Contact)
const decodeCached = Schema.decodeOption(CachedJson)

export const enrich = Effect.gen(function* () {
  const crypto = yield* Crypto
  const cache = yield* EnrichmentCache

  /** An address whose source did not verify it is not to be relied on (interface.md §4.2). */
  const contactOf = (found: EnrichedContact): Contact => ({
    ...maskedContact(crypto, found),
    work_email: found.workEmail,
    work_email_status:
      found.workEmail !== null && (found.emailVerdict === null || found.emailVerdict === "unknown")
        ? "unknown"
        : found.workEmailStatus,
    email_verdict: found.emailVerdict,
    mobile_phone: found.mobilePhone
  })

  const handler: Handler<typeof Enrich, EnrichPlan> = {
    plan: (request, { key, providers }) =>
      Either.gen(function* () {
        const route = routeOf(request)
        const enrichers = inOrder(yield* served("enrich", providers.contactEnrichers), route.used)
        const finders = inOrder(providers.mobileFinders, route.used)
        const wanted = wantedOf(request, !key.capabilitiesOff.includes("want_handling"))
        const full = wanted.mobile ? plus(EMAIL_LOOKUP_PRICE, MOBILE_SEARCH_PRICE) : EMAIL_LOOKUP_PRICE
        const ceiling = ceilingOf(request)
        if (ceiling !== null && ceiling < EMAIL_LOOKUP_PRICE)
          return yield* Either.left(budgetTooLow(EMAIL_LOOKUP_PRICE))
        const dropped = ceiling !== null && ceiling < full
        const maximum: Credits = dropped ? EMAIL_LOOKUP_PRICE : full
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
    would: (request, plan) => {
      const ceiling = ceilingOf(request)
      return Effect.succeed({
        candidate_sources: plan.enrichers.length + (plan.wanted.mobileSearch ? plan.finders.length : 0),
        maximum_credits: format(plan.maximum),
        budget_credits: ceiling === null ? null : format(ceiling)
      })
    },
    perform: (request, call) =>
      Effect.gen(function* () {
        const { wanted } = call.plan
        const identity = identityOf(request.person)
        const personKey = crypto.mac("person", `${call.workspaceId}\n${canonicalJson({ ...identity })}`)
        const nowMillis = yield* Clock.currentTimeMillis
        const cached = yield* cache.find(call.workspaceId, personKey, nowMillis)
        const known = Option.flatMap(cached, (entry) => decodeCached(entry.contact))
        const emailKnown = Option.exists(cached, (entry) => entry.emailLookedUp) && Option.isSome(known)
        const lookup: Found["lookup"] = emailKnown
          ? { contact: Option.getOrThrow(known), fresh: false }
          : yield* pour(
              call.plan.enrichers,
              (source) => source.lookup(identity),
              (contact) => contact.workEmail !== null
            ).pipe(
              Effect.map(({ answer }) =>
                Option.match(answer, {
                  onNone: () => null,
                  onSome: (contact) => ({ contact: contactOf(contact), fresh: true })
                })
              )
            )
        const phoneKnown = lookup?.contact.mobile_phone ?? Option.getOrNull(known)?.mobile_phone ?? null
        const searchedBefore = Option.exists(cached, (entry) => entry.mobileSearched)
        const searches = wanted.mobileSearch && phoneKnown === null && !searchedBefore && call.plan.finders.length > 0
        const searched = searches
          ? yield* pour(call.plan.finders, (source) => source.find(identity)).pipe(
              Effect.map(({ answer }) => Option.getOrNull(answer))
            )
          : null
        const cachedPhone = Option.getOrNull(known)?.mobile_phone ?? null
        const mobile: Found["mobile"] =
          searched !== null
            ? { phone: searched, fresh: true }
            : wanted.mobile && cachedPhone !== null && lookup?.contact.mobile_phone == null
              ? { phone: cachedPhone, fresh: false }
              : null
        const resolved = resolve(wanted, { lookup, mobile }, maskedContact(crypto, asPerson(identity)))
        const fromCache = resolved.contact !== null && lookup?.fresh !== true && !searches && Option.isSome(known)
        const finish = {
          result: {
            outcome: resolved.outcome,
            contact: resolved.contact,
            from_cache: fromCache,
            ...(call.plan.dropped ? { dropped_to_fit: ["mobile_phone" as const] } : {})
          },
          charge: resolved.charge
        }
        if (resolved.contact === null || fromCache) return yield* call.settle(finish)
        return yield* call.settle({
          ...finish,
          cache: {
            personKey,
            contact: JSON.stringify(resolved.contact),
            emailLookedUp: resolved.lookupPaid,
            mobileSearched: searches || searchedBefore,
            expiresAtMillis: nowMillis + ENRICHMENT_CACHE_DAYS * DAY_MILLIS
          }
        })
      })
  }
  return handler
})
