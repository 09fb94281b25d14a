import { Clock, Effect } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { ProviderFailure } from "../ports/ProviderFailure.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import { noAccess, type SourceAccess } from "../SourceAccess.js"
import { type OwnKey, OwnKeyStore } from "./OwnKeyStore.js"
import { OwnKeyVendors } from "./OwnKeyVendors.js"
import { openOwnKey } from "./secret.js"

/**
 * How the calls of live workspaces come to their own credentials: read when the first source is asked that takes one,
 * once for each call, so that a new one counts from the next call on. Where no vendor takes one there is nothing to read.
 */
export const makeOwnKeyReader = Effect.gen(function* () {
  const store = yield* OwnKeyStore
  const crypto = yield* Crypto
  const vendors = new Set((yield* OwnKeyVendors).map(({ name }) => name))

  return (workspaceId: string): Pick<SourceAccess, "ownKey" | "ownKeyAccepted" | "ownKeyRefused"> => {
    if (vendors.size === 0) return noAccess
    let read: Effect.Effect<ReadonlyArray<OwnKey>, StoreUnavailable> | null = null
    /** What the vendor says is about the credential that stood then, and not of one that was brought while it was asked. */
    let readAtMillis = 0
    const noted = new Set<string>()
    /** Of those that were used, the ones that were refused the last time. */
    const wereRefused = new Set<string>()

    const keys = Effect.suspend(() => {
      if (read !== null) return read
      // Whoever comes first may be given up; those who come after still want what it reads.
      const list = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
        readAtMillis = nowMillis
        return store.list(workspaceId)
      })
      const once = Effect.runSync(Effect.cached(Effect.uninterruptible(list)))
      read = once
      return once
    })

    return {
      ownKey: (vendor) => {
        if (!vendors.has(vendor)) return Effect.succeedNone
        return Effect.flatMap(
          Effect.mapError(
            keys,
            (cause) => new ProviderFailure({ provider: vendor, reason: "transient", concluded: "skipped", cause })
          ),
          (all) => {
            const key = all.find((one) => one.vendor === vendor)
            if (key === undefined) return Effect.succeedNone
            const secret = openOwnKey(crypto, key)
            if (key.refusedAtMillis !== null && !noted.has(vendor)) wereRefused.add(vendor)
            return secret === null
              ? Effect.fail(new ProviderFailure({ provider: vendor, reason: "account", ownKey: "unusable" }))
              : Effect.succeedSome(secret)
          }
        )
      },
      ownKeyAccepted: (vendor) =>
        Effect.suspend(() => {
          if (!wereRefused.delete(vendor)) return Effect.void
          return Effect.ignoreLogged(store.accepted(workspaceId, vendor, readAtMillis))
        }),
      ownKeyRefused: (vendor) =>
        Effect.suspend(() => {
          if (noted.has(vendor)) return Effect.void
          noted.add(vendor)
          return Effect.ignoreLogged(store.refused(workspaceId, vendor, readAtMillis))
        })
    }
  }
})
