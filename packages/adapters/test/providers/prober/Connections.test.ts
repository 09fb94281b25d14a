import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { scriptedSmtp } from "./ScriptedSmtp.js"
import { ACME, against, only, proberOf, TARGET } from "./support.js"

describe("of many addresses", () => {
  const people = Array.from({ length: 60 }, (_, at) => `jo${at}@acme.test`)
  const half = people.filter((_, at) => at % 2 === 0)

  it.live("at one domain, few connections ask for all, and one asks for another that does not exist", () =>
    Effect.gen(function* () {
      const { names, server, verify } = yield* against({ rcpt: only(...half) }, { deadlineMillis: 8_000 })
      const checks = yield* Effect.forEach(people, verify, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        checks.map(({ status }) => status),
        people.map((_, at) => (at % 2 === 0 ? "valid" : "invalid"))
      )
      assert.isAtMost(server.most(), 2)
      // Each connection is good for 20 addresses, or 8 refusals.
      assert.isAtMost(server.connections(), 7)
      const strangers = server.heard().filter(({ command }) => /RCPT TO:<[a-z]{18}@/.test(command))
      assert.isAtMost(strangers.length, 2)
      assert.isAtMost(names.questions(), 3)
    })
  )

  it.live("at a domain that takes every address, the first are asked for and the rest not", () =>
    Effect.gen(function* () {
      const { server, verify } = yield* against({})
      yield* verify(TARGET)
      for (const email of people) assert.isTrue((yield* verify(email)).isCatchAllDomain)
      assert.strictEqual(server.heard().filter(({ command }) => command.startsWith("RCPT")).length, 2)
    })
  )

  it.live("at a host that minds a second connection, one is enough", () =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({
        rcpt: only(...half),
        greeting: (open) => (open > 1 ? { do: "last", text: "421 4.7.0 Too many connections" } : "220 mail.test")
      })
      const { verify } = yield* proberOf(ACME, {
        smtpPort: server.port,
        probesPerConnection: 500,
        deadlineMillis: 8_000
      })
      const checks = yield* Effect.forEach(people, verify, { concurrency: "unbounded" })
      assert.isTrue(checks.every(({ status }) => status === "valid" || status === "invalid"))
      assert.isAtMost(server.connections(), 8)
    })
  )

  it.live("at a host that drops, it is left alone after two", () =>
    Effect.gen(function* () {
      const { evidence, server, verify } = yield* against({ greeting: { do: "drop" } })
      for (const email of people) assert.strictEqual((yield* verify(email)).status, "unknown")
      assert.strictEqual(server.connections(), 2)
      assert.include(JSON.stringify(evidence.at(-1)), "lost")
    })
  )

  it.live("at many domains, connections are bounded in all", () =>
    Effect.gen(function* () {
      const server = yield* scriptedSmtp({ rcpt: only() })
      const names = Array.from({ length: 12 }, (_, at) => `d${at}.test`)
      const zones = Object.fromEntries(names.map((name) => [name, { a: ["127.0.0.1"] }]))
      const { verify } = yield* proberOf(zones, { smtpPort: server.port, connectionsMax: 3 })
      const checks = yield* Effect.forEach(names, (name) => verify(`jo@${name}`), { concurrency: "unbounded" })
      assert.isTrue(checks.every(({ status }) => status === "invalid"))
      assert.isAtMost(server.most(), 4)
    })
  )

  it.live("there is a pace", () =>
    Effect.gen(function* () {
      const { verify } = yield* against({ rcpt: only() }, { hostPaceMillis: 60 })
      const began = Date.now()
      yield* Effect.forEach(people.slice(0, 6), verify, { concurrency: "unbounded" })
      assert.isAtLeast(Date.now() - began, 290)
    })
  )
})

it.live("a kept connection that ended unnoticed is made anew, and one that is not used is closed with a word", () =>
  Effect.gen(function* () {
    const { server, verify } = yield* against({
      rcpt: only(TARGET),
      mail: (earlier) => (earlier < 2 ? "250 2.1.0 Ok" : { do: "drop" })
    })
    assert.strictEqual((yield* verify(TARGET)).status, "valid")
    assert.strictEqual((yield* verify(TARGET)).status, "valid")
    assert.strictEqual(server.connections(), 2)
    const polite = yield* against({ rcpt: only(TARGET) }, { idleMillis: 20 })
    yield* polite.verify(TARGET)
    while (polite.server.open() > 0) yield* Effect.promise(() => new Promise(setImmediate))
    assert.strictEqual(polite.server.heard().at(-1)?.command, "QUIT")
  })
)

it.live("who stops waiting leaves no connection behind", () =>
  Effect.gen(function* () {
    const { server, verify } = yield* against(
      { rcpt: { do: "stall" } },
      { commandMillis: 5_000, deadlineMillis: 5_000 }
    )
    const asking = yield* Effect.forkChild(verify(TARGET))
    const turn = Effect.promise(() => new Promise(setImmediate))
    const until = (isSo: () => boolean): Effect.Effect<void> =>
      Effect.suspend(() => (isSo() ? Effect.void : Effect.andThen(turn, until(isSo))))
    yield* until(() => server.heard().some(({ command }) => command.startsWith("RCPT")))
    yield* Fiber.interrupt(asking)
    yield* until(() => server.open() === 0)
  })
)
