import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, Schema } from "effect"
import type { Classified } from "../classify.js"
import { internationalNumber } from "../contacts.js"
import { type JobState, makeLateJobs } from "../lateJobs.js"
import { listOf, maybe, maybeTexts, patienceSettings } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"
import type { VendorParts } from "../Vendor.js"

/** Credits per mobile number, on top of the person. */
export const PHONE_CREDITS = 8
const PERSON_CREDITS = 1

export const phoneSettings = {
  /** A webhook address for mobile numbers. Null: don't search for them. We also read the result ourselves. */
  phone_webhook_url: setting(Schema.NullOr(Schema.String.check(Schema.isStartingWith("https://"))), null),
  ...patienceSettings
}
export type PhoneSettings = Schema.Struct.Type<typeof phoneSettings>

const Started = Schema.Struct({ person: Schema.NullOr(Schema.Unknown) })

/** Waits that it asks for beyond this are not believed. */
const RETRY_AFTER_SECONDS_MAX = 3_600

const Result = Schema.Struct({
  /** A decimal, by the plan of the account. */
  credits_consumed: maybe(Schema.Number.check(Schema.isGreaterThanOrEqualTo(0))),
  people: listOf(
    Schema.Struct({
      phone_numbers: listOf(Schema.Struct(maybeTexts("sanitized_number", "status_cd", "type_cd")))
    })
  )
})

/** No result until this is complete. Failed webhook delivery doesn't matter: we read the result ourselves. */
const Delivered = Schema.Struct({
  webhook_status: maybe(Schema.Literals(["in_progress", "success", "failed"])),
  webhook_result: Schema.NullOr(Result)
})

const NotDelivered = Schema.Struct({
  error_code: Schema.String,
  retry_after_seconds: maybe(Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: RETRY_AFTER_SECONDS_MAX })))
})

const Job = Schema.Struct({ request_id: Schema.String })
const Kept = Schema.Struct({ phone: Schema.NullOr(Schema.String) })

/** A signed 64-bit number is too long for JavaScript's, so it is quoted before the text is parsed. */
const LONG_NUMBER = /("request_id"\s*:\s*)(-?\d{1,20})(?=\s*[,}])/g
const Request = Schema.fromJsonString(
  Schema.Struct({ request_id: Schema.String.check(Schema.isPattern(/^-?\d{1,20}$/)) })
)
const requestIn = (text: string): string | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(Request)(text.replace(LONG_NUMBER, '$1"$2"')))?.request_id

const PENDING = "result_pending"
const OVER = new Set(["request_id_unknown", "request_id_expired", "invalid_request_id"])

/** A missing or pending number comes with a status that elsewhere is a failure. */
export const classifyPhones = ({ json, status }: VendorAnswer): Classified | "answer" | null => {
  const code = isJsonObject(json) ? json["error_code"] : null
  return status >= 400 && typeof code === "string" && (code === PENDING || OVER.has(code)) ? "answer" : null
}

/** The kinds of number that it delivers for a search of mobiles, the surest first. A switchboard's is none of them. */
const KINDS: ReadonlyArray<string | null> = ["mobile", null, "other"]

const rankOf = ({ type_cd }: { readonly type_cd: string | null }) => KINDS.indexOf(type_cd?.toLowerCase() ?? null)

const numberIn = ({ people }: typeof Result.Type): string | null => {
  const usable = people
    .flatMap(({ phone_numbers }) => phone_numbers)
    .filter((one) => one.status_cd !== "invalid_number" && rankOf(one) >= 0)
  for (const one of usable.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const number = internationalNumber(one.sanitized_number)
    if (number !== null) return number
  }
  return null
}

/** Null: don't search. */
export const makePhones = ({ http, settings, spend }: VendorParts<PhoneSettings>) => {
  const { phone_webhook_url } = settings
  if (phone_webhook_url === null) return null

  const start = (match: Readonly<Record<string, string>>): Effect.Effect<JsonObject | null, ProviderFailure> =>
    Effect.gen(function* () {
      const answer = yield* http.send({
        method: "POST",
        path: "/people/match",
        query: { ...match, reveal_phone_number: true, webhook_url: phone_webhook_url },
        hasEffect: true
      })
      const read = Schema.decodeUnknownOption(Started)(answer.json)
      const request_id = requestIn(answer.text)
      if (Option.isNone(read)) return yield* http.failed("unknown_outcome", "it is not as documented")
      if (read.value.person === null) return null
      if (request_id === undefined) return yield* http.failed("unknown_outcome", "it names no request")
      return { request_id }
    })

  const look = (job: JsonObject): Effect.Effect<JobState<typeof Kept.Type>, ProviderFailure> =>
    Effect.gen(function* () {
      const { request_id } = yield* Effect.mapError(Schema.decodeUnknownEffect(Job)(job), () =>
        http.failed("invalid", "no such job")
      )
      const path = `/webhook_result/${encodeURIComponent(request_id)}`
      const answer = yield* http.get(Schema.Union([Delivered, NotDelivered]), path)
      if ("error_code" in answer) {
        return answer.error_code === PENDING
          ? { _tag: "Working", afterSeconds: answer.retry_after_seconds ?? undefined }
          : { _tag: "Lost", failure: http.failed("transient", `says ${answer.error_code}`) }
      }
      const { webhook_result: result, webhook_status: status } = answer
      if (result === null) {
        return status === null || status === "in_progress"
          ? { _tag: "Working" }
          : { _tag: "Lost", failure: http.failed("transient", `it is ${status}, without a result`) }
      }
      const phone = numberIn(result)
      return {
        _tag: "Done",
        answer: { phone },
        amount: result.credits_consumed ?? (phone === null ? PERSON_CREDITS : PERSON_CREDITS + PHONE_CREDITS)
      }
    })

  const jobs = makeLateJobs({ name: "apollo_phones", vendor: http.name, patience: settings, kept: Kept, spend, look })
  return {
    followUp: jobs.followUp,
    find: (identity: PersonIdentity, match: Readonly<Record<string, string>>) =>
      Effect.map(
        jobs.ask(identity, () => start(match)),
        (kept) => Option.fromNullishOr(kept?.phone ?? null)
      )
  }
}
