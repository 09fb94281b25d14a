import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { domainAmong } from "../companies.js"
import { contactWith, internationalNumber, professionalProfile, splitName, toldAddress } from "../contacts.js"
import type { JobState } from "../lateJobs.js"
import { addressOf, listOf, maybe, maybeTexts, Numeric } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"

/** The searches, each charged separately. */
export type Field = "contact.work_emails" | "contact.phones"

const Started = Schema.Struct({ enrichment_id: Schema.NonEmptyString })

/** The answer to a start without enough credits. */
const Unpaid = Schema.Struct({ status: Schema.Literal("CREDITS_INSUFFICIENT") })

const Profile = Schema.Struct({
  ...maybeTexts("full_name", "first_name", "last_name"),
  location: maybe(Schema.Struct({ city: maybe(Schema.String), country: maybe(Schema.String) })),
  social_profiles: maybe(Schema.Struct({ professional_network: maybe(Schema.Struct({ url: maybe(Schema.String) })) })),
  employment: maybe(
    Schema.Struct({
      current: maybe(
        Schema.Struct({
          title: maybe(Schema.String),
          company: maybe(
            Schema.Struct({
              ...maybeTexts("name", "domain"),
              headcount: maybe(Schema.Number),
              // A name, or an object with parents.
              industry: maybe(Schema.Unknown)
            })
          )
        })
      )
    })
  )
})

const ContactInfo = Schema.Struct({
  most_probable_work_email: maybe(Schema.Struct({ email: maybe(Schema.String), status: maybe(Schema.String) })),
  most_probable_phone: maybe(Schema.Struct({ number: maybe(Schema.String) }))
})

const Result = Schema.Struct({
  custom: maybe(Schema.Record(Schema.String, Schema.Unknown)),
  contact_info: maybe(ContactInfo),
  profile: maybe(Profile)
})

/** Its states. Unknown ones count as `UNKNOWN`. */
const Enrichment = Schema.Struct({
  status: Schema.String,
  cost: maybe(Schema.Struct({ credits: maybe(Numeric) })),
  data: listOf(Result)
})

/** A pending result is reported as an error too. */
const InProgress = Schema.Struct({ code: Schema.Literal("error.enrichment.in_progress") })

const Job = Schema.Struct({ enrichment_id: Schema.String, marker: Schema.String })

const VERDICTS: Readonly<Record<string, EmailStatus>> = {
  DELIVERABLE: "valid",
  HIGH_PROBABILITY: "catch_all_valid",
  CATCH_ALL: "catch_all_unknown"
}

const USELESS = new Set(["INVALID", "INVALID_DOMAIN"])

const toldHeadcount = (headcount: number | null): number | null => (headcount === 0 ? null : headcount)

const personOf = (profile: typeof Profile.Type): Partial<EnrichedContact> => {
  const current = profile.employment?.current ?? null
  const industry = current?.company?.industry
  return {
    fullName: profile.full_name,
    firstName: profile.first_name,
    lastName: profile.last_name,
    title: current?.title ?? null,
    companyName: current?.company?.name ?? null,
    companyDomain: domainAmong([current?.company?.domain ?? null]),
    companyHeadcount: toldHeadcount(current?.company?.headcount ?? null),
    companyIndustry: typeof industry === "string" ? industry : null,
    city: profile.location?.city ?? null,
    country: profile.location?.country ?? null,
    socialUrl: addressOf(profile.social_profiles?.professional_network?.url ?? null)
  }
}

const contactOf = ({ contact_info, profile }: typeof Result.Type): EnrichedContact | null => {
  const email = contact_info?.most_probable_work_email ?? null
  const status = email?.status?.toUpperCase() ?? ""
  const workEmail = USELESS.has(status) ? null : toldAddress(email?.email ?? null)
  const mobilePhone = internationalNumber(contact_info?.most_probable_phone?.number ?? null)
  if (workEmail === null && mobilePhone === null && profile === null) return null
  const emailVerdict = VERDICTS[status] ?? "unknown"
  const found = emailVerdict === "valid" ? "valid" : emailVerdict === "unknown" ? "unknown" : "catch_all"
  return contactWith({
    ...(profile === null ? {} : personOf(profile)),
    workEmail,
    workEmailStatus: workEmail === null ? "not_found" : found,
    emailVerdict: workEmail === null ? null : emailVerdict,
    mobilePhone
  })
}

/** The query that identifies a person; null if too little is known. */
export const inputOf = (identity: PersonIdentity): JsonObject | null => {
  const profile = professionalProfile(identity.socialUrl)
  const name = splitName(identity)
  const hasCompany = identity.companyDomain !== null || identity.companyName !== null
  if (profile === null && (name === null || !hasCompany)) return null
  return {
    ...(name === null ? {} : { first_name: name.first, last_name: name.last }),
    ...(identity.companyDomain === null ? {} : { domain: identity.companyDomain }),
    ...(identity.companyName === null ? {} : { company_name: identity.companyName }),
    ...(profile === null ? {} : { linkedin_url: profile })
  }
}

/**
 * Starts a charged enrichment of one person. It carries our marker, which identifies its result and helps the operator
 * find it at the vendor. The vendor can't look an enrichment up by its marker.
 */
export const start =
  (http: VendorHttp, input: JsonObject, field: Field) =>
  (marker: string): Effect.Effect<JsonObject, ProviderFailure> => {
    const started = http.make(Schema.Union([Started, Unpaid]), "/contact/enrich/bulk", {
      name: `outbound ${marker}`,
      data: [{ ...input, enrich_fields: [field], custom: { marker } }]
    })
    return Effect.flatMap(started, (answer) =>
      "status" in answer
        ? Effect.fail(http.failed("account", "no credits are left"))
        : Effect.succeed({ enrichment_id: answer.enrichment_id, marker })
    )
  }

/** Reads an enrichment, for free. Null: nobody was found. */
export const look =
  (http: VendorHttp) =>
  (job: JsonObject): Effect.Effect<JobState<EnrichedContact | null>, ProviderFailure> =>
    Effect.gen(function* () {
      const { enrichment_id, marker } = yield* Effect.mapError(Schema.decodeUnknownEffect(Job)(job), () =>
        http.failed("invalid", "no such job")
      )
      const path = `/contact/enrich/bulk/${encodeURIComponent(enrichment_id)}`
      const answer = yield* http.get(Schema.Union([Enrichment, InProgress]), path)
      if ("code" in answer) return { _tag: "Working" }
      const lost = (reason: "account" | "transient") =>
        ({ _tag: "Lost", failure: http.failed(reason, `the enrichment is ${answer.status.slice(0, 100)}`) }) as const
      switch (answer.status) {
        case "CREATED":
        case "IN_PROGRESS":
          return { _tag: "Working" }
        case "RATE_LIMIT":
          return yield* http.failed("rate_limited", "the enrichment waits")
        case "CREDITS_INSUFFICIENT":
          return lost("account")
        case "FINISHED": {
          const ours = answer.data.find(({ custom }) => custom?.["marker"] === marker) ?? null
          const result = ours ?? (answer.data.length === 1 ? (answer.data[0] ?? null) : null)
          if (result?.custom?.["marker"] !== undefined && ours === null) return lost("transient")
          return {
            _tag: "Done",
            answer: result === null ? null : contactOf(result),
            amount: answer.cost?.credits ?? 0
          }
        }
        default:
          return lost("transient")
      }
    })
