import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DECISION_FORMS, maySend, OWN_FORMS, RULE_FORMS } from "../src/console/roles.js"
import { launch, purchase } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { furnished, run, visitor } from "./support/Visitor.js"

const ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

describe("roles in the console", () => {
  it.live("an approver decides and reads, a reader reads; neither is shown what it may not send", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { campaignId, keyId, replyId } = yield* furnished
        const [approver, reader] = [yield* visitor(desk.ours, "approver"), yield* visitor(desk.ours, "reader")]
        const waiting = yield* desk.add(desk.ours, purchase)
        const path = `/console/approvals/${waiting.approvalId}`
        const form = { digest: waiting.snapshotDigest }
        const pages = [
          "/console/home",
          "/console/approvals",
          path,
          `/console/campaigns/${campaignId}`,
          `/console/replies/${replyId}`,
          "/console/trail",
          "/console/sending",
          "/console/keys",
          "/console/usage",
          "/console/settings"
        ]
        for (const [who, visit] of [
          ["approver", approver],
          ["reader", reader]
        ] as const) {
          for (const page of pages) {
            const { status, text } = yield* visit.get(page)
            assert.strictEqual(status, 200, `${who}: ${page}`)
            for (const [, method, action] of text.matchAll(/<form[^>]*method="(post)"[^>]*action="([^"]*)"/g)) {
              assert.isTrue(maySend(who, action!), `${who} is shown ${method} ${action} on ${page}`)
            }
          }
          for (const forbidden of [
            `/console/campaigns/${campaignId}/pause`,
            `/console/campaigns/${campaignId}/resume`,
            `/console/keys/${keyId}/pause`,
            `/console/replies/${replyId}/handling`,
            `/console/replies/${replyId}/answer`,
            "/console/settings/kill",
            "/console/settings/caps"
          ]) {
            const refused = yield* visit.post(forbidden, { reason: "no" })
            assert.strictEqual(refused.status, 403, `${who}: ${forbidden}`)
            assert.include(refused.text, `Your role in this workspace is ${who}`)
          }
        }
        for (const act of ["approve", "decline", "withdraw"]) {
          assert.strictEqual((yield* reader.post(`${path}/${act}`, form)).status, 403)
        }
        assert.strictEqual((yield* desk.find(waiting)).state, "pending")
        assert.strictEqual((yield* approver.post(`${path}/approve`, form)).status, 303)
        assert.strictEqual((yield* desk.find(waiting)).state, "approved")
        assert.strictEqual((yield* approver.post(`${path}/withdraw`)).status, 303)
        assert.strictEqual((yield* desk.find(waiting)).state, "cancelled")
        const other = yield* desk.add(desk.ours, launch)
        const declined = yield* approver.post(`/console/approvals/${other.approvalId}/decline`, {
          digest: other.snapshotDigest,
          reason: "no"
        })
        assert.strictEqual(declined.status, 303)
        assert.strictEqual((yield* desk.find(other)).state, "declined")
        // Their own affairs stay theirs.
        assert.strictEqual((yield* reader.post("/console/settings/zone", { zone: "Europe/Berlin" })).status, 303)
      })
    )
  )

  it.live("an owner gives each role; more needs a fresh sign-in, less does not", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const [owner, stale] = [yield* visitor(desk.ours), yield* visitor(desk.ours, "owner", 6 * 60_000)]
        const page = Effect.map(owner.get("/console/settings"), ({ text }) => text)
        const invited = { email: "rea@reader.test", role: "reader" }
        assert.strictEqual((yield* owner.post("/console/settings/members", invited)).status, 303)
        const [, member] =
          /href="(\/console\/settings\/members\/[^"]*)\/remove">(?:(?!<\/a>)[\s\S])*rea@reader\.test/.exec(yield* page)!
        const set = (who: typeof owner, role: string) =>
          Effect.map(who.post(`${member!}/role`, { role }), ({ status }) => status)
        assert.strictEqual(yield* set(stale, "approver"), 403)
        assert.strictEqual(yield* set(owner, "approver"), 303)
        assert.include(yield* page, "Approver</")
        assert.strictEqual(yield* set(stale, "reader"), 303)
        assert.strictEqual(yield* set(stale, "member"), 403)
        assert.strictEqual(yield* set(owner, "king"), 400)
        const history = (yield* owner.get("/console/settings/history")).text
        assert.include(history, "approver")
      })
    )
  )

  it.live("names only forms that exist", () =>
    run(
      Effect.gen(function* () {
        const reader = yield* visitor((yield* Desk).ours, "reader")
        for (const form of [...OWN_FORMS, ...DECISION_FORMS, ...RULE_FORMS]) {
          const path = form.replace(":id", ID)
          // A form's address that shows no page answers a GET with 405; one that is no address, with 404.
          assert.include([200, 403, 405], (yield* reader.get(path)).status, form)
          assert.isTrue(maySend("approver", path), form)
          assert.strictEqual(maySend("reader", path), OWN_FORMS.has(form), form)
        }
        assert.isFalse(maySend("approver", `/console/approvals/${ID}/finish`))
        assert.isTrue(maySend("member", "/console/anything"))
      })
    )
  )
})
