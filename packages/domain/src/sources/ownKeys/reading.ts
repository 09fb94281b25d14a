import { Clock, Effect } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { ProviderFailure } from "../ports/Source.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { noAccess, type SourceAccess } from "../SourceAccess.js"
import { type OwnKey, OwnKeyStore } from "./OwnKeyStore.js"
import { OwnKeyVendors } from "./OwnKeyVendors.js"
import { openOwnKey } from "./secret.js"

/**
 * Reads the own credentials of live workspaces: once per call, when the first source that takes one is asked, so that a
 * new one counts from the next call on. Without such vendors it reads nothing.
 */
export const makeOwnKeyReader = Effect.gen(function* () {
  const store = yield* OwnKeyStore
  const crypto = yield* Crypto
  const vendors = new Set((yield* OwnKeyVendors).map(({ name }) => name))

  return (workspaceId: string): Pick<SourceAccess, "ownKey" | "ownKeyAccepted" | "ownKeyRefused"> => {
    if (vendors.size === 0) return noAccess
    let read: FromStore<ReadonlyArray<OwnKey>> | null = null
    /** Dates the credentials: a refusal must not be recorded against one added meanwhile. */
    let readAtMillis = 0
    const noted = new Set<string>()
    /** Vendors whose credential was refused last time. */
    const wereRefused = new Set<string>()

    const keys = Effect.suspend(() => {
      if (read !== null) return read
      // The first caller may be interrupted while later ones still wait for the result.
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
          return Effect.ignore(store.accepted(workspaceId, vendor, readAtMillis), { log: true })
        }),
      ownKeyRefused: (vendor) =>
        Effect.suspend(() => {
          if (noted.has(vendor)) return Effect.void
          noted.add(vendor)
          return Effect.ignore(store.refused(workspaceId, vendor, readAtMillis), { log: true })
        })
    }
  }
})
