import { assert, describe, it } from "@effect/vitest"
import { NoticeStore } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { launch } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000

const RULES = "/console/settings/approvals"
const NOTICES = "/console/settings/notices"

describe("who must approve, in the console", () => {
  it.live("a request for two shows who has approved, takes nobody twice, and offers them no button", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const of = yield* desk.add(desk.ours, launch, { approversNeeded: 2 })
        const path = `/console/approvals/${of.approvalId}`
        const ada = yield* visitor(desk.ours)
        const member = yield* visitor(desk.ours, "member")
        assert.include((yield* ada.get(path)).text, "0 of 2 have approved")
        const approve = { digest: of.snapshotDigest }
        assert.strictEqual((yield* ada.post(`${path}/approve`, approve)).status, 303)
        const page = (yield* ada.get(path)).text
        assert.include(page, "1 of 2 have approved")
        assert.include(page, "ada@example.com approved")
        assert.notInclude(page, `${path}/approve`)
        assert.include(page, `${path}/decline`)
        const again = yield* ada.post(`${path}/approve`, approve)
        assert.strictEqual(again.status, 409)
        assert.include(again.text, "you have already approved")
        assert.strictEqual((yield* desk.find(of)).state, "pending")
        assert.include((yield* ada.get("/console/approvals")).text, "Waiting for others")
        assert.include((yield* member.get("/console/approvals")).text, "Waiting for you")
        assert.include((yield* member.get(path)).text, `${path}/approve`)
        assert.strictEqual((yield* member.post(`${path}/approve`, approve)).status, 303)
        assert.strictEqual((yield* desk.find(of)).state, "approved")
        assert.include((yield* ada.get(path)).text, "2 of 2 have approved")
      })
    )
  )

  it.live("who made the key is told that others approve, and may decline", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const ada = yield* visitor(desk.ours)
        const first = yield* desk.add(desk.ours, launch, { approversNeeded: 2 })
        yield* ada.post(`/console/approvals/${first.approvalId}/approve`, { digest: first.snapshotDigest })
        const { decidedByUserId: nobody } = yield* desk.find(first)
        assert.isNull(nobody)
        const plain = yield* desk.add(desk.ours, launch)
        yield* ada.post(`/console/approvals/${plain.approvalId}/approve`, { digest: plain.snapshotDigest })
        const excludedUserId = (yield* desk.find(plain)).decidedByUserId
        const of = yield* desk.add(desk.ours, launch, { excludedUserId })
        const path = `/console/approvals/${of.approvalId}`
        assert.include((yield* ada.get(path)).text, "You made the key that asks")
        const refused = yield* ada.post(`${path}/approve`, { digest: of.snapshotDigest })
        assert.strictEqual(refused.status, 409)
        assert.strictEqual((yield* desk.find(of)).state, "pending")
        assert.strictEqual((yield* ada.post(`${path}/decline`, { digest: of.snapshotDigest })).status, 303)
      })
    )
  )

  it.live("owners set the rules with a fresh sign-in; members read them", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const member = yield* visitor(desk.ours, "member")
        const ada = yield* visitor(desk.ours)
        const rules = { recipients_above: "500", credits_above: "1,000.5", excludes_key_owner: "off" }
        const wrong = yield* ada.post(RULES, { ...rules, recipients_above: "many" })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, `value="many"`)
        assert.strictEqual((yield* ada.post(RULES, rules)).status, 303)
        const text = (yield* member.get(RULES)).text
        assert.include(text, "more than 500 leads")
        assert.include(text, "more than 1000.5 credits")
        assert.strictEqual((yield* member.post(RULES, rules)).status, 403)
        const stale = yield* visitor(desk.ours, "owner", 6 * MINUTE)
        assert.strictEqual((yield* stale.post(RULES, rules)).status, 403)
        const alone = yield* visitor(desk.theirs)
        const tooFew = yield* alone.post(RULES, rules)
        assert.strictEqual(tooFew.status, 400)
        assert.include(tooFew.text, "need at least 2 members")
      })
    )
  )
})

describe("notices in the console", () => {
  it.live("members choose for themselves, and a channel's address is never shown again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const ada = yield* visitor(desk.ours)
        const member = yield* visitor(desk.ours, "member")
        assert.strictEqual((yield* member.post(NOTICES, { wanted: "purchase" })).status, 303)
        assert.match((yield* member.get(NOTICES)).text, /value="launch"(?! checked)/)
        assert.match((yield* ada.get(NOTICES)).text, /value="launch" checked/)
        const channel = { kind: "slack", url: "https://hooks.example.com/services/T0/B0/secret-of-ours" }
        const inside = yield* ada.post(`${NOTICES}/channel`, { ...channel, url: "http://127.0.0.1:8080/x" })
        assert.strictEqual(inside.status, 400)
        assert.notInclude(inside.text, "127.0.0.1:8080")
        assert.strictEqual((yield* ada.post(`${NOTICES}/channel`, channel)).status, 303)
        const page = (yield* ada.get(NOTICES)).text
        assert.include(page, "hooks.example.com")
        assert.notInclude(page, "secret-of-ours")
        assert.notInclude((yield* ada.get("/console/settings/history")).text, "secret-of-ours")
        const stale = yield* visitor(desk.ours, "owner", 6 * MINUTE)
        assert.strictEqual((yield* stale.post(`${NOTICES}/channel/remove`, { kind: "slack" })).status, 403)
        const tested = yield* ada.post(`${NOTICES}/channel/test`, { kind: "slack" })
        assert.strictEqual(tested.headers.get("location"), `${NOTICES}?done=tested`)
        assert.include((yield* ada.get(`${NOTICES}?done=tested`)).text, "took a test message")
        const failed = (yield* ada.get(`${NOTICES}?failed=status&status=404`)).text
        assert.include(failed, "may not have arrived: the server answered 404")
        assert.notInclude((yield* ada.get(`${NOTICES}?failed=<b>&status=1`)).text, "may not have arrived")
        assert.strictEqual((yield* ada.post(`${NOTICES}/channel/remove`, { kind: "slack" })).status, 303)
        assert.strictEqual((yield* ada.post(`${NOTICES}/channel/remove`, { kind: "slack" })).status, 404)
      })
    )
  )

  it.live("a channel that takes nothing is named above the approvals and on the request's page", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const store = yield* NoticeStore
        const { atomically } = yield* UnitOfWork
        const ada = yield* visitor(desk.ours)
        yield* ada.post(`${NOTICES}/channel`, { kind: "teams", url: "https://hooks.example.com/x" })
        const of = yield* desk.add(desk.ours, launch)
        const { approvalId, workspaceId } = of
        const nowMillis = Date.now()
        const about = { workspaceId, approvalId, topic: "launch", nowMillis, remindAtMillis: nowMillis } as const
        yield* atomically(store.announce(about))
        const claimId = approvalId
        const claimed = yield* atomically(store.claim({ claimId, nowMillis, leaseMillis: MINUTE, limit: 10 }))
        const gone = { state: "failed", failure: "status", status: 410 } as const
        for (const one of claimed.filter(({ channel }) => channel === "teams")) {
          yield* atomically(store.record(one, { ...gone, atMillis: nowMillis, dueAtMillis: nowMillis }))
        }
        const list = (yield* ada.get("/console/approvals")).text
        assert.include(list, "Microsoft Teams may not have been told")
        assert.include(list, "the server answered 410")
        const page = (yield* ada.get(`/console/approvals/${approvalId}`)).text
        assert.include(page, "Who was told")
        assert.include(page, "Not sent")
      })
    )
  )
})
