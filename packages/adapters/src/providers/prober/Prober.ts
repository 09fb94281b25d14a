import { backoff } from "@outbound/domain/kernel/backoff.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { type EmailCheck, EMAIL_STATUSES } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { AFTER_SECONDS_MAX, type LaterAnswer } from "@outbound/domain/sources/Later.js"
import type { FollowUp } from "@outbound/domain/sources/ports/FollowUpSource.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Option, Schema } from "effect"
import { randomInt } from "node:crypto"
import type { MakeProber } from "../open/OwnSource.js"
import { checkProber } from "./check.js"
import { makeHostLines } from "./HostLines.js"
import { type Judged, makeJudge, PROBER, tooLate } from "./judge.js"
import { MailRoutes } from "./MailRoutes.js"
import { Notes } from "./Notes.js"

/** Too long for a real mailbox, short enough for every server. */
const RANDOM_LETTERS = 18

const LETTERS = "abcdefghijklmnopqrstuvwxyz"

const randomLocal = Effect.sync(() =>
  Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)] ?? "").join("")
)

/** What asking again needs: the same two recipients, because greylists know both by now. */
const Asked = Schema.Struct({ email: Schema.String, random: Schema.String })

const decodeAsked = Schema.decodeUnknownOption(Asked)

const LateAnswer = Schema.Struct({
  status: Schema.Literals(EMAIL_STATUSES),
  is_catch_all_domain: Schema.Boolean,
  evidence: Schema.Record(Schema.String, Schema.Unknown)
})

const decodeLate = Schema.decodeUnknownOption(LateAnswer)

const factsOf = ({ because, check }: Judged, notes: Notes): JsonObject => ({
  status: check.status,
  because,
  ...notes.facts
})

/** A store failure must not lose a server's answer. */
const unlessLost = <A>(instead: A, kept: Effect.Effect<A, ProviderFailure>): Effect.Effect<A> =>
  Effect.catch(kept, ({ cause }) =>
    Effect.logWarning("a follow-up could not be stored or read", cause).pipe(
      Effect.annotateLogs({ provider: PROBER }),
      Effect.as(instead)
    )
  )

/**
 * Verifies addresses by asking their domains' mail servers, up to the recipient and never further. Says `valid` or
 * `invalid` only if the server's words prove it. Connections close with the scope.
 */
export const makeProber: MakeProber = (settings) =>
  Effect.gen(function* () {
    const judge = makeJudge({
      settings,
      routes: new MailRoutes(settings),
      lines: yield* makeHostLines(settings)
    })

    /** Bounded by the deadline, whatever servers do. */
    const judgeInTime = (email: string, random: string, notes: Notes): Effect.Effect<Judged, ProviderFailure> =>
      Effect.timeoutOrElse(Effect.interruptible(judge(email, random, notes)), {
        duration: settings.deadlineMillis,
        orElse: () => Effect.succeed(tooLate)
      })

    const probe = (email: string): Effect.Effect<EmailCheck, ProviderFailure> =>
      Effect.gen(function* () {
        const { evidence, later } = yield* CurrentSourceAccess
        const notes = new Notes(email)
        const random = yield* randomLocal
        const judged = yield* judgeInTime(email, random, notes)
        yield* evidence(PROBER, factsOf(judged, notes))
        if (judged.isWorthAskingAgain) {
          const request = { email, random }
          const afterSeconds = settings.askAgainSeconds
          yield* unlessLost(undefined, later.ask({ source: PROBER, subject: email, email, request, afterSeconds }))
        }
        return judged.check
      })

    /** The outcome of asking again; none: unknown or unreadable. */
    const checkOf = (answer: LaterAnswer): Effect.Effect<Option.Option<EmailCheck>> =>
      Effect.gen(function* () {
        const { evidence } = yield* CurrentSourceAccess
        if (answer._tag === "Pending") {
          yield* evidence(PROBER, { status: "unknown", because: "put_off", asked: [] })
          return Option.some<EmailCheck>({ status: "unknown", isCatchAllDomain: false })
        }
        if (answer._tag === "Unknown") return Option.none()
        const late = decodeLate(answer.answer)
        if (Option.isNone(late)) return Option.none()
        const { is_catch_all_domain: isCatchAllDomain, status } = late.value
        const answeredAt = new Date(answer.answeredAtMillis).toISOString()
        yield* evidence(PROBER, { ...(late.value.evidence as JsonObject), answered_at: answeredAt })
        return Option.some({ status, isCatchAllDomain })
      })

    const verify = (address: string): Effect.Effect<EmailCheck, ProviderFailure> =>
      Effect.gen(function* () {
        const { later } = yield* CurrentSourceAccess
        const email = usableEmail(address) ?? address
        const found = yield* unlessLost(Option.none(), later.find(PROBER, email))
        const known = Option.isSome(found) ? yield* checkOf(found.value) : Option.none<EmailCheck>()
        return Option.isSome(known) ? known.value : yield* probe(email)
      })

    const followUp = (request: JsonObject, tries: number): Effect.Effect<FollowUp, ProviderFailure> =>
      Effect.gen(function* () {
        const asked = decodeAsked(request)
        if (Option.isNone(asked)) return { _tag: "Gone" } as const
        const { email, random } = asked.value
        const notes = new Notes(email)
        const judged = yield* judgeInTime(email, random, notes)
        if (judged.check.status === "unknown") {
          // Later each time: greylists that take an hour exist.
          const afterSeconds = backoff(tries, { first: settings.askAgainSeconds, max: AFTER_SECONDS_MAX })
          return tries < settings.askAgainMax ? ({ _tag: "Again", afterSeconds } as const) : ({ _tag: "Gone" } as const)
        }
        const { isCatchAllDomain, status } = judged.check
        return {
          _tag: "Answer",
          answer: { email, status, is_catch_all_domain: isCatchAllDomain, evidence: factsOf(judged, notes) },
          keepSeconds: settings.answerKeepSeconds
        } as const
      })

    return {
      verifier: { name: PROBER, costMicros: 0, missRate: 0.4, latencyMillis: 2_000, verify },
      followUp: { name: PROBER, followUp },
      check: checkProber(settings)
    }
  })
