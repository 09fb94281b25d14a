import { cpSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, Home, shownKey } from "../../support/Program.js"

let home: Home
let other: Home

beforeAll(async () => {
  home = await Home.make()
  other = await Home.make()
})

afterAll(async () => {
  await home.close()
  await other.close()
})

describe("a workspace that moves to another installation", () => {
  it("arrives whole beside the others, goes on by its own keys, and sends nothing before a person launches", async () => {
    const service = await home.serve()
    const key = shownKey(service)
    const loop = home.loop(["--approve", "--key", key])
    const { code, err, out } = await loop.ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    const refusals = { emails: ["said.no@example.com"], domains: ["never.example"] }
    const added = await call(home, key, "/v1/suppressions", refusals, { "idempotency-key": "refusals" })
    assert.strictEqual(added.status, 200, JSON.stringify(added.body))
    const [{ workspace_id: workspace }] = (await home.json("workspace", "list")).workspaces
    const file = join(home.folder, "workspace.jsonl.gz")
    const made = await home.json("export", "--workspace", workspace, file)
    assert.isAbove(made.rows, 100)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const again = await home.outbound(["export", "--workspace", workspace, file]).ended
    assert.include(again.err, "is there already. Name a new file.")

    // An installation with a workspace of its own, whose owner has the same address, and with another secret.
    const first = await other.serve()
    const ownKey = shownKey(first)
    assert.notStrictEqual(ownKey, "")
    const stranger = await other.outbound(["import", file]).ended
    assert.strictEqual(stranger.code, 1)
    assert.include(stranger.err, "made under another OUTBOUND_SECRET")
    await first.signal("SIGTERM")
    await other.close()
    other = await Home.make()
    mkdirSync(other.dataDir, { recursive: true })
    cpSync(join(home.dataDir, "secret"), join(other.dataDir, "secret"))
    const second = await other.serve()

    const cut = join(other.folder, "cut.jsonl.gz")
    writeFileSync(cut, readFileSync(file))
    truncateSync(cut, statSync(file).size - 20)
    assert.match((await other.outbound(["import", cut]).ended).err, /The export is damaged: .* Nothing was imported\./)
    assert.isUndefined(
      (await other.json("workspace", "list")).workspaces.find(
        (one: { workspace_id: string }) => one.workspace_id === workspace
      )
    )

    const taken = await other.json("import", file)
    assert.deepInclude(taken, {
      workspace_id: workspace,
      rows: made.rows,
      suppressed: made.suppressed,
      people_known: 1
    })
    assert.strictEqual(taken.campaigns_paused, made.campaigns_active)
    assert.deepInclude(await other.json("check"), { ok: true, breaches: [] })

    const [there, here] = await Promise.all([call(home, key, "/v1/campaigns"), call(other, key, "/v1/campaigns")])
    assert.deepStrictEqual(
      here.body.result.campaigns.map((one: Record<string, unknown>) => one["campaign_id"]),
      there.body.result.campaigns.map((one: Record<string, unknown>) => one["campaign_id"])
    )
    for (const { state } of here.body.result.campaigns) assert.include(["paused", "completed"], state)
    assert.strictEqual((await call(other, key, "/v1/verify_email", { email: "valid@magic.test" })).status, 200)
    const people = ["said.no@example.com", "any.body@never.example", "new@example.com"]
    const drafted = await call(
      other,
      key,
      "/v1/campaigns",
      {
        name: "Again",
        sequence: [{ subject: "Hello", body: "Hi" }],
        recipients: people.map((email) => ({ email }))
      },
      { "idempotency-key": "draft" }
    )
    assert.strictEqual(drafted.status, 200, JSON.stringify(drafted.body))
    assert.deepInclude(drafted.body.result, { leads_accepted: 1, leads_suppressed: 2 })

    const trail = join(other.folder, "trail.jsonl")
    await other.json("trail", "export", "--workspace", workspace, trail)
    assert.deepInclude(await other.json("trail", "verify", trail), { ok: true })
    const twice = await other.outbound(["import", file]).ended
    assert.include(twice.err, "is here already. Nothing was imported.")
    assert.strictEqual((await second.signal("SIGTERM")).code, 0)
  })
})
