import { assert, describe, it } from "@effect/vitest"
import { PLANTED } from "@outbound/domain/control/attention/plan.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Effect } from "effect"
import { makeApprovals } from "../src/main/embed/approvals.js"
import { Desk } from "./support/Desk.js"
import { largeLaunch } from "./support/largeLaunch.js"
import { run } from "./support/Visitor.js"

describe("attention on a page of an embedding program", () => {
  it.live("is asked as in the console: nothing is approved before all was looked at", () =>
    run(
      Effect.gen(function* () {
        const { ours } = yield* Desk
        const { atomically } = yield* UnitOfWork
        const rules = yield* RuleStore
        yield* atomically(rules.setRules(ours.workspaceId, { ...DEFAULT_RULES, attentionAbove: 500 }))
        const { approval, people } = yield* largeLaunch(ours, 600)
        const approvals = yield* makeApprovals
        const about = { workspaceId: ours.workspaceId, approvalId: approval.approvalId, by: ours.email }
        const approve = approvals.decide({ ...about, digest: approval.snapshotDigest, decision: "approve" })
        assert.strictEqual(yield* approve, "unattended")
        const before = yield* approvals.looking(about)
        assert.deepInclude(before, { isAsked: true, looked: 0, of: null, next: null, conclusion: null })
        assert.isTrue(yield* approvals.beginLooking(about))
        const known = new Set(people.map(({ email }) => email))
        let odd = 0
        for (let at = 0; ; at += 1) {
          const now = yield* approvals.looking(about)
          if (now?.next == null) break
          assert.strictEqual(now.next.at, at)
          assert.isTrue(known.has(now.next.to))
          assert.lengthOf(now.next.messages, 2)
          const isWrong = /\[\[|null|#N\/A|amp;|Ã/.test(JSON.stringify(now.next.messages))
          if (isWrong) odd += 1
          assert.isTrue(yield* approvals.sayLooked({ ...about, at, isWrong }))
        }
        assert.strictEqual(odd, PLANTED)
        const after = yield* approvals.looking(about)
        assert.strictEqual(after?.looked, after?.of)
        assert.isAtMost(after?.conclusion?.wrongAtMost ?? 600, 60)
        assert.strictEqual(yield* approve, "approved")
        assert.isFalse(yield* approvals.sayLooked({ ...about, at: 0, isWrong: true }))
      })
    )
  )
})
