import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { EMAIL_STATUSES } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Option, Schema } from "effect"
import type { Classified } from "../classify.js"
import { makeLateJobs } from "../lateJobs.js"
import { membersOf } from "../../platform/membersOf.js"
import { Numeric, patienceSettings } from "../shape.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"
import { type Field, inputOf, look, start } from "./bulk.js"

const facts = {
  name: "full_enrich",
  title: "FullEnrich",
  baseUrl: "https://app.fullenrich.com/api/v2",
  callsPerMinute: 60,
  unit: "credit",
  unitMicros: 58_000,
  serves: ["contact_enricher", "mobile_finder"],
  limits: [
    "Takes up to a few minutes per person. If the call can't wait, the next call gets the result.",
    "Finds people by profile, or by name and company; not by address."
  ],
  known: "specification"
} as const satisfies VendorFacts

const textsOrNull = <N extends string>(...names: ReadonlyArray<N>) => membersOf(Schema.NullOr(Schema.String), names)

/** A contact as stored until the next call. */
const Kept = Schema.Struct({
  contact: Schema.NullOr(
    Schema.Struct({
      ...textsOrNull("fullName", "firstName", "lastName", "title", "companyName", "companyDomain", "companyIndustry"),
      ...textsOrNull("city", "country", "socialUrl", "observedAt", "workEmail", "mobilePhone"),
      companyHeadcount: Schema.NullOr(Schema.Number),
      workEmailStatus: Schema.NullOr(Schema.Literals(["valid", "catch_all", "unknown", "not_found"])),
      emailVerdict: Schema.NullOr(Schema.Literals(EMAIL_STATUSES))
    })
  )
})

const Account = Schema.Struct({ balance: Numeric })

const REASONS = new Map<string, Classified["reason"]>([
  ["error.api.key", "account"],
  ["error.enrichment.not_found", "invalid"],
  ["error.rate.limit", "rate_limited"]
])

/** Error codes in the body. An enrichment without credits has status 402 and is still an answer. */
export const classify = ({ json, status }: VendorAnswer): Classified | "answer" | null => {
  if (!isJsonObject(json) || status < 400) return null
  if (json["status"] === "CREDITS_INSUFFICIENT") return "answer"
  const code = String(json["code"])
  if (code === "error.enrichment.in_progress") return "answer"
  const reason = REASONS.get(code)
  return reason === undefined ? null : { reason, cause: `says ${code}` }
}

/** Asks many vendors for a person in turn; charges per hit. */
export const fullEnrich = defineVendor({
  ...facts,
  settings: Schema.Struct(patienceSettings),
  make: overHttp(
    facts,
    { authorize: (key) => ({ headers: { authorization: `Bearer ${key}` } }), classify },
    ({ declared, http, settings: patience, spend }) => {
      const lookAt = look(http)
      const jobsOf = (name: string, field: Field) => {
        const jobs = makeLateJobs({
          name,
          vendor: facts.name,
          patience,
          kept: Kept,
          spend,
          look: (job: JsonObject) =>
            Effect.map(lookAt(job), (looked) =>
              looked._tag === "Done" ? { ...looked, answer: { contact: looked.answer } } : looked
            )
        })
        const ask = (identity: PersonIdentity) => {
          const input = inputOf(identity)
          if (input === null) return Effect.succeedNone
          return Effect.map(jobs.ask(identity, start(http, input, field)), (kept) =>
            Option.fromNullishOr<EnrichedContact | null>(kept?.contact ?? null)
          )
        }
        return { ask, followUp: jobs.followUp }
      }
      const emails = jobsOf("full_enrich_emails", "contact.work_emails")
      const phones = jobsOf("full_enrich_phones", "contact.phones")
      return {
        sources: {
          contact_enricher: {
            ...declared("contact_enricher", { units: 1, missRate: 0.2, latencyMillis: 15_000 }),
            lookup: emails.ask
          },
          mobile_finder: {
            ...declared("mobile_finder", { units: 10, missRate: 0.4, latencyMillis: 15_000 }),
            find: (identity) =>
              Effect.map(
                phones.ask(identity),
                Option.flatMapNullishOr((one) => one.mobilePhone)
              )
          }
        },
        followUps: [emails.followUp, phones.followUp],
        account: Effect.map(http.get(Account, "/account/credits"), ({ balance }) => ({
          left: balance,
          missing: balance <= 0 ? ["no credits are left"] : []
        }))
      }
    }
  )
})
