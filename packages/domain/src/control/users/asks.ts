import { Effect } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { SignInAskStore } from "./SignInAskStore.js"

/** How often somebody asks is counted within so long, which begins with the first ask. */
export const ASK_WINDOW_MINUTES = 15

/** Who or what asks, and how often it may. */
export interface AskSubject {
  readonly kind: "address" | "client" | "passkey" | "registration" | "authorization" | "invited" | "inviting"
  readonly name: string
  readonly max: number
}

/** Counts an ask for each of its subjects, in one order, so that no two asks wait for each other. */
export const makeAsks = Effect.gen(function* () {
  const asks = yield* SignInAskStore
  const crypto = yield* Crypto

  /** Whether all of them may still ask. */
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
