import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { examineDatabase } from "../../src/main/doctor/database.js"
import { type Finding } from "../../src/commands/Finding.js"
import { examineAddress, examineMachine, examineMail, examineProviders } from "../../src/main/doctor/doctor.js"

const serving = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => void server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const statesOf = (findings: ReadonlyArray<Finding>) => findings.map(({ about, state }) => [about, state])

const addressOf = (baseUrl: string) => examineAddress({ baseUrl, trustedProxies: [] }, true)

/** Nobody listens there. */
const NOBODY = "http://127.0.0.1:1"

describe("the doctor", () => {
  it.live("finds that the address is answered, and the unsubscribe page too", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(({ url: path }, response) =>
        path === "/healthz" ? response.end("alive\n") : response.writeHead(404).end("<html>unknown</html>")
      )
      assert.deepStrictEqual(statesOf(yield* addressOf(url)), [
        ["address", "good"],
        ["unsubscribe page", "good"],
        ["live launches", "warning"],
        ["proxy", "good"]
      ])
    })
  )

  it.live("finds a proxy that keeps the unsubscribe page to itself", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(({ url: path }, response) =>
        path === "/healthz" ? response.end("alive\n") : response.writeHead(401).end("Sign in first")
      )
      const found = (yield* addressOf(url)).find(({ about }) => about === "unsubscribe page")
      assert.deepStrictEqual(
        [found?.state, found?.mend],
        ["bad", "Let the proxy pass on /u/ by GET and POST, without a login."]
      )
    })
  )

  it.live("finds that something else answers, or nobody, and says what to do", () =>
    Effect.gen(function* () {
      const { url } = yield* serving((_, response) => response.end("Welcome to nginx!"))
      assert.include((yield* addressOf(url))[0]?.found, "answered by something else")
      const [silent] = yield* addressOf(NOBODY)
      assert.deepStrictEqual([silent?.state, silent?.found], ["bad", `${NOBODY} does not answer (ECONNREFUSED)`])
      assert.include(silent?.mend ?? "", "nobody listens at 127.0.0.1:1")
    })
  )

  it.live("warns of an https address whose proxy it may not believe", () =>
    Effect.gen(function* () {
      const https = { baseUrl: "https://outbound.example", trustedProxies: [] }
      const found = yield* examineAddress(https, false)
      assert.deepStrictEqual(statesOf(found), [
        ["address", "skipped"],
        ["live launches", "good"],
        ["proxy", "warning"]
      ])
      assert.strictEqual((yield* examineAddress({ ...https, trustedProxies: ["10.0.0.1"] }, false))[2]?.state, "good")
    })
  )

  it.live("finds a database that can't be reached, and none where none was made yet", () =>
    Effect.gen(function* () {
      const url = Option.some(Redacted.make("postgres://somebody:hidden@127.0.0.1:1/outbound"))
      const secret = Option.some(Redacted.make("s".repeat(40)))
      const [gone] = yield* examineDatabase({ dataDir: ".", url, secret }, 1)
      assert.strictEqual(gone?.state, "bad")
      assert.include(gone?.found ?? "", "ECONNREFUSED")
      assert.notInclude(JSON.stringify(gone), "hidden")
      const none = { dataDir: join("/nowhere", "at all"), url: Option.none(), secret: Option.none() }
      assert.deepStrictEqual(statesOf(yield* examineDatabase(none, 1)), [["database", "skipped"]])
    })
  )

  it.live("finds a mail server that is gone, and says if there is none", () =>
    Effect.gen(function* () {
      const server = { host: "127.0.0.1", port: 1, security: "none" } as const
      const from = { address: "outbound@example.com", name: "outbound" }
      const account = { server, username: "", password: Redacted.make("hidden"), from }
      const gone = yield* examineMail({ mailCaFile: Option.none(), serviceMail: Option.some(account) })
      assert.deepStrictEqual([gone.about, gone.state], ["mail", "bad"])
      assert.include(gone.found, "127.0.0.1:1 fails: ")
      assert.notInclude(JSON.stringify(gone), "hidden")
      const file = { mailCaFile: Option.some("/nowhere.pem"), serviceMail: Option.some(account) }
      assert.include((yield* examineMail(file)).found, "/nowhere.pem is not a readable file")
      assert.strictEqual(
        (yield* examineMail({ mailCaFile: Option.none(), serviceMail: Option.none() })).state,
        "warning"
      )
    })
  )

  it.live("finds an old Node, and providers that can't be read", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* examineMachine(".", "18.20.0"))[0]?.state, "bad")
      assert.deepStrictEqual(
        (yield* examineMachine(".", "20.0.0")).map(({ about }) => about),
        ["Node", "data directory"]
      )
      assert.strictEqual((yield* examineProviders({ providers: "./nowhere.json" })).state, "bad")
      assert.strictEqual((yield* examineProviders({ providers: "sandbox" })).state, "good")
    })
  )
})
