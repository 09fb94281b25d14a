import { Clock, Effect, Layer, Option } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { AccessTokens } from "../../calls/keys/AccessTokens.js"
import { type AccessClaim, OAuthStore } from "./OAuthStore.js"
import { isAccessToken } from "./secrets.js"

const REMEMBERED_MAX = 10_000

export const layer = Layer.effect(
  AccessTokens,
  Effect.gen(function* () {
    const store = yield* OAuthStore
    const crypto = yield* Crypto
    const known = new Map<string, AccessClaim>()

    const keep = (tokenHash: string, claim: AccessClaim): void => {
      known.delete(tokenHash)
      known.set(tokenHash, claim)
      const [oldest] = known.keys()
      if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest)
    }

    return AccessTokens.of({
      keyHashOf: (bearer) =>
        Effect.gen(function* () {
          if (!isAccessToken(bearer)) return Option.none()
          const tokenHash = crypto.sha256Hex(bearer)
          const remembered = known.get(tokenHash)
          const found = remembered === undefined ? yield* store.access(tokenHash) : Option.some(remembered)
          if (Option.isNone(found)) return Option.none()
          const isOver = found.value.expiresAtMillis <= (yield* Clock.currentTimeMillis)
          if (isOver) known.delete(tokenHash)
          else keep(tokenHash, found.value)
          return isOver ? Option.none() : Option.some(found.value.keyHash)
        })
    })
  })
)
