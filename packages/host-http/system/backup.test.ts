import { cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, Home, shownKey } from "./support/Program.js"

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

describe("a backup of a service that goes on working", () => {
  it("is taken up elsewhere with all that was charged, and sends nothing there", async () => {
    const service = await home.serve()
    const key = shownKey(service)
    const loop = home.loop(["--approve", "--key", key])
    await loop.said("Launched:")
    const folder = join(home.folder, "backup")
    const made = await home.json("backup", folder)
    assert.isAbove(made.rows, 100)
    const { code, err, out } = await loop.ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    await service.signal("SIGTERM")

    const refused = await other.outbound(["restore", folder]).ended
    assert.strictEqual(refused.code, 1)
    assert.include(refused.err, "There is no secret yet.")

    mkdirSync(other.dataDir, { recursive: true })
    cpSync(join(home.dataDir, "secret"), join(other.dataDir, "secret"))
    const restored = await other.json("restore", folder)
    assert.strictEqual(restored.rows, made.rows)
    assert.strictEqual(restored.campaigns_paused, 1)
    assert.deepInclude(await other.json("check"), { ok: true, breaches: [] })

    const again = await other.serve()
    const { body } = await call(other, key, "/v1/campaigns")
    assert.deepStrictEqual(
      body.result.campaigns.map(({ paused_because, state }: Record<string, unknown>) => [state, paused_because]),
      [["paused", "owner"]]
    )
    const verified = await call(other, key, "/v1/verify_email", { email: "valid@magic.test" })
    assert.strictEqual(verified.status, 200)
    const second = await other.outbound(["restore", folder]).ended
    assert.include(second.err, "The database holds data already.")
    assert.strictEqual((await again.signal("SIGTERM")).code, 0)
  })
})
