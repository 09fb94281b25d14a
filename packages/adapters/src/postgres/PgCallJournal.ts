import type {
  Admission,
  AdmittedCall,
  Attempt,
  Reservation,
  Settled,
  Settlement
} from "@outbound/domain/calls/Attempt.js"
import { CallJournal, type KeyLocation, LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { isOutage, StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect, Layer, Option, Result, type Scope } from "effect"
import { callback } from "../platform/callback.js"
import { accepted } from "./journal/accepted.js"
import { Batcher } from "./journal/Batcher.js"
import { tooLate, UNKNOWN_KEY } from "./journal/refusals.js"
import { settleItem } from "./journal/Items.js"
import { KeyCatalogue } from "./journal/KeyCatalogue.js"
import { Pulse } from "./journal/Pulse.js"
import { Leases } from "./journal/Leases.js"
import { CAPACITY_RETRY_SECONDS } from "./journal/limits.js"
import { readRequest } from "./journal/readRequest.js"
import { reconcileIn } from "./journal/reconcileIn.js"
import { readStanding } from "./journal/readStanding.js"
import { settleIn } from "./journal/Settle.js"
import { sweep } from "./journal/Sweeper.js"
import { readOutcome, Waiters } from "./journal/Waiters.js"
import { storeFailure } from "./PgErrors.js"
import { RawPool } from "./PgPool.js"
import { SqlClient } from "./Sql.js"

const unavailable = (operation: string) => (cause: unknown) =>
  cause instanceof StoreUnavailable ? cause : storeFailure(`CallJournal.${operation}`, cause)

const ask = <A>(operation: string, question: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise({ try: question, catch: unavailable(operation) })

const EFFECT_STARTS = `
  UPDATE open_calls SET effect_started = true WHERE workspace_id = $1 AND request_id = $2
    AND EXISTS (
      SELECT 1 FROM hosts h WHERE h.incarnation = open_calls.incarnation
        AND h.heartbeat_at >= clock_timestamp() - interval '${LEASE_MILLIS} ms'
    )
  RETURNING 1`

/** A journal and its host. */
export interface Host {
  readonly journal: CallJournal["Service"]
  /** The current id of the host's row. */
  readonly incarnation: () => string
}

/**
 * The journal on PostgreSQL, which commits in groups (`journal/Batcher.ts`). One per host: calls belong to a host's
 * incarnation (`journal/Leases.ts`). Once a call is handed over, interrupting its caller doesn't withdraw it.
 */
export const makeHost: Effect.Effect<Host, StoreUnavailable, RawPool | SqlClient | Scope.Scope> = Effect.gen(
  function* () {
    const pool = yield* RawPool
    const sql = yield* SqlClient
    const catalogue = new KeyCatalogue(pool)
    const waiters = new Waiters(pool)
    const pulse = yield* Effect.acquireRelease(
      Effect.sync(() => new Pulse(pool)),
      (made) => Effect.sync(() => made.end())
    )
    const leases = yield* Effect.acquireRelease(
      ask("start", () => Leases.start(pool)),
      // If the database doesn't answer, the lease expires instead.
      (started) => Effect.promise(() => started.end().catch(() => {}))
    )
    const batcher = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Batcher({
            pool,
            incarnation: () => leases.incarnation,
            renew: () => leases.renew(),
            useLease: () => leases.use(),
            unanswered: () => pulse.doubt(),
            settled: (workspaceId, requestId) => waiters.wake(workspaceId, requestId)
          })
      ),
      (made) => Effect.promise(() => made.close())
    )

    /** Looks the key up now. */
    const located = (keyHash: string): Effect.Effect<Option.Option<KeyLocation>, StoreUnavailable> => {
      if (pulse.isDown) return Effect.fail(tooLate("CallJournal.locate"))
      const location = catalogue.remembered(keyHash)
      return location === undefined
        ? ask("locate", () => catalogue.find(keyHash)).pipe(
            Effect.map(Option.fromNullishOr),
            Effect.tapError((error) => Effect.sync(() => isOutage(error) && pulse.doubt()))
          )
        : Effect.succeed(Option.some(location))
    }

    /** A replay's outcome is read outside the batch, byte for byte as stored. */
    const withOutcome = <P extends Reservation>(
      workspaceId: string,
      admission: Admission<P>
    ): Effect.Effect<Admission<P>, StoreUnavailable> => {
      if (admission._tag !== "Replay") return Effect.succeed(admission)
      const { requestId } = admission.outcome
      return ask("admit", () => readOutcome(pool, workspaceId, requestId)).pipe(
        Effect.flatMap((ended) =>
          ended === "open" || ended.outcome === null
            ? Effect.fail(unavailable("admit")(new Error(`the outcome of ${requestId} is gone`)))
            : Effect.succeed({ ...admission, outcome: ended.outcome })
        )
      )
    }

    const decideInBatch = <P extends Reservation>(attempt: Attempt<P>, { keyId, workspaceId }: KeyLocation) =>
      callback<Admission<P>, StoreUnavailable | ReturnType<typeof overloaded>>((resume) => {
        const { runId } = attempt
        const taken = batcher.admit({
          _tag: "Admit",
          attempt,
          workspaceId,
          keyId,
          runId: runId !== null && isUuid(runId) ? runId.toLowerCase() : null,
          enqueuedAt: performance.now(),
          tries: 0,
          // The batch decides `attempt` with its own plan, so the admission has its type.
          done: (answer) =>
            resume(
              Result.isSuccess(answer)
                ? withOutcome(workspaceId, answer.success as Admission<P>)
                : Effect.fail(answer.failure)
            )
        })
        if (!taken) resume(Effect.fail(batcher.isAnswered ? overloaded() : tooLate("CallJournal.admit")))
      })

    const admit = <P extends Reservation>(attempt: Attempt<P>) =>
      Effect.uninterruptible(
        Effect.suspend(() =>
          Effect.flatMap(
            located(attempt.keyHash),
            (location): Effect.Effect<Admission<P>, StoreUnavailable | ReturnType<typeof overloaded>> =>
              Option.isNone(location) ? Effect.succeed(UNKNOWN_KEY) : decideInBatch(attempt, location.value)
          )
        )
      )

    const settle = (settlement: Settlement) =>
      Effect.uninterruptible(
        callback<Settled, StoreUnavailable>((resume) =>
          batcher.settle(
            settleItem(settlement, performance.now(), (answer) =>
              resume(Result.isSuccess(answer) ? Effect.succeed(answer.success) : Effect.fail(answer.failure))
            )
          )
        )
      )

    const effectStarts = (call: AdmittedCall) =>
      Effect.uninterruptible(
        Effect.suspend(() =>
          leases.holds
            ? ask("effectStarts", () => pool.query(EFFECT_STARTS, [call.workspaceId, call.requestId])).pipe(
                // The answer may have taken longer than the rest of the lease.
                Effect.map(({ rowCount }) => rowCount === 1 && leases.holds)
              )
            : Effect.succeed(false)
        )
      )

    const journal = CallJournal.of({
      locate: located,
      admit,
      settle,
      ...accepted(sql),
      settleIn: settleIn(sql),
      reconcileIn: reconcileIn(sql),
      effectStarts,
      awaitOutcome: (workspaceId, requestId, waitMillis) =>
        ask("awaitOutcome", () => waiters.wait(workspaceId, requestId, waitMillis)).pipe(
          Effect.map(Option.fromNullishOr)
        ),
      request: (workspaceId, requestId) =>
        ask("request", () => readRequest(pool, workspaceId, requestId)).pipe(Effect.map(Option.fromNullishOr)),
      standing: (workspaceId, keyId, nowMillis) =>
        ask("standing", () => readStanding(pool, workspaceId, keyId, nowMillis)),
      sweep: Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => ask("sweep", () => sweep(pool, batcher, nowMillis)))
    })
    return { journal, incarnation: () => leases.incarnation }
  }
)

export const layer: Layer.Layer<CallJournal, StoreUnavailable, RawPool | SqlClient> = Layer.effect(
  CallJournal,
  Effect.map(makeHost, ({ journal }) => journal)
)

const overloaded = () =>
  refuse("rate_limited", { retry_after_seconds: CAPACITY_RETRY_SECONDS, limit: "service_capacity" })
