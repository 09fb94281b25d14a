import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { FORGOTTEN_MAX, LOOKED_AT_MAX, makeRetention, OUTCOME_DAYS } from "../../../src/control/erasure/Retention.js"
import { RetentionStore, type SubjectCursor } from "../../../src/control/erasure/RetentionStore.js"
import { VERDICT_DAYS_MAX } from "../../../src/data/verification/verdicts.js"
import { UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"
import { verbList } from "../../../src/verbs/verbs.js"

const DAY = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 2, 10, 12)
const TWO_YEARS_AGO = Date.UTC(2024, 2, 10, 12)

const SENDING = ["launch_campaign", "add_leads", "reply_to_thread", "setup_sending"]

describe("a round of retention", () => {
  it.effect("forgets each kind of data by its own age, goes on with the trail where it stopped, and counts all", () =>
    Effect.gen(function* () {
      const did: Array<readonly [what: string, ...given: ReadonlyArray<unknown>]> = []
      const counted =
        (what: string, count: number) =>
        (...given: ReadonlyArray<unknown>) =>
          Effect.sync(() => (did.push([what, ...given]), count))
      const cursors: Array<SubjectCursor | null> = [{ workspaceId: "w", subjectId: "7" }, null, null]
      const store = {
        forgetUnseen: (...given: ReadonlyArray<unknown>) =>
          Effect.map(counted("unseen", 1)(...given), (forgotten) => ({ forgotten, next: cursors.shift() ?? null })),
        forgetOutcomes: counted("outcomes", 10),
        forgetContacts: counted("contacts", 100),
        forgetPeople: counted("people", 1_000),
        forgetRows: counted("rows", 10_000),
        forgetVerdicts: counted("verdicts", 100_000)
      }
      let transactions = 0
      const atomically = (body: Effect.Effect<unknown>) =>
        Effect.tap(body, () => Effect.sync(() => (transactions += 1)))
      yield* TestClock.setTime(NOW)
      const round = yield* makeRetention.pipe(
        Effect.provideService(RetentionStore, store as never),
        Effect.provideService(UnitOfWork, { atomically } as never)
      )
      assert.strictEqual(yield* round, 111_111)
      assert.strictEqual(transactions, 6)
      const kept = did[1]?.[2] as ReadonlyArray<string>
      assert.deepStrictEqual(did, [
        ["unseen", TWO_YEARS_AGO, null, LOOKED_AT_MAX],
        ["outcomes", NOW - OUTCOME_DAYS * DAY, kept, FORGOTTEN_MAX],
        ["contacts", NOW, FORGOTTEN_MAX],
        ["people", TWO_YEARS_AGO, FORGOTTEN_MAX],
        ["rows", NOW - OUTCOME_DAYS * DAY, FORGOTTEN_MAX],
        ["verdicts", NOW - VERDICT_DAYS_MAX * DAY, FORGOTTEN_MAX]
      ])
      assert.deepStrictEqual(
        kept,
        verbList.filter(({ planVersion }) => planVersion === 1).map(({ name }) => name)
      )
      for (const name of SENDING) assert.include(kept, name)
      assert.notInclude(kept, "verify_email")
      yield* round
      yield* round
      const walked = did.filter(([what]) => what === "unseen").map(([, , after]) => after)
      assert.deepStrictEqual(walked, [null, { workspaceId: "w", subjectId: "7" }, null])
    })
  )
})
