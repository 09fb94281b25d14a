import { Effect, Option } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type Session, UserStore } from "../users/UserStore.js"
import { SESSION_DAYS } from "./Console.js"

const DAY_MILLIS = 86_400_000

/** Begins sessions for every way of signing in. Each has its own secret; only the digest is stored. */
export const makeSessions = Effect.gen(function* () {
  const users = yield* UserStore
  const crypto = yield* Crypto

  /**
   * Returns the new session's secret. `workspaceId` null: the user's first workspace. None: the user has no workspace.
   */
  const begin = (
    given: Pick<Session, "userId" | "beganBy"> & { readonly workspaceId: string | null },
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const [home] = given.workspaceId === null ? yield* users.memberships(given.userId) : [given]
      if (home === undefined || home.workspaceId === null) return Option.none<string>()
      const secret = crypto.randomToken()
      yield* users.insertSession({
        sessionHash: crypto.sha256Hex(secret),
        userId: given.userId,
        workspaceId: home.workspaceId,
        beganBy: given.beganBy,
        createdAtMillis: nowMillis,
        expiresAtMillis: nowMillis + SESSION_DAYS * DAY_MILLIS
      })
      return Option.some(secret)
    })

  const find = (secret: string, nowMillis: number) => users.findSession(crypto.sha256Hex(secret), nowMillis)

  return { begin, find }
})
