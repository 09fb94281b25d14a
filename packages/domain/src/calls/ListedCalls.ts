import { Cause, Clock, Context, Effect, Exit, Layer, Option, Result, Schema } from "effect"
import type { JsonObject } from "../kernel/canonical.js"
import { type AnyWireError, isWireError, refuse } from "../kernel/errors/Wire.js"
import type { Credits } from "../kernel/money/Credits.js"
import { Crypto } from "../kernel/ports/Crypto.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import { about } from "../kernel/telemetry.js"
import { CallNotes } from "../sources/CallNotes.js"
import { Providers } from "../sources/ports/Providers.js"
import { CurrentSourceAccess } from "../sources/SourceAccess.js"
import { SourceAccessFactory } from "../sources/SourceAccessFactory.js"
import type { AnyVerb } from "../verbs/Verb.js"
import type { AdmittedCall, Settled, Settlement } from "./Attempt.js"
import type { Held } from "./CallJournal.js"
import { rowErrorBody } from "./envelope.js"
import type { Call, Finish, Finished, Handler, Plan } from "./Handler.js"
import type { ApiKey } from "./keys/KeyStore.js"
import { Releases, releasedTool } from "./releases/Releases.js"
import { failureOf, settlementOf, withNotes, withPeople } from "./settlementOf.js"

/** A row of a list, whose reservation is open. */
export interface ListedCall {
  /** Of the row's own call. */
  readonly requestId: string
  readonly verb: AnyVerb
  // oxlint-disable-next-line typescript/no-explicit-any -- some verb's handler; the row's verb decides which
  readonly handler: Handler<any, any>
  /** The wire form of the single call's request. */
  readonly input: JsonObject
  readonly key: ApiKey
  readonly held: Pick<Held, "runId" | "month">
  readonly reserved: Credits
}

/** Ends the row together with its call. `body`: the JSON text of its result, or of its error. */
export type EndRow = (
  settlement: Settlement,
  end: { readonly state: "done" | "failed"; readonly body: string }
) => FromStore<Settled>

/**
 * Makes the calls of a list: each as the single call would be, without an admission of its own, because its list was
 * admitted. It may run twice after a crash; `EndRow` ends it once.
 */
export class ListedCalls extends Context.Service<
  ListedCalls,
  { readonly make: (row: ListedCall, end: EndRow) => FromStore<void> }
>()("@outbound/domain/calls/ListedCalls") {}

const internal = refuse("internal", {})

export const layer = Layer.effect(
  ListedCalls,
  Effect.gen(function* () {
    const crypto = yield* Crypto
    const providers = yield* Providers
    const closed = yield* Releases
    const accessFactory = yield* SourceAccessFactory

    /** The plan of the row: what is closed or misconfigured by now fails it. */
    const planOf = ({ handler, input, key, verb }: ListedCall, nowMillis: number) =>
      Result.gen(function* () {
        const request = yield* Result.mapError(Schema.decodeUnknownResult(verb.request)(input), () => internal)
        yield* releasedTool(closed, verb.name)
        const set = key.workspaceKind === "sandbox" ? providers.sandbox : providers.live
        const plan: Plan = yield* handler.plan(request, { key, nowMillis, providers: set })
        return { request, plan, providers: set }
      })

    const admittedOf = (row: ListedCall, plan: Plan, nowMillis: number): AdmittedCall<Plan> => ({
      requestId: row.requestId,
      workspaceId: row.key.workspaceId,
      key: row.key,
      plan,
      reserved: row.reserved,
      month: row.held.month,
      runId: row.held.runId,
      idempotency: null,
      admittedAtMillis: nowMillis
    })

    const make = (row: ListedCall, end: EndRow): FromStore<void> =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { requestId, verb } = row
        const { keyId, workspaceId, workspaceKind } = row.key
        const notes = workspaceKind === "live" ? new CallNotes() : null
        const failed = (error: AnyWireError, plan: Plan) =>
          Effect.flatMap(Clock.currentTimeMillis, (atMillis) =>
            end(withNotes(failureOf(admittedOf(row, plan, nowMillis), atMillis, error), notes), {
              state: "failed",
              body: rowErrorBody(error)
            })
          )
        const planned = planOf(row, nowMillis)
        if (Result.isFailure(planned)) {
          const none: Plan = { maximum: row.reserved, capabilities: [], warnings: [], route: null }
          return yield* Effect.asVoid(failed(planned.failure, none))
        }
        const { plan, request } = planned.success
        const admitted = admittedOf(row, plan, nowMillis)
        const settle = (finish: Finish<unknown>): FromStore<Finished, AnyWireError> =>
          Effect.gen(function* () {
            const atMillis = yield* Clock.currentTimeMillis
            const ended: Settlement = { ...settlementOf(admitted, atMillis, finish), isListed: true }
            const settlement = withNotes(withPeople(crypto, ended, finish), notes)
            const body = finish.failure === undefined ? JSON.stringify(finish.result) : rowErrorBody(finish.failure)
            const settled = yield* end(settlement, { state: finish.failure === undefined ? "done" : "failed", body })
            if (settled._tag === "Fenced") return yield* Effect.fail<AnyWireError>(internal)
            return { body, charged: finish.charge, available: settled.available, approvalId: null }
          })
        const call: Call<Plan, unknown> = {
          requestId,
          workspaceId,
          workspaceKind,
          keyId,
          nowMillis,
          baseFingerprint: "",
          tokenHash: null,
          idempotencyKey: null,
          byUserId: null,
          uploaded: null,
          plan,
          admitted,
          providers: planned.success.providers,
          events: null,
          settle,
          settleIn: () => Effect.die(new Error("a row of a list settles in its own transaction")),
          acceptIn: () => Effect.die(new Error("a row of a list begins no operation")),
          refuseIn: () => Effect.die(new Error("a row of a list has no effect to refuse after"))
        }
        const exit = yield* Effect.exit(
          Effect.provideService(
            Effect.suspend(() => row.handler.perform(request, call)),
            CurrentSourceAccess,
            accessFactory.of({ workspaceId, workspaceKind, requestId, verb: verb.name, notes })
          )
        )
        if (Exit.isSuccess(exit)) return
        const error = Cause.findErrorOption(exit.cause)
        if (Option.isSome(error) && !isWireError(error.value)) return yield* Effect.fail(error.value)
        if (Option.isNone(error)) yield* Effect.logError("a row of a list failed", exit.cause)
        yield* failed(Option.getOrElse(error, () => internal) as AnyWireError, plan)
      }).pipe(about({ request_id: row.requestId, verb: row.verb.name, workspace_id: row.key.workspaceId }))

    return ListedCalls.of({ make })
  })
)
