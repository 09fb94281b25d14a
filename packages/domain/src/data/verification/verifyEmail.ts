import { Clock, Effect, Either, Option } from "effect"
import type { Handler, Plan } from "../../calls/Handler.js"
import { capabilitiesOf, ceilingOf, served, within } from "../../calls/planning.js"
import { credits, format, zero } from "../../kernel/money/Credits.js"
import { isPossibleEmail, normalizeEmail } from "../../kernel/people/EmailAddress.js"
import { type EmailCheck, EMAIL_STATUSES, type EmailVerifier } from "../../sources/ports/EmailVerifier.js"
import { incredible, askSources } from "../../sources/Waterfall.js"
import type { VerifyEmail } from "../../verbs/VerifyEmail.js"
import { hasObjected, noteObjection } from "./objections.js"

export const VERIFY_EMAIL_PRICE = credits("1")

interface VerifyPlan extends Plan {
  readonly sources: ReadonlyArray<EmailVerifier>
}

/** An address that mail can't be sent to at all needs no provider to say so. */
const IMPOSSIBLE: EmailCheck = { status: "invalid", isCatchAllDomain: false }

const UNKNOWN: EmailCheck = { status: "unknown", isCatchAllDomain: false }

const isCredible = ({ isCatchAllDomain, status }: EmailCheck): boolean =>
  EMAIL_STATUSES.includes(status) && typeof isCatchAllDomain === "boolean"

/** Nobody else is asked about somebody who objected, though that is no more than `unknown`. */
const isFinal = ({ isObjected, status }: EmailCheck): boolean => status !== "unknown" || isObjected === true

const ask = (source: EmailVerifier, email: string) =>
  source.verify(email).pipe(
    Effect.filterOrFail(isCredible, () => incredible(source)),
    Effect.asSome
  )

export const verifyEmail: Handler<typeof VerifyEmail, VerifyPlan> = {
  plan: (request, { providers }) =>
    Either.gen(function* () {
      const sources = yield* served("verify_email", providers.emailVerifiers)
      const maximum = yield* within(ceilingOf(request), VERIFY_EMAIL_PRICE)
      return {
        maximum,
        capabilities: capabilitiesOf(request),
        warnings: [],
        route: null,
        sources
      }
    }),
  would: (request, plan) => {
    const ceiling = ceilingOf(request)
    return Effect.succeed({
      candidate_sources: plan.sources.length,
      maximum_credits: format(plan.maximum),
      budget_credits: ceiling === null ? null : format(ceiling)
    })
  },
  perform: (request, call) =>
    Effect.gen(function* () {
      const email = normalizeEmail(request.email)
      const check =
        email === null || !isPossibleEmail(email)
          ? IMPOSSIBLE
          : call.workspaceKind === "live" && (yield* hasObjected(email))
            ? UNKNOWN
            : yield* askSources(
                { kind: "email_verifier", sources: call.plan.sources, request: email },
                (source) => ask(source, email),
                isFinal
              ).pipe(Effect.map(({ answer }) => Option.getOrElse(answer, () => UNKNOWN)))
      if (email !== null && check.isObjected === true) yield* noteObjection(email)
      const checkedAt = yield* Clock.currentTimeMillis
      return yield* call.settle({
        result: {
          email: email ?? request.email.trim(),
          status: check.status,
          is_catch_all_domain: check.isCatchAllDomain,
          checked_at: new Date(checkedAt).toISOString()
        },
        charge: check.status === "unknown" ? zero : VERIFY_EMAIL_PRICE
      })
    })
}
