import { DAY_MILLIS } from "../../kernel/durations.js"
import { Context, Effect, Layer } from "effect"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { earlierForms } from "../../kernel/people/EmailAddress.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import {
  type Addressed,
  type Barred,
  CONTACT_HISTORY_DAYS,
  countedReason,
  type LeftOut,
  SuppressionStore
} from "./SuppressionStore.js"

/** When people who wait may be written to, after the last message of another campaign. As the sweep puts them off. */
export const waitsUntil = (contactedMillis: number): number => contactedMillis + CONTACT_HISTORY_DAYS * DAY_MILLIS + 1

/** People contacted by another campaign since then are skipped. */
export const contactedSince = (nowMillis: number): number => nowMillis - CONTACT_HISTORY_DAYS * DAY_MILLIS

/** Whether people may be emailed. Fails closed: if this can't be confirmed, no one may be. */
export class Contactability extends Context.Service<
  Contactability,
  {
    /** The keyed hash that identifies a person in a workspace, even after their address was erased. */
    readonly hashOf: (workspaceId: string, email: string) => string
    /**
     * People who must not be emailed, with the deciding reason, by hash. `mayWait`: without those who are only to wait,
     * because the workspace queues people whom another campaign wrote to.
     */
    readonly check: (options: {
      readonly workspaceId: string
      readonly campaignId: string
      readonly people: ReadonlyArray<Addressed>
      readonly nowMillis: number
      readonly mayWait?: boolean
    }) => Effect.Effect<ReadonlyMap<string, Barred>, AnyWireError>
  }
>()("@outbound/domain/outreach/suppression/Contactability") {}

export const layer = Layer.effect(
  Contactability,
  Effect.gen(function* () {
    const suppressions = yield* SuppressionStore
    const crypto = yield* Crypto
    const hashOf = (workspaceId: string, email: string) => addressHashOf(crypto, workspaceId, email)
    return Contactability.of({
      hashOf,
      check: ({ workspaceId, campaignId, people, nowMillis, mayWait = false }) => {
        const earlier = new Map(
          people.flatMap(({ addressHash, email }) =>
            email === ""
              ? []
              : earlierForms(email).map((form) => [hashOf(workspaceId, form), { addressHash, email }] as const)
          )
        )
        return suppressions
          .check({
            workspaceId,
            people: [...people, ...Array.from(earlier, ([addressHash, { email }]) => ({ addressHash, email }))],
            campaignId,
            mayWait,
            contactedSinceMillis: contactedSince(nowMillis)
          })
          .pipe(
            // The person's own reason counts before that of another spelling.
            Effect.map((found): ReadonlyMap<string, Barred> => {
              const others = [...found].flatMap(([hash, reason]) => {
                const person = earlier.get(hash)
                return person === undefined ? [] : [[person.addressHash, reason] as const]
              })
              return new Map([...others, ...[...found].filter(([hash]) => !earlier.has(hash))])
            }),
            Effect.tapError((error) => Effect.logError("checking suppression failed", error.cause)),
            Effect.mapError(() => refuse("contact_history_unavailable", {}))
          )
      }
    })
  })
)

/** Counts by reason, in order of precedence; only reasons that occur. */
export const reasonCounts = (reasons: Iterable<LeftOut>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const reason of reasons) counts[countedReason(reason)] = (counts[countedReason(reason)] ?? 0) + 1
  return counts
}
