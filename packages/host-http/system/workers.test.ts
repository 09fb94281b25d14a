import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { call, Home, isAlive, type Running, shownKey, until } from "./support/Program.js"

let home: Home

beforeEach(async () => {
  home = await Home.make()
})

afterEach(() => home.close())

const WORKERS = 3
const SEVERAL = { OUTBOUND_WORKERS: String(WORKERS) }

const fileOf = (pid: string, name: string): string => {
  try {
    return readFileSync(join("/proc", pid, name), "utf8")
  } catch {
    return ""
  }
}

/** The worker processes of a service; the first one does the background work. */
const workersOf = ({ child }: Running): { readonly first: number | undefined; readonly all: ReadonlyArray<number> } => {
  const ofIt = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => fileOf(pid, "stat").split(") ")[1]?.split(" ")[1] === String(child.pid))
    .map((pid) => ({ pid: Number(pid), part: /OUTBOUND_WORKER_PART=(\{[^\0]*)/.exec(fileOf(pid, "environ"))?.[1] }))
    .filter(({ part }) => part !== undefined)
  const first = ofIt.find(({ part }) => (JSON.parse(part ?? "") as { isFirst: boolean }).isFirst)
  return { first: first?.pid, all: ofIt.map(({ pid }) => pid) }
}

const verify = (apiKey: string, number: number) =>
  call(home, apiKey, "/v1/verify_email", { email: `valid+${number}@magic.test` }, { "idempotency-key": `w${number}` })

/** As a client repeats: the same key, until it is answered. */
const verified = (apiKey: string, number: number) =>
  until(
    () => verify(apiKey, number).catch(() => null),
    (answer) => answer?.status === 200,
    60_000
  )

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe.runIf(existsSync("/proc/self/environ"))("a service of several workers", () => {
  it("shares one port, counts as one, and replaces a worker that was killed, with every charge made once", async () => {
    const service = await home.serve(SEVERAL)
    const apiKey = shownKey(service)
    assert.strictEqual(service.out.split("outbound is ready at").length, 2)
    assert.strictEqual(service.out.match(/svc_key_[\w-]{43}/g)?.filter((key) => key === apiKey).length, 2)
    const { key } = (await call(home, apiKey, "/v1/me")).body.result
    const { credits_available: before } = (await call(home, apiKey, "/v1/usage")).body.result
    await home.json("key", "set", "--key", key.id, "--rate", "100000")
    const whole = await until(
      async () => workersOf(service),
      ({ all }) => all.length === WORKERS,
      60_000
    )

    await Promise.all(numbers(0, 40).map((number) => verified(apiKey, number)))
    const metrics = await (await fetch(`${home.url}/metrics`)).text()
    assert.include(metrics, 'outbound_http_requests_total{route="verify_email",status="200"} 40')

    // The first one too: another takes over its background work.
    for (const [index, killed] of [whole.first, whole.all.find((pid) => pid !== whole.first)].entries()) {
      const load = numbers(100 * (index + 1), 60).map((number) => verified(apiKey, number))
      process.kill(killed ?? 0, "SIGKILL")
      await Promise.all(load)
      await until(
        async () => workersOf(service),
        ({ all, first }) => all.length === WORKERS && !all.includes(killed ?? 0) && first !== undefined,
        60_000
      )
    }
    assert.include(service.err, "another one takes its place")
    // Whatever the killed workers held is given back by a sweep of the first one.
    const { credits_available: available } = await until(
      async () => (await call(home, apiKey, "/v1/usage")).body.result,
      ({ credits_reserved }) => credits_reserved === "0",
      120_000
    )
    assert.strictEqual(Number(before) - Number(available), 160)
    assert.deepInclude(await home.json("check"), { ok: true })
    assert.strictEqual((await service.signal("SIGTERM")).code, 0)
  })

  it("ends the calls of all workers when it is told to stop, with code 0, and leaves no process behind", async () => {
    const service = await home.serve(SEVERAL)
    const apiKey = shownKey(service)
    const { all } = await until(
      async () => workersOf(service),
      (found) => found.all.length === WORKERS,
      60_000
    )
    // Each takes 3 seconds, over a connection of its own.
    const slow = numbers(0, 6).map((number) =>
      call(home, apiKey, "/v1/verify_email", { email: `slow+${number}@magic.test` })
    )
    await until(
      async () => (await call(home, apiKey, "/v1/usage")).body.result,
      ({ credits_reserved }) => credits_reserved === "6",
      60_000
    )
    const database = home.databasePid ?? 0
    const { code, err } = await service.signal("SIGTERM")
    assert.strictEqual(code, 0, err)
    assert.deepStrictEqual(
      (await Promise.all(slow)).map(({ status }) => status),
      numbers(0, 6).map(() => 200)
    )
    for (const pid of [...all, database]) assert.isFalse(isAlive(pid), `process ${pid}`)
  })

  it("does not start where its workers can't, and says why once", async () => {
    const { code, err } = await home.outbound(["serve"], { ...SEVERAL, OUTBOUND_MAIL_CA: "/no/such/file.pem" }).ended
    assert.strictEqual(code, 1)
    assert.include(err, "/no/such/file.pem")
    assert.include(err, "A worker of the service could not start.")
    assert.isUndefined(home.databasePid)
  })

  it("goes with its primary: a kill leaves no worker that answers", async () => {
    const service = await home.serve(SEVERAL)
    const { all } = workersOf(service)
    await service.signal("SIGKILL")
    await until(
      async () => all.filter(isAlive),
      (alive) => alive.length === 0,
      30_000
    )
  })
})
