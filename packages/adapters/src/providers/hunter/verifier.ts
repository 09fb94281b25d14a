import type { EmailStatus, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Duration, Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import type { VendorConfig } from "../Vendor.js"
import type { VendorAnswer, VendorHttp, VendorRequest } from "../VendorHttp.js"
import { found, verifierOf } from "../verification.js"
import { OBJECTED } from "./classify.js"

const STATUSES = ["valid", "invalid", "accept_all", "webmail", "disposable", "unknown"] as const

const Verification = Schema.Struct({
  data: Schema.Struct({
    status: Schema.Literal(...STATUSES),
    score: maybe(Schema.Number),
    accept_all: maybe(Schema.Boolean),
    block: maybe(Schema.Boolean)
  })
})

/** It works on it still, and is to be asked again. */
const RUNNING = 202

/** The mail server gave it no answer that it understands: nobody knows, whatever its body looks like. */
const NO_ANSWER = 222

export interface VerifierSettings {
  readonly polls_max: number
  readonly poll_millis: number
  readonly webmail: EmailStatus
  readonly verification_credits: number
}

/** Asks again while it is told that the verification is running, so often at most. */
export const verifier = (
  http: VendorHttp,
  config: VendorConfig,
  { poll_millis, polls_max, verification_credits, webmail }: VerifierSettings,
  spend: Spend
): EmailVerifier => {
  const statusOf: Readonly<Record<(typeof STATUSES)[number], EmailStatus>> = {
    valid: "valid",
    invalid: "invalid",
    disposable: "invalid",
    accept_all: "catch_all_unknown",
    webmail,
    unknown: "unknown"
  }

  const settled = (request: VendorRequest): Effect.Effect<VendorAnswer, ProviderFailure> =>
    Effect.gen(function* () {
      let answer = yield* http.send(request)
      for (let polls = 0; polls < polls_max && answer.status === RUNNING; polls += 1) {
        yield* Effect.sleep(Duration.millis(poll_millis))
        answer = yield* http.send(request)
      }
      return answer
    })

  return verifierOf(config, http.name, { units: verification_credits, missRate: 0.12, latencyMillis: 2500 }, (email) =>
    Effect.gen(function* () {
      const request: VendorRequest = { method: "GET", path: "/email-verifier", query: { email }, hasEffect: true }
      const answer = yield* settled(request)
      if (answer.status === RUNNING) return yield* found(http.name, "unknown", false, { status: "running" })
      if (answer.status === NO_ANSWER) return yield* found(http.name, "unknown", false, { status: "no answer" })
      if (answer.status === OBJECTED) {
        return { ...(yield* found(http.name, "unknown", false, { status: "objected" })), isObjected: true as const }
      }
      const { accept_all, block, score, status } = (yield* http.understand(Verification, request, answer)).data
      yield* spend(verification_credits)
      const isCatchAll = status === "accept_all" || accept_all === true
      return yield* found(http.name, statusOf[status], isCatchAll, { status, score, block })
    })
  )
}
