import { Effect } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { SignInAskStore } from "./SignInAskStore.js"

/** The window in which requests are counted; it begins with the first one. */
export const ASK_WINDOW_MINUTES = 15

/** A subject of a limit, and its maximum. */
export interface AskSubject {
  readonly kind:
    | "address"
    | "client"
    | "passkey"
    | "registration"
    | "authorization"
    | "invited"
    | "inviting"
    | "sign_ups"
  readonly name: string
  readonly max: number
}

/** Counts a request for each of its subjects. The fixed order prevents deadlocks. */
export const makeAsks = Effect.gen(function* () {
  const asks = yield* SignInAskStore
  const crypto = yield* Crypto

  /** Whether all subjects are within their limits. */
  return (subjects: ReadonlyArray<AskSubject>, nowMillis: number, windowMinutes: number = ASK_WINDOW_MINUTES) =>
    Effect.gen(function* () {
      const named = subjects
        .map(({ kind, max, name }) => ({ subject: crypto.mac("session", `ask ${kind}\n${name}`), max }))
        .sort((a, b) => (a.subject < b.subject ? -1 : 1))
      const counts = yield* Effect.forEach(named, ({ max, subject }) =>
        Effect.map(asks.count(subject, nowMillis, windowMinutes * 60_000), (count) => count <= max)
      )
      return counts.every(Boolean)
    })
})
