import { assert, describe, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Option } from "effect"
import { CSV } from "../src/console/trail/trailRoutes.js"
import { Desk } from "./support/Desk.js"
import { HOSTILE } from "./support/Furnished.js"
import { type Form, furnished, run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000
const UNKNOWN = "0197c3a0-0000-7000-8000-0000000fffff"

describe("managing", () => {
  it.live("a key's secret is shown once, and what was typed wrongly is typed again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        const wrong = yield* us.post("/console/keys", { name: HOSTILE, monthly_spend_cap: "many" })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, "Monthly spend cap must be an amount")
        assert.include(wrong.text, `value="many"`)
        assert.notInclude(wrong.text, HOSTILE)
        const powerless = yield* us.post("/console/keys", { name: "Mine", scopes: "" })
        assert.strictEqual(powerless.status, 400)
        assert.include(powerless.text, "Scopes must contain at least one scope")
        const made = yield* us.post("/console/keys", {
          name: "Mine",
          monthly_spend_cap: "1,250.5",
          scopes: "data:read"
        })
        assert.strictEqual(made.status, 200)
        const secret = /svc_key_[\w-]{43}/.exec(made.text)?.[0]
        assert.isDefined(secret)
        assert.strictEqual(made.headers.get("cache-control"), "no-store")
        const path = /\/console\/keys\/[0-9a-f-]{36}/.exec(made.text)![0]
        const shown = yield* us.get(path)
        assert.include(shown.text, "1,250.5 credits")
        for (const { text } of [shown, yield* us.get("/console/keys")]) assert.notInclude(text, secret!)
      })
    )
  )

  it.live("all that is wrong with a form is said at once, and all that was typed is kept", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        const forms: ReadonlyArray<readonly [path: string, form: Form, said: ReadonlyArray<string>]> = [
          [
            "/console/keys",
            { name: "", scopes: "", monthly_spend_cap: "many" },
            ["Name must have", "Scopes must contain at least one scope", "Monthly spend cap must be", `value="many"`]
          ],
          [
            "/console/runs",
            { name: "", budget: "much", expires_in: "24h" },
            ["Name must have", "Budget must be", `value="much"`]
          ],
          [
            "/console/settings/caps",
            { daily_sends: "few", mailbox_daily_sends: "-1", daily_replies: "7", mailbox_daily_replies: "7" },
            ["Daily sends must be", "Mailbox daily sends must be", `value="few"`, `value="-1"`]
          ]
        ]
        for (const [path, form, said] of forms) {
          const { status, text } = yield* us.post(path, form)
          assert.strictEqual(status, 400, path)
          for (const words of said) assert.include(text, words, path)
        }
      })
    )
  )

  it.live("a change that a key asks for is decided once", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { changeRequestId, otherKeyId } = yield* furnished
        const us = yield* visitor(desk.ours)
        assert.include((yield* us.get("/console/keys")).text, "reply:send")
        const at = `/console/change-requests/${changeRequestId}`
        assert.strictEqual((yield* us.post(`${at}/approve`)).headers.get("location"), "/console/keys")
        assert.include((yield* us.get(`/console/keys/${otherKeyId}`)).text, "1,500 credits")
        assert.strictEqual((yield* us.post(`${at}/decline`)).status, 409)
      })
    )
  )

  it.live(
    "a kill says first what it will do, shows on every page, and is cleared by an owner who signed in just now",
    () =>
      run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const { campaignId } = yield* furnished
          const us = yield* visitor(desk.ours, "owner", 10 * MINUTE)
          const before = yield* us.get("/console/settings/kill")
          for (const words of ["3 active mailboxes stop", "1 campaign is paused", "2 open approvals"]) {
            assert.include(before.text, words)
          }
          assert.strictEqual((yield* us.post("/console/settings/kill", { reason: "" })).status, 400)
          const killed = yield* us.post("/console/settings/kill", { reason: HOSTILE })
          assert.strictEqual(killed.status, 200)
          assert.include(killed.text, "All sending stopped")
          assert.notInclude(killed.text, HOSTILE)
          assert.include((yield* us.get("/console/usage")).text, "All sending was stopped")
          const { text } = yield* us.get(`/console/campaigns/${campaignId}`)
          assert.include(text, "can’t be resumed")
          assert.strictEqual((yield* us.post("/console/settings/clear-suspension")).status, 403)
          const fresh = yield* visitor(desk.ours)
          assert.strictEqual((yield* fresh.post("/console/settings/clear-suspension")).status, 303)
          assert.notInclude((yield* fresh.get("/console/usage")).text, "All sending was stopped")
        })
      )
  )

  it.live("settings are saved, and read again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const us = yield* visitor(desk.ours)
        const save = (path: string, form: Form) => us.post(`/console/settings/${path}`, form)
        const caps = { mailbox_daily_sends: "10", daily_replies: "10", mailbox_daily_replies: "10", daily_sends: "-1" }
        assert.include((yield* save("caps", caps)).text, "Daily sends must be a whole number")
        assert.strictEqual((yield* save("caps", { ...caps, daily_sends: "321" })).status, 303)
        assert.strictEqual((yield* save("postal-address", { postal_address: HOSTILE })).status, 303)
        assert.strictEqual((yield* save("members", { email: "nobody", role: "owner" })).status, 400)
        assert.strictEqual((yield* save("members", { email: "new@example.com", role: "member" })).status, 303)
        const { text } = yield* us.get("/console/settings?done=caps")
        for (const words of [`value="321"`, "The caps are saved.", "new@example.com"]) assert.include(text, words)
        assert.notInclude(text, HOSTILE)
        const workspaces = yield* WorkspaceStore
        const { postalAddress } = Option.getOrThrow(yield* workspaces.get(desk.ours.workspaceId))
        assert.strictEqual(postalAddress, HOSTILE)
      })
    )
  )
})

describe("taking the trail away", () => {
  it.live("gives every event as CSV and as JSON Lines, filtered as the page is", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const us = yield* visitor(desk.ours)
        const csv = yield* us.get("/console/trail/csv")
        assert.match(csv.headers.get("content-type")!, /^text\/csv/)
        assert.match(csv.headers.get("content-disposition")!, /^attachment; filename="trail-\d{4}-\d\d-\d\d\.csv"$/)
        const lines = csv.text.trimEnd().split("\r\n")
        assert.match(lines[0]!, /^id,kind,observed_at/)
        const all = (yield* us.get("/console/trail/jsonl")).text.trimEnd().split("\n")
        assert.lengthOf(lines, all.length + 1)
        const bounces = (yield* us.get("/console/trail/jsonl?kind=bounce")).text.trimEnd().split("\n")
        assert.lengthOf(bounces, 1)
        assert.deepInclude(JSON.parse(bounces[0]!), { kind: "bounce", detail: { type: "hard", status: "5.1.1" } })
        const suppressed = (yield* us.get("/console/trail/csv?kind=suppressed")).text
        assert.include(suppressed, `"{""reason"":`)
      })
    )
  )

  it.live("says so where nothing of it could be read", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const us = yield* visitor(desk.ours)
        yield* desk.failNext("TrailStore.page")
        const failed = yield* us.get("/console/trail/csv")
        assert.strictEqual(failed.status, 503)
      })
    )
  )
})

it("a cell of the export that a spreadsheet would take for a formula is text, and quotes are doubled", () => {
  const line = CSV.line({
    eventId: UNKNOWN,
    workspaceId: UNKNOWN,
    kind: "reply",
    source: "system",
    observedAtMillis: 0,
    campaignId: null,
    campaignLeadId: null,
    replyId: null,
    requestId: null,
    operationId: null,
    email: `=cmd|"calc"@x.test`,
    detail: {}
  })
  assert.strictEqual(line, `${UNKNOWN},reply,1970-01-01T00:00:00.000Z,system,,,,,,"'=cmd|""calc""@x.test",{}\r\n`)
})

it.live("credits and usage agree with the ledger", () =>
  run(
    Effect.gen(function* () {
      const desk = yield* Desk
      yield* furnished
      const us = yield* visitor(desk.ours)
      const credits = yield* CreditStore
      const { balance } = yield* credits.balance(desk.ours.workspaceId)
      const whole = (balance / 1_000_000n).toLocaleString("en-GB")
      assert.include((yield* us.get("/console/credits")).text, whole)
      assert.include((yield* us.get("/console/usage")).text, "find_intent")
    })
  )
)

it.live("a list shows how far it is and what came of each row, and is exported whole, formulas as text", () =>
  run(
    Effect.gen(function* () {
      const desk = yield* Desk
      const { listId } = yield* furnished
      const us = yield* visitor(desk.ours)
      const path = `/console/operations/${listId}`
      const page = (yield* us.get(path)).text
      assert.match(page, /<span class="big">32<\/span> of 64 rows ended, 3 of them failed/)
      assert.include(page, "provider_failed")
      // What came out is summed up: as many rows as ended, and what they cost.
      const summary = /aria-label="What came out".*?<\/table>/s.exec(page)?.[0] ?? ""
      const cells = [...summary.matchAll(/<td class="number">([\d.]+)(?: %)?<\/td>/g)].map(([, cell]) => Number(cell))
      const sumOf = (column: number) =>
        cells.filter((_, index) => index % 3 === column).reduce((sum, one) => sum + one, 0)
      assert.deepStrictEqual([sumOf(0), Math.round(sumOf(1)), sumOf(2)], [32, 100, 29])
      assert.include((yield* us.get(`${path}?after=49`)).text, "Waiting")
      const lines = (yield* us.get(`${path}/csv`)).text.trimEnd().split("\r\n")
      assert.lengthOf(lines, 65)
      assert.isTrue(lines.every((line) => !/(^|,)"?[=+@]/.test(line)))
      const rows = (yield* us.get(`${path}/jsonl`)).text.trimEnd().split("\n")
      assert.deepInclude(JSON.parse(rows[8]!), { index: 8, status: "failed", credits_charged: "0" })
      assert.deepInclude(JSON.parse(rows[63]!), { index: 63, status: "pending", outcome: null })
    })
  )
)
