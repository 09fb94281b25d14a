import { Cause, Effect, Exit } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { type Advance, type OperationRef, OperationSteps } from "../../kernel/ports/DurableEngine.js"
import { about, inSpan } from "../../kernel/telemetry.js"

/** An operation is given up after this many rounds without an end. */
export const OPERATION_ROUNDS_MAX = 100_000

const TROUBLE_PAUSE_MILLIS = { first: 200, max: 60_000 }

/** The result of a round. `Trouble`: the step failed or died; the operation continues anyway. */
export type Round = Advance | { readonly _tag: "Trouble" }

/** How long after the n-th trouble in a row (from 1) the step is tried again: doubling, up to a minute. */
export const troublePauseMillis = (troubles: number): number => backoff(troubles, TROUBLE_PAUSE_MILLIS)

/**
 * Runs an operation's next step. Failures, defects and interruptions inside the step never leave the round, so an
 * engine can't lose an operation to its step. Interrupting the round interrupts the step.
 */
export const round = (operation: OperationRef): Effect.Effect<Round, never, OperationSteps> =>
  Effect.gen(function* () {
    const steps = yield* OperationSteps
    const exit = yield* Effect.exit(Effect.suspend(() => steps.advance(operation)))
    if (Exit.isSuccess(exit)) return exit.value
    yield* Effect.logWarning(
      "a step of an operation failed; it will be retried",
      Cause.pretty(exit.cause, { renderErrorCause: true })
    )
    return { _tag: "Trouble" } as const
  }).pipe(inSpan("operation.step"), about({ workspace_id: operation.workspaceId, operation_id: operation.operationId }))
