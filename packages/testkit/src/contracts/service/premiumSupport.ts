import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Clock, Effect } from "effect"
import type { Answered, CallOptions, Client } from "../../service/Client.js"
import { assertRefused, resultOf } from "./support.js"

export const PREMIUM_SOURCES = ["sandbox_leads_premium", "sandbox_leads_premium_broad"] as const

export const OFFER_MILLIS = 15 * 60_000

/** A search that the standard source fills half of. */
export const SEARCH = { audience: "anybody [[offer]]", limit: 10 } as const

export const search = (client: Client, input: JsonObject = {}, options: CallOptions = {}) =>
  client.call("find_leads", { ...SEARCH, ...input }, options)

/** The same search with the token of an offer. */
export const accept = (client: Client, offer_token: string, input: JsonObject = {}, options: CallOptions = {}) =>
  search(client, { ...input, offer_token }, options)

/** The offer of a search, which must have one. */
export const offerOf = (answer: Answered) => {
  const { offer } = resultOf(answer)
  assert.isDefined(offer, answer.text)
  assert.match(offer.offer_token, /^svc_offer_[A-Za-z0-9_-]{43}$/)
  return offer as {
    readonly offer_token: string
    readonly reason: string
    readonly max_results: number
    readonly max_credits: string
    readonly credits_per_result: string
    readonly expires_at: string
  }
}

export const offered = (client: Client, input: JsonObject = {}) =>
  Effect.map(search(client, input), (answer) => offerOf(answer).offer_token)

export const expiryFromNow = Effect.map(Clock.currentTimeMillis, (now) => new Date(now + OFFER_MILLIS).toISOString())

/** A refusal of an offer that says what to do about it. */
export const assertOfferInvalid = (answer: Answered, message: RegExp): void => {
  assert.strictEqual(answer.status, 400, answer.text)
  assertRefused(answer, "invalid_request", { reason: "offer_invalid" })
  assert.match(answer.error?.message ?? "", message)
}

export const fingerprintsOf = ({ result }: Answered): ReadonlyArray<string> =>
  result.leads.map((lead: { readonly fingerprint: string }) => lead.fingerprint)
