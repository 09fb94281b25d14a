import { Effect, Option } from "effect"
import { CurrentSourceAccess } from "../../sources/SourceAccess.js"

/** What is kept of it stands under this name; never changed, as it is found by it. */
const OBJECTION = "objection"

const DAY_SECONDS = 24 * 60 * 60

/** For how long nobody is asked about somebody who objected, before the source that they told may be asked again. */
export const OBJECTION_KEPT_DAYS = 90

/**
 * Whether a source has said before that the person objected to being looked up: then nobody is asked about them. All
 * that is kept of it is a keyed hash of their address. Where that can't be looked at, the sources say it themselves.
 */
export const hasObjected = (email: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const { evidence, later } = yield* CurrentSourceAccess
    const known = yield* Effect.orElseSucceed(later.find(OBJECTION, email), () => Option.none())
    if (Option.isNone(known)) return false
    const since = known.value._tag === "Answered" ? new Date(known.value.answeredAtMillis).toISOString() : null
    yield* evidence(OBJECTION, { status: "objected", since })
    return true
  })

/** Takes note that they did. A call that was answered does not fail for want of it. */
export const noteObjection = (email: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { later } = yield* CurrentSourceAccess
    const keepSeconds = OBJECTION_KEPT_DAYS * DAY_SECONDS
    yield* later.ask({ source: OBJECTION, subject: email, email, request: {}, afterSeconds: DAY_SECONDS })
    yield* later.settle(OBJECTION, email, { _tag: "Answer", answer: {}, keepSeconds, about: email })
  }).pipe(
    Effect.catchAll(({ cause }) => Effect.logWarning("an objection could not be noted", cause)),
    Effect.uninterruptible
  )
