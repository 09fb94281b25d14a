import { Effect, Option } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type Session, UserStore } from "../users/UserStore.js"
import { SESSION_DAYS } from "./Console.js"

const DAY_MILLIS = 86_400_000

/** How sessions begin, whatever opened the door: each with a secret of its own, of which only the digest is kept. */
export const makeSessions = Effect.gen(function* () {
  const users = yield* UserStore
  const crypto = yield* Crypto

  /** The secret of a new session, in that workspace or the user's first. None: they belong to no workspace. */
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
