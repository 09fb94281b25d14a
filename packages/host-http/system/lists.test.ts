import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, Home, shownKey, until } from "./support/Program.js"

const ROWS = 120

let home: Home

beforeAll(async () => {
  home = await Home.make()
})

afterAll(() => home.close())

const usage = async (key: string) => (await call(home, key, "/v1/usage")).body.result

describe("a list of calls whose host is killed in the middle", () => {
  it("loses no row and pays none twice, and its reservation outlives the host", async () => {
    const service = await home.serve()
    const key = shownKey(service)
    const emails = Array.from({ length: ROWS }, (_, at) =>
      at % 10 === 0 ? `slow+${at}@magic.test` : `valid+${at}@magic.test`
    )
    const headers = { "idempotency-key": "the list" }
    const begun = await call(home, key, "/v1/verify_emails", { emails }, headers)
    assert.strictEqual(begun.status, 202, JSON.stringify(begun.body))
    const { operation_id } = begun.body.result
    // Nothing is known while a machine stands still for so long that its database doesn't answer: a caller asks again.
    const progress = async () => {
      const { status, body } = await call(home, key, `/v1/operations/${operation_id}`)
      assert.include([200, 503], status, JSON.stringify(body))
      return body.result
    }
    const half = await until(progress, (one) => one?.progress.done >= ROWS / 6, 60_000)
    assert.isNull(half.finished_at)
    await service.signal("SIGKILL")

    const second = await home.serve()
    const held = await usage(key)
    assert.isAbove(Number(held.credits_reserved), 0)
    assert.strictEqual(Number(held.credits_balance), Number(held.credits_available) + Number(held.credits_reserved))
    const replayed = await call(home, key, "/v1/verify_emails", { emails }, headers)
    assert.strictEqual(replayed.body.result.operation_id, operation_id)
    const ended = await until(progress, (one) => one !== undefined && one.finished_at !== null, 180_000)
    assert.deepInclude(ended, { status: "succeeded", progress: { done: ROWS, failed: 0, total: ROWS } })
    const { body } = await call(home, key, `/v1/operations/${operation_id}/results?limit=500`)
    assert.deepStrictEqual(
      body.result.rows.map(({ index, status }: Record<string, unknown>) => [index, status]),
      emails.map((_, at) => [at, "done"])
    )
    const charged = body.result.rows.reduce(
      (sum: number, row: Record<string, string>) => sum + Number(row["credits_charged"]),
      0
    )
    assert.deepInclude(await usage(key), { credits_balance: String(300 - charged), credits_reserved: "0" })
    const record = await call(home, key, `/v1/requests/${begun.body.svc.request_id}`)
    assert.deepInclude(record.body.result, { status: "succeeded", credits_charged: String(charged) })
    assert.deepInclude(await home.json("check"), { ok: true, breaches: [] })
    assert.strictEqual((await second.signal("SIGTERM")).code, 0)
  })
})
