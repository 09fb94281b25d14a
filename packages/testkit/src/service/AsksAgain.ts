import { Context, Effect } from "effect"
import { eventLoopTurn, patience } from "./patience.js"

/**
 * Whether callers ask again where the service had no room for their call, as clients do. Not where stores fail because a
 * test says so.
 */
export const AsksAgain = Context.Reference("@outbound/testkit/service/AsksAgain", { defaultValue: () => false })

/** A busy machine lets an admission wait longer than the service allows; then nothing was done, and the answer says so. */
export const hadNoRoom = (status: number, details: Readonly<Record<string, unknown>> | null | undefined): boolean =>
  (status === 429 && details?.["limit"] === "service_capacity") ||
  (status === 503 && details?.["reason"] === "store_unavailable")

/** Asks until there was room, for as long as a busy machine may take. */
export const whereThereIsRoom = <
  A extends {
    readonly status: number
    readonly error: { readonly details?: Readonly<Record<string, unknown>> } | undefined
  },
  E,
  R
>(
  ask: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const isPatient = (yield* AsksAgain) ? patience() : () => false
    let answer = yield* ask
    while (hadNoRoom(answer.status, answer.error?.details) && isPatient()) {
      yield* eventLoopTurn
      answer = yield* ask
    }
    return answer
  })
