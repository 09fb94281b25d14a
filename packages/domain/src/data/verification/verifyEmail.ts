import { Effect, Option, Result } from "effect"
import { type Handler, type Plan, planWithin, served, wouldSpend } from "../../calls/Handler.js"
import { zero } from "../../kernel/money/Credits.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { EMAIL_STATUSES, type EmailCheck, type EmailVerifier } from "../../sources/ports/EmailVerifier.js"
import { CurrentSourceAccess } from "../../sources/SourceAccess.js"
import { incredible, askSources } from "../../sources/Waterfall.js"
import { VERIFY_EMAIL_PRICE } from "../../verbs/prices.js"
import type { VerifyEmail } from "../../verbs/VerifyEmail.js"

/** The name of the stored record. Never change it: records are found by it. */
const OBJECTION = "objection"

const DAY_SECONDS = 24 * 60 * 60

/** How long nobody is asked about a person who objected. Then the source they told may be asked again. */
const OBJECTION_KEPT_DAYS = 90

/**
 * Whether a source reported that the person objected to being looked up. Then nobody is asked about them. We store only
 * a keyed hash of the address. If the store is unreachable, the sources report it again.
 */
const hasObjected = (email: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const { evidence, later } = yield* CurrentSourceAccess
    const known = yield* Effect.orElseSucceed(later.find(OBJECTION, email), () => Option.none())
    if (Option.isNone(known)) return false
    const since = known.value._tag === "Answered" ? new Date(known.value.answeredAtMillis).toISOString() : null
    yield* evidence(OBJECTION, { status: "objected", since })
    return true
  })

/** Records an objection. A failure to record doesn't fail an answered call. */
const noteObjection = (email: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { later } = yield* CurrentSourceAccess
    const keepSeconds = OBJECTION_KEPT_DAYS * DAY_SECONDS
    yield* later.ask({ source: OBJECTION, subject: email, email, request: {}, afterSeconds: DAY_SECONDS })
    yield* later.settle(OBJECTION, email, { _tag: "Answer", answer: {}, keepSeconds, about: email })
  }).pipe(
    Effect.catch(({ cause }) => Effect.logWarning("recording an objection failed", cause)),
    Effect.uninterruptible
  )

interface VerifyPlan extends Plan {
  readonly sources: ReadonlyArray<EmailVerifier>
}

/** An impossible address needs no provider. */
const IMPOSSIBLE: EmailCheck = { status: "invalid", isCatchAllDomain: false }

const UNKNOWN: EmailCheck = { status: "unknown", isCatchAllDomain: false }

const isCredible = ({ isCatchAllDomain, status }: EmailCheck): boolean =>
  EMAIL_STATUSES.includes(status) && typeof isCatchAllDomain === "boolean"

/** After an objection no other source is asked, though the status is only `unknown`. */
const isFinal = ({ isObjected, status }: EmailCheck): boolean => status !== "unknown" || isObjected === true

const ask = (source: EmailVerifier, email: string) =>
  Effect.flatMap(source.verify(email), (check) =>
    isCredible(check) ? Effect.succeed(Option.some(check)) : Effect.fail(incredible(source))
  )

/** What the sources know of an address. */
const checkOf = (email: string | null, sources: ReadonlyArray<EmailVerifier>, isLive: boolean) => {
  if (email === null) return Effect.succeed(IMPOSSIBLE)
  return Effect.flatMap(isLive ? hasObjected(email) : Effect.succeed(false), (objected) =>
    objected
      ? Effect.succeed(UNKNOWN)
      : Effect.map(
          askSources({ kind: "email_verifier", sources, request: email }, (source) => ask(source, email), isFinal),
          ({ answer }) => Option.getOrElse(answer, () => UNKNOWN)
        )
  )
}

export const verifyEmail: Handler<typeof VerifyEmail, VerifyPlan> = {
  plan: (request, { providers }) =>
    Result.flatMap(served("verify_email", providers.emailVerifiers), (sources) =>
      Result.map(planWithin(request, VERIFY_EMAIL_PRICE), (plan) => ({ ...plan, sources }))
    ),
  would: (request, plan) => Effect.succeed({ candidate_sources: plan.sources.length, ...wouldSpend(request, plan) }),
  perform: (request, call) => {
    const email = usableEmail(request.email)
    return Effect.flatMap(checkOf(email, call.plan.sources, call.workspaceKind === "live"), (check) =>
      Effect.flatMap(email !== null && check.isObjected === true ? noteObjection(email) : Effect.void, () =>
        Effect.clockWith((clock) =>
          call.settle({
            result: {
              email: email ?? request.email.trim(),
              status: check.status,
              is_catch_all_domain: check.isCatchAllDomain,
              checked_at: new Date(clock.currentTimeMillisUnsafe()).toISOString()
            },
            charge: check.status === "unknown" ? zero : VERIFY_EMAIL_PRICE,
            // Nobody asked about what is no address.
            ...(email === null ? {} : { verdict: { email, status: check.status } })
          })
        )
      )
    )
  }
}
