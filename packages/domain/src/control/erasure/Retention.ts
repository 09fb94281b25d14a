import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Ref } from "effect"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { retainedSince } from "../../kernel/trail/retention.js"
import { verbList } from "../../verbs/verbs.js"
import { VERDICT_DAYS_MAX } from "../../data/verification/verdicts.js"
import { RetentionStore, type SubjectCursor } from "./RetentionStore.js"

/** How long outcomes and the rows of lists are stored, except outcomes of sending verbs (contract: credits, idempotency). */
export const OUTCOME_DAYS = 30

/** Most rows that one round scans, and most it deletes. */
export const LOOKED_AT_MAX = 2_000
export const FORGOTTEN_MAX = 500

/** Outcomes of sending verbs are kept as long as the workspace exists: their effects must never happen twice. */
const KEPT_VERBS: ReadonlyArray<string> = verbList.flatMap(({ name, planVersion }) => (planVersion === 1 ? [name] : []))

/**
 * One round of deleting expired data: addresses in the trail, stored outcomes, cached contacts, verdicts on
 * addresses, directory rows, rows of lists. Returns
 * how much was deleted. Each round scans the next part of the trail and starts over at the end.
 */
export const makeRetention = Effect.gen(function* () {
  const store = yield* RetentionStore
  const cursor = yield* Ref.make<SubjectCursor | null>(null)
  const { atomically } = yield* UnitOfWork

  const forgetUnseen = (nowMillis: number) =>
    Effect.gen(function* () {
      const after = yield* Ref.get(cursor)
      const { forgotten, next } = yield* atomically(store.forgetUnseen(retainedSince(nowMillis), after, LOOKED_AT_MAX))
      yield* Ref.set(cursor, next)
      return forgotten
    })

  return Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    const addresses = yield* forgetUnseen(nowMillis)
    const outcomes = yield* atomically(
      store.forgetOutcomes(nowMillis - OUTCOME_DAYS * DAY_MILLIS, KEPT_VERBS, FORGOTTEN_MAX)
    )
    const contacts = yield* atomically(store.forgetContacts(nowMillis, FORGOTTEN_MAX))
    const people = yield* atomically(store.forgetPeople(retainedSince(nowMillis), FORGOTTEN_MAX))
    const rows = yield* atomically(store.forgetRows(nowMillis - OUTCOME_DAYS * DAY_MILLIS, FORGOTTEN_MAX))
    const verdicts = yield* atomically(store.forgetVerdicts(nowMillis - VERDICT_DAYS_MAX * DAY_MILLIS, FORGOTTEN_MAX))
    return verdicts + addresses + outcomes + contacts + people + rows
  })
})
