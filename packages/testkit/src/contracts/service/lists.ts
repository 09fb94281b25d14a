import { assert, layer as describeLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { type Client, makeKey } from "../../service/Client.js"
import { ended, freshKey, member, ok, refused, type ServiceOnStores, SUITE } from "./stories.js"
import { uploadedList } from "./uploadedList.js"

const ROUNDS_MAX = 400

const balance = (client: Client) =>
  Effect.map(client.call("get_usage"), (answer) => {
    const { credits_available, credits_balance, credits_reserved } = ok(answer).result
    return [credits_balance, credits_reserved, credits_available]
  })

const begin = (client: Client, verb: "verify_emails" | "enrich_people" | "find_intent_of_list", input: JsonObject) =>
  Effect.map(client.call(verb, input, { key: freshKey() }), (answer) => {
    assert.strictEqual(answer.status, 202, answer.text)
    return answer
  })

/** Every row of a list, page by page. */
const rowsOf = (client: Client, operation_id: string, limit = 500) =>
  Effect.gen(function* () {
    // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
    const rows: Array<any> = []
    let cursor: string | null = null
    do {
      const page = ok(
        yield* client.call("get_operation_results", { operation_id, limit, ...(cursor === null ? {} : { cursor }) })
      )
      assert.isAtMost(page.result.rows.length, limit)
      rows.push(...page.result.rows)
      cursor = page.result.next_cursor
    } while (cursor !== null)
    assert.deepStrictEqual(
      rows.map(({ index }) => index),
      rows.map((_, index) => index)
    )
    return rows
  })

const recordOf = (client: Client, request_id: string) =>
  Effect.map(client.call("get_request", { request_id }), (answer) => ok(answer).result)

/** Lists of data calls: one reservation, a charge a row, nothing lost and nothing paid twice. */
export const listsContract = <E>(name: string, service: Layer.Layer<ServiceOnStores | ListStore, E>) => {
  describeLayer(service, SUITE)(`lists (${name})`, (it) => {
    it.effect("a list reserves its maximum once, charges each row as the single call, and frees the rest", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "100" })
        const emails = ["valid@magic.test", "invalid@magic.test", "unknown@magic.test", "valid@magic.test"]
        const begun = yield* begin(client, "verify_emails", { emails })
        assert.deepInclude(begun.result, { status: "queued", total: 4 })
        assert.deepStrictEqual([begun.svc.credits_charged, begun.svc.credits_available], ["0", "96"])
        const { operation_id } = begun.result
        const operation = yield* ended(client, operation_id)
        assert.deepInclude(operation, { kind: "verify_emails", status: "succeeded", items: [], error: null })
        assert.deepStrictEqual(operation.progress, { done: 4, failed: 0, total: 4 })
        const rows = yield* rowsOf(client, operation_id, 3)
        assert.deepStrictEqual(
          rows.map(({ credits_charged, result, status }) => [status, result.status, credits_charged]),
          [
            ["done", "valid", "1"],
            ["done", "invalid", "1"],
            ["done", "unknown", "0"],
            ["done", "valid", "1"]
          ]
        )
        assert.deepStrictEqual(yield* balance(client), ["97", "0", "97"])
        const record = yield* recordOf(client, begun.svc.request_id)
        assert.deepInclude(record, {
          verb: "verify_emails",
          status: "succeeded",
          http_status: 202,
          credits_reserved: "0",
          credits_charged: "3"
        })
        const me = ok(yield* client.call("get_me"))
        assert.strictEqual(me.result.spent_this_month, "3")
        const usage = ok(yield* client.call("get_usage")).result.last_30_days as ReadonlyArray<JsonObject>
        assert.deepInclude(usage, { verb: "verify_email", calls: 4, credits_charged: "3" })
      })
    )

    it.effect("its record holds what is reserved while rows wait, and is pending", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "100" })
        const begun = yield* begin(client, "verify_emails", {
          emails: Array.from({ length: 40 }, (_, at) => `slow+${at}@magic.test`)
        })
        const record = yield* recordOf(client, begun.svc.request_id)
        assert.deepInclude(record, {
          status: "pending",
          credits_reserved: "40",
          credits_charged: "0",
          http_status: null
        })
        assert.deepStrictEqual(yield* balance(client), ["100", "40", "60"])
        yield* ended(client, begun.result.operation_id)
        assert.strictEqual((yield* recordOf(client, begun.svc.request_id)).status, "succeeded")
      })
    )

    it.effect("the same list under its key is the same operation, whatever became of it", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "100" })
        const key = freshKey()
        const input = { emails: ["valid@magic.test", "slow@magic.test"] }
        const first = yield* client.call("verify_emails", input, { key })
        const again = yield* client.call("verify_emails", input, { key })
        yield* ended(client, first.result.operation_id)
        const late = yield* client.call("verify_emails", input, { key })
        for (const answer of [again, late]) {
          assert.strictEqual(answer.status, 202)
          assert.deepStrictEqual(answer.result, first.result)
          assert.deepInclude(answer.svc, { replayed: true, request_id: first.svc.request_id })
        }
        refused(yield* client.call("verify_emails", { emails: ["a@b.test"] }, { key }), 409, "idempotency_conflict")
        assert.deepStrictEqual(yield* balance(client), ["98", "0", "98"])
      })
    )

    it.effect("a ceiling covers at least one row, and what it no longer covers fails", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "100" })
        const emails = ["valid@magic.test", "unknown@magic.test", "valid@magic.test", "invalid@magic.test"]
        refused(
          yield* client.call("verify_emails", { emails, budget_credits: 0.5 }, { key: freshKey() }),
          400,
          "invalid_request",
          { reason: "budget_too_low", minimum_credits: "1" }
        )
        const begun = yield* begin(client, "verify_emails", { emails, budget_credits: 2.5 })
        assert.strictEqual(begun.svc.credits_available, "97.5")
        const operation = yield* ended(client, begun.result.operation_id)
        assert.strictEqual(operation.status, "partially_succeeded")
        const rows = yield* rowsOf(client, begun.result.operation_id)
        // The unknown one cost nothing, so that a third address was covered.
        assert.deepStrictEqual(
          rows.map(({ error, status }) => [status, error?.code ?? null]),
          [
            ["done", null],
            ["done", null],
            ["done", null],
            ["failed", "insufficient_credits"]
          ]
        )
        assert.deepStrictEqual(operation.progress, { done: 3, failed: 1, total: 4 })
        assert.deepStrictEqual(yield* balance(client), ["98", "0", "98"])
      })
    )

    it.effect("what the balance does not cover is refused whole, and a dry run says so", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "2" })
        const input = { emails: ["a@magic.test", "b@magic.test", "c@magic.test"] }
        refused(yield* client.call("verify_emails", input, { key: freshKey() }), 402, "insufficient_credits")
        const { plan } = ok(yield* client.call("verify_emails", { ...input, dry_run: true })).result
        assert.deepStrictEqual(plan.would, { total: 3, maximum_credits: "3", budget_credits: null })
        assert.deepStrictEqual(plan.would_exceed, ["insufficient_credits"])
        refused(yield* client.call("verify_emails", input), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        assert.deepStrictEqual(yield* balance(client), ["2", "0", "2"])
      })
    )

    it.effect("what is cancelled frees what has not begun; rows under way end and are charged", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "100" })
        const begun = yield* begin(client, "verify_emails", {
          emails: Array.from({ length: 60 }, (_, at) => `slow+${at}@magic.test`)
        })
        const { operation_id } = begun.result
        for (let round = 0; round < ROUNDS_MAX; round++) {
          yield* TestClock.adjust("20 millis")
          if (ok(yield* client.call("get_operation", { operation_id })).result.status !== "queued") break
        }
        const cancelled = ok(yield* client.call("cancel_operation", { operation_id })).result
        assert.isAtLeast(cancelled.rows_cancelled, 60 - 16)
        const [, reserved] = yield* balance(client)
        assert.isAtMost(Number(reserved), 16)
        const operation = yield* ended(client, operation_id)
        const rows = yield* rowsOf(client, operation_id)
        const done = rows.filter(({ status }) => status === "done").length
        assert.strictEqual(rows.filter(({ status }) => status === "cancelled").length, 60 - done)
        assert.isAtMost(done, 16)
        assert.include(["partially_succeeded", "failed"], operation.status)
        assert.deepStrictEqual(yield* balance(client), [String(100 - done), "0", String(100 - done)])
        // Once it has ended, it stays as it is.
        assert.deepStrictEqual(ok(yield* client.call("cancel_operation", { operation_id })).result, {
          operation_id,
          status: operation.status,
          rows_cancelled: 0
        })
      })
    )

    it.effect("another workspace finds neither the list nor its rows, and can't cancel it", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "10" })
        const stranger = yield* member({ credits: "10" })
        const { operation_id } = (yield* begin(client, "verify_emails", { emails: ["valid@magic.test"] })).result
        for (const verb of ["get_operation", "get_operation_results", "cancel_operation"] as const) {
          refused(yield* stranger.call(verb, { operation_id }), 404, "not_found")
        }
        const reader = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["trail:read"] })
        refused(yield* reader.call("cancel_operation", { operation_id }), 403, "forbidden")
        yield* ended(client, operation_id)
      })
    )

    it.effect(
      "what was uploaded stays beside its row, as written, until its person is erased; a verb's rows have none",
      () =>
        Effect.gen(function* () {
          const client = yield* member({ credits: "100" })
          const { workspaceId } = client
          const lists = yield* ListStore
          const text = [
            "Name,Email,Note",
            `"Ada, Countess",valid+uploaded@magic.test,'=1+1`,
            "",
            "Bob,invalid@magic.test,knows VALID+uploaded@magic.test,more"
          ].join("\r\n")
          const { operation_id: operationId } = (yield* uploadedList(client, text, "fair.csv")).result
          yield* ended(client, operationId)
          const kept = Effect.map(lists.page({ workspaceId, operationId }, -1, 10), (rows) =>
            rows.map(({ uploaded }) => uploaded)
          )
          const headings = ["Name", "Email", "Note", "Column 4"]
          const bob = ["Bob", "invalid@magic.test"]
          assert.deepStrictEqual(yield* kept, [
            { line: 2, file: "fair.csv", cells: ["Ada, Countess", "valid+uploaded@magic.test", "'=1+1"], headings },
            { line: 4, file: "fair.csv", cells: [...bob, "knows VALID+uploaded@magic.test", "more"], headings: null }
          ])
          yield* Effect.orDie(Effect.flatMap(Erasure, (one) => one.eraseFor(workspaceId, "valid+uploaded@magic.test")))
          assert.deepStrictEqual(yield* kept, [
            { line: 2, file: null, cells: null, headings },
            { line: 4, file: "fair.csv", cells: [...bob, "knows [erased]", "more"], headings: null }
          ])
          const plain = (yield* begin(client, "verify_emails", { emails: ["valid@magic.test"] })).result.operation_id
          const [row] = yield* lists.page({ workspaceId, operationId: plain }, -1, 1)
          assert.isNull(row?.uploaded)
        })
    )

    it.effect("people and companies are lists like addresses", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "200" })
        const leads = ok(yield* client.call("find_leads", { audience: "Heads of sales", limit: 2 })).result.leads
        const people = leads.map((lead: { full_name: string; company_domain: string }) => ({
          full_name: lead.full_name,
          company_domain: lead.company_domain
        }))
        const before = Number((yield* balance(client))[2])
        const enriched = yield* begin(client, "enrich_people", { people, want: ["work_email"] })
        assert.deepStrictEqual(enriched.svc.route, { used: "balanced", source: "default" })
        yield* ended(client, enriched.result.operation_id)
        const found = yield* rowsOf(client, enriched.result.operation_id)
        const intents = yield* begin(client, "find_intent_of_list", {
          company_domains: ["hiring-1.test", "quiet-1.test"]
        })
        yield* ended(client, intents.result.operation_id)
        const signals = yield* rowsOf(client, intents.result.operation_id)
        assert.deepStrictEqual(
          [...found, ...signals].map(({ status }) => status),
          ["done", "done", "done", "done"]
        )
        assert.isAbove(signals[0].result.signals.length, 0)
        assert.isEmpty(signals[1].result.signals)
        const charged = [...found, ...signals].reduce((sum, { credits_charged }) => sum + Number(credits_charged), 0)
        assert.deepStrictEqual(yield* balance(client), [String(before - charged), "0", String(before - charged)])
      })
    )

    it.effect("a key that is paused buys nothing more, and its rows are cancelled", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "100" })
        const { operation_id } = (yield* begin(client, "verify_emails", {
          emails: Array.from({ length: 50 }, (_, at) => `slow+p${at}@magic.test`)
        })).result
        yield* Effect.flatMap(Admin, (admin) => admin.changeKeyState(client.keyId, "pause")).pipe(Effect.orDie)
        const other = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["data:read"] })
        const operation = yield* ended(other, operation_id)
        const rows = yield* rowsOf(other, operation_id)
        assert.isAtLeast(rows.filter(({ status }) => status === "cancelled").length, 50 - 16)
        assert.include(["partially_succeeded", "failed"], operation.status)
        assert.strictEqual((yield* balance(other))[1], "0")
      })
    )

    it.effect("what its rows cost is spent from the run that it names, and the rest is left in it", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "100" })
        const { workspaceId } = client
        const made = { workspaceId, name: "research", budget: credits("10"), expiresInMillis: 3_600_000 }
        const { runId: run } = yield* Effect.flatMap(Admin, (admin) => admin.createRun(made)).pipe(Effect.orDie)
        const verify = (emails: ReadonlyArray<string>) =>
          client.call("verify_emails", { emails }, { key: freshKey(), run })
        const begun = yield* verify(["valid@magic.test", "invalid@magic.test", "unknown@magic.test"])
        yield* ended(client, begun.result.operation_id)
        const nine = Array.from({ length: 9 }, (_, at) => `valid+${at}@magic.test`)
        const left = { run_id: run, remaining: "8", required: "9" }
        refused(yield* verify(nine), 402, "run_budget_exceeded", left)
        assert.strictEqual((yield* verify(nine.slice(1))).status, 202)
      })
    )

    it.effect("a row that no source answered asks for a new call: the key of the list replays the list", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "10" })
        const { operation_id } = (yield* begin(client, "verify_emails", {
          emails: ["unavailable@magic.test", "valid@magic.test"]
        })).result
        yield* ended(client, operation_id)
        const [failed] = yield* rowsOf(client, operation_id)
        const { error } = failed as { error: { code: string; message: string } }
        assert.strictEqual(error.code, "provider_unavailable")
        assert.include(error.message, "Ask for it in a new call.")
        assert.notInclude(error.message, "same")
        assert.deepStrictEqual(yield* balance(client), ["9", "0", "9"])
      })
    )

    it.effect("every mistake is told at once, with its place", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "10" })
        const answer = yield* client.call(
          "verify_emails",
          { emails: ["x", "valid@magic.test", "y"], more: 1 },
          { key: freshKey() }
        )
        refused(answer, 400, "invalid_request")
        const issues = answer.error?.details?.["issues"] as ReadonlyArray<{ path: string }>
        assert.sameMembers(
          issues.map(({ path }) => path),
          ["emails.0", "emails.2", "more"]
        )
        refused(yield* client.call("verify_emails", { emails: [] }, { key: freshKey() }), 400, "invalid_request")
      })
    )
  })
}
