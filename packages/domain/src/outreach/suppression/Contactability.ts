import { Context, Effect, Layer } from "effect"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { CONTACT_HISTORY_DAYS, type RemovalReason, SuppressionStore } from "./SuppressionStore.js"

const DAY_MILLIS = 86_400_000

/** Whoever was contacted by another campaign since then is left alone. */
export const contactedSince = (nowMillis: number): number => nowMillis - CONTACT_HISTORY_DAYS * DAY_MILLIS

/** Whether people may be written to. Where that can't be confirmed nobody may: it fails closed. */
export class Contactability extends Context.Tag("@outbound/domain/outreach/suppression/Contactability")<
  Contactability,
  {
    /** The keyed hash by which a person is recognised in a workspace, also after their address was erased. */
    readonly hashOf: (workspaceId: string, email: string) => string
    /** Who must not be written to, and the reason that counts, by hash. */
    readonly check: (options: {
      readonly workspaceId: string
      readonly campaignId: string
      readonly addressHashes: ReadonlyArray<string>
      readonly nowMillis: number
    }) => Effect.Effect<ReadonlyMap<string, Exclude<RemovalReason, "invalid" | "other">>, AnyWireError>
  }
>() {}

export const layer = Layer.effect(
  Contactability,
  Effect.gen(function* () {
    const suppressions = yield* SuppressionStore
    const crypto = yield* Crypto
    const hashOf = (workspaceId: string, email: string) => addressHashOf(crypto, workspaceId, email)
    return Contactability.of({
      hashOf,
      check: ({ workspaceId, campaignId, addressHashes, nowMillis }) =>
        suppressions
          .check({
            workspaceId,
            addressHashes,
            campaignId,
            contactedSinceMillis: contactedSince(nowMillis)
          })
          .pipe(
            Effect.tapError((error) => Effect.logError("checking suppression failed", error.cause)),
            Effect.mapError(() => refuse("contact_history_unavailable", {}))
          )
    })
  })
)

/** Counts by reason, in the order in which reasons count; only those that occur. */
export const reasonCounts = (reasons: Iterable<RemovalReason>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
