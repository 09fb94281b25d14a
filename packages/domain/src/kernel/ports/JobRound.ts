import { Cause, Effect, Exit } from "effect"
import { backoff } from "../backoff.js"
import { about, inSpan } from "../telemetry.js"
import { type Advance, type Job, type JobHandlers, waitFor } from "./LongWork.js"

/** A handler that takes longer is interrupted, and woken again. */
const HANDLER_MILLIS_MAX = 10 * 60_000

const TROUBLE_PAUSE_MILLIS = { first: 200, max: 60_000 }

/** How long after the n-th failure in a row (from 1) a job is woken again: doubling, up to a minute. */
export const troublePauseMillis = (troubles: number): number => backoff(troubles, TROUBLE_PAUSE_MILLIS)

/** The workspace of a job that is about one thing of one workspace. */
const workspaceOf = (key: string) => {
  const [workspaceId, thing] = key.split("/")
  return workspaceId === undefined || thing === undefined ? {} : { workspace_id: workspaceId }
}

/** The outcome of one wake-up, and the number of failures in a row by then. */
export interface Round {
  readonly next: Advance
  readonly troubles: number
}

/**
 * Wakes a job once. Failures and defects of its handler never leave the round, so an engine can't lose a job to its
 * handler: it is woken again, later each time. Interrupting the round interrupts the handler.
 */
export const round = (
  handlers: JobHandlers["Service"],
  { key, kind }: Job,
  troublesBefore: number
): Effect.Effect<Round> =>
  Effect.gen(function* () {
    const handler = handlers[kind]
    const work: Effect.Effect<Advance, unknown> =
      handler === undefined ? Effect.fail("it has no handler") : Effect.suspend(() => handler(key))
    const exit = yield* work.pipe(
      Effect.timeoutOrElse({ duration: HANDLER_MILLIS_MAX, orElse: () => Effect.fail("the handler took too long") }),
      Effect.exit
    )
    if (Exit.isSuccess(exit)) return { next: exit.value, troubles: 0 }
    const troubles = troublesBefore + 1
    yield* Effect.logWarning("a job failed; it will be retried", Cause.pretty(exit.cause))
    return { next: waitFor(troublePauseMillis(troubles)), troubles }
  }).pipe(inSpan("job"), about({ job: kind, job_key: key, ...workspaceOf(key) }))
