import * as EmbeddedPostgres from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect, Option } from "effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { call, Home, isAlive, shownKey, until } from "./support/Program.js"

let home: Home

beforeEach(async () => {
  home = await Home.make()
})

afterEach(() => home.close())

const usageOf = async (apiKey: string) => (await call(home, apiKey, "/v1/usage")).body.result

describe("a service that is told to stop", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "on %s ends the call under way, then its database, with code 0",
    async (name) => {
      const service = await home.serve()
      // Takes 3 seconds.
      const answer = call(home, shownKey(service), "/v1/verify_email", { email: "slow@magic.test" })
      const pid = home.databasePid ?? 0
      await until(
        () => usageOf(shownKey(service)),
        ({ credits_reserved }) => credits_reserved === "1",
        60_000
      )
      const { code, err } = await service.signal(name)
      assert.strictEqual(code, 0, err)
      const { body, status } = await answer
      assert.strictEqual(status, 200)
      assert.strictEqual(body.svc.credits_charged, "1")
      assert.isFalse(isAlive(pid))
      assert.deepInclude(await home.json("check"), { ok: true })
    }
  )
})

describe("a start whose output is no terminal", () => {
  it("prints no sign-in link, which whoever keeps the output could use, and says how to make one", async () => {
    const service = await home.serve()
    assert.notInclude(service.out + service.err, "token=")
    const [, made] = service.out.match(/npm run outbound -- (sign-in-link --email \S+ --workspace \S+)/) ?? []
    const { url } = await home.json(...(made ?? "").split(" "))
    assert.match(url, /\/console\/sign-in\?token=/)
    assert.strictEqual((await fetch(url)).status, 200)
  })
})

describe("a service whose words nobody reads any more", () => {
  it("goes on, and stops when it is told to", async () => {
    const service = await home.serve()
    service.child.stdout?.destroy()
    service.child.stderr?.destroy()
    // It has something to say of that.
    const before = home.databasePid ?? 0
    process.kill(before, "SIGKILL")
    const isAnother = (pid: number | undefined) => pid !== undefined && pid !== before
    await until(async () => home.databasePid, isAnother, 60_000)
    await until(
      () => call(home, shownKey(service), "/v1/me").catch(() => null),
      (answer) => answer?.status === 200,
      60_000
    )
    assert.strictEqual((await service.signal("SIGTERM")).code, 0)
  })
})

describe("a service that is killed with its database", () => {
  it("stands again with every acknowledged charge once, and nothing reserved", async () => {
    const calls = 120
    const service = await home.serve()
    const apiKey = shownKey(service)
    const { key } = (await call(home, apiKey, "/v1/me")).body.result
    await home.json("key", "set", "--key", key.id, "--rate", "100000")
    let acknowledged = 0
    const ask = async (number: number) => {
      const headers = { "idempotency-key": `call-${number}` }
      const answer = await call(home, apiKey, "/v1/verify_email", { email: `valid+${number}@magic.test` }, headers)
      if (answer.status === 200) acknowledged += 1
      return answer
    }
    const load = Array.from({ length: calls }, (_, number) => ask(number).catch(() => undefined))
    // Some calls never end by themselves in time: they are under way when the kill comes.
    const slow = Array.from({ length: 5 }, (_, number) =>
      call(home, apiKey, "/v1/verify_email", { email: `slow+${number}@magic.test` }).catch(() => undefined)
    )
    await Promise.race(load)
    const pid = home.databasePid ?? 0
    service.child.kill("SIGKILL")
    process.kill(pid, "SIGKILL")
    await Promise.all([...load, ...slow])
    const told = acknowledged

    await home.serve()
    const { credits_reserved } = await until(
      () => usageOf(apiKey),
      (usage) => usage.credits_reserved === "0",
      120_000
    )
    assert.strictEqual(credits_reserved, "0")
    const charged = 300 - Number((await usageOf(apiKey)).credits_balance)
    assert.isAtLeast(charged, told)
    assert.deepInclude(await home.json("check"), { ok: true, breaches: [] })

    // Whatever was charged before is charged no more: each call repeats its key, and costs its credit once.
    const before = 300 - Number((await usageOf(apiKey)).credits_balance)
    const again = await Promise.all(Array.from({ length: calls }, (_, number) => ask(number)))
    const replayed = again.filter(({ body }) => body.svc?.replayed === true).length
    const fresh = again.filter(({ body, status }) => status === 200 && body.svc.replayed !== true).length
    assert.isAtLeast(replayed, told)
    assert.strictEqual(300 - Number((await usageOf(apiKey)).credits_balance), before + fresh)
  })

  it("adopts a database that outlived it", async () => {
    const service = await home.serve()
    const pid = home.databasePid
    await service.signal("SIGKILL")
    const again = await home.serve()
    assert.strictEqual(home.databasePid, pid)
    assert.strictEqual((await again.signal("SIGTERM")).code, 0)
    // Its new parent may not have buried it yet: that it removed its file tells that it ended.
    assert.isUndefined(home.databasePid)
  })
})

describe("a service beside another", () => {
  it("is refused on the same data directory, by name", async () => {
    const service = await home.serve()
    const { code, err } = await home.outbound(["serve"], { OUTBOUND_PORT: String(await freePort()) }).ended
    assert.strictEqual(code, 1)
    assert.include(err, `is owned by process ${service.child.pid}`)
  })

  it("says what to do about a port that is taken, before it makes anything", async () => {
    await home.serve()
    const other = await Home.make()
    const { code, err } = await other.outbound(["serve"], { OUTBOUND_PORT: String(home.port) }).ended
    const made = existsSync(other.dataDir)
    await other.close()
    assert.strictEqual(code, 1)
    assert.include(err, `127.0.0.1:${home.port} is already in use`)
    assert.isFalse(made)
  })

  it("says that it already runs, if it is started twice", async () => {
    const service = await home.serve()
    const { code, err } = await home.outbound(["serve"]).ended
    assert.strictEqual(code, 1)
    assert.include(err, `outbound already runs at http://localhost:${home.port} (process ${service.child.pid})`)
  })

  it("is found by commands that know its directory alone, until it ends", async () => {
    const service = await home.serve()
    const file = join(home.dataDir, "service.json")
    const { url } = JSON.parse(readFileSync(file, "utf8"))
    assert.strictEqual((await fetch(`${url}/healthz`)).status, 200)
    const link = await home.outbound(["sign-in-link", "--email", "owner@outbound.test"], { OUTBOUND_PORT: "" }).ended
    assert.match(link.out, new RegExp(`^${url}/console/sign-in`))
    await service.signal("SIGTERM")
    assert.isFalse(existsSync(file))
  })

  it("is examined by the doctor: address, unsubscribe page, database; and with another secret it is found to be ill", async () => {
    await home.serve()
    const { code, out } = await home.outbound(["doctor", "--json"]).ended
    assert.strictEqual(code, 0, out)
    const { findings } = JSON.parse(out) as { readonly findings: ReadonlyArray<Record<string, string>> }
    const states = Object.fromEntries(findings.map(({ about, state }) => [about, state]))
    for (const about of [
      "configuration",
      "database",
      "durability",
      "clock",
      "migrations",
      "address",
      "unsubscribe page"
    ]) {
      assert.strictEqual(states[about], "good", `${about}: ${out}`)
    }
    const server = await Effect.runPromise(EmbeddedPostgres.find({ dataDir: home.dataDir }))
    const wrong = { DATABASE_URL: Option.getOrThrow(server).url, OUTBOUND_SECRET: "x".repeat(40) }
    const ill = await home.outbound(["doctor"], wrong).ended
    assert.strictEqual(ill.code, 1)
    assert.match(ill.out, /BAD +secret +OUTBOUND_SECRET is not the one/)
  })

  it("shares a database with the same secret, and does not start with another", async () => {
    const first = await home.serve()
    const server = await Effect.runPromise(EmbeddedPostgres.find({ dataDir: home.dataDir }))
    const DATABASE_URL = Option.getOrThrow(server).url
    const secretFile = join(home.dataDir, "secret")
    assert.strictEqual(statSync(secretFile).mode & 0o777, 0o600)

    const port = String(await freePort())
    const wrong = { DATABASE_URL, OUTBOUND_PORT: port, OUTBOUND_SECRET: "x".repeat(40) }
    const refused = await home.outbound(["serve"], wrong).ended
    assert.strictEqual(refused.code, 1)
    assert.include(refused.err, "OUTBOUND_SECRET is not the one")

    const secret = readFileSync(secretFile, "utf8").trim()
    const second = await home.serve({ DATABASE_URL, OUTBOUND_PORT: port, OUTBOUND_SECRET: secret })
    assert.notInclude(second.out, "svc_key_")
    const response = await fetch(`http://localhost:${port}/v1/me`, {
      headers: { authorization: `Bearer ${shownKey(first)}` }
    })
    assert.strictEqual(response.status, 200)
    assert.strictEqual((await second.signal("SIGTERM")).code, 0)
    assert.strictEqual((await call(home, shownKey(first), "/v1/me")).status, 200)
  })
})
