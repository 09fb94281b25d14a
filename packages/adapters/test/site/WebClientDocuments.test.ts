import { assert, describe, it } from "@effect/vitest"
import type { DocumentUnreadable } from "@outbound/domain/control/oauth/ClientDocuments.js"
import { Effect, Result } from "effect"
import { gzipSync } from "node:zlib"
import type { Resolve } from "../../src/site/Gate.js"
import { DOCUMENT_BYTES_MAX, makeClientDocuments } from "../../src/site/WebClientDocuments.js"
import { type Answer, DOMAIN, serve, status, type TestSite, toLoopback } from "./TestSite.js"

const DOCUMENT = JSON.stringify({ client_id: `https://${DOMAIN}/client.json`, redirect_uris: ["https://a.test/"] })

const json =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers })
    response.end(body)
  }

interface Options {
  readonly resolve?: Resolve
  /** Without it, loopback is as forbidden as it is in earnest. */
  readonly allowed?: boolean
}

/** What is asked for over https is looked for on the test's own server. */
const read = (site: TestSite, url: string, { allowed = true, resolve = toLoopback }: Options = {}) =>
  makeClientDocuments({
    aboutUrl: "https://outbound.test",
    resolve,
    testing: {
      allowedServers: [{ address: allowed ? "127.0.0.1" : "192.0.2.1", port: site.port }],
      addressOf: ({ hostname, pathname }) => new URL(`http://${hostname}:${site.port}${pathname}`)
    }
  })
    .read(url)
    .pipe(Effect.result)

const reasonOf = (outcome: Result.Result<string, DocumentUnreadable>): string =>
  Result.isFailure(outcome) ? outcome.failure.reason : `read ${outcome.success}`

const at = (path: string): string => `https://${DOMAIN}${path}`

describe("a client's document", () => {
  it.live("is read once, as JSON, by name, compressed or not", () =>
    Effect.gen(function* () {
      const site = yield* serve({
        "/client.json": json(DOCUMENT),
        "/typed": json(DOCUMENT, { "content-type": "application/client+json; charset=utf-8" }),
        "/small": json(gzipSync(DOCUMENT), { "content-encoding": "gzip" })
      })
      for (const path of ["/client.json", "/typed", "/small"]) {
        assert.deepStrictEqual(Result.getOrThrow(yield* read(site, at(path))), DOCUMENT)
      }
      assert.lengthOf(site.asked, 3)
      assert.deepStrictEqual([...site.agents], ["OutboundClientReader/1.0 (+https://outbound.test)"])
    })
  )

  it.live("is nothing else than that: no page, no error, and no redirect, which is not followed", () =>
    Effect.gen(function* () {
      const site = yield* serve({
        "/page": json("<html>", { "content-type": "text/html" }),
        "/untyped": json(DOCUMENT, { "content-type": "" }),
        "/moved": status(302, { location: "/client.json" }),
        "/away": status(301, { location: "http://169.254.169.254/latest/meta-data" }),
        "/broken": status(500),
        "/client.json": json(DOCUMENT)
      })
      for (const path of ["/page", "/untyped", "/moved", "/away", "/broken", "/none"]) {
        assert.strictEqual(reasonOf(yield* read(site, at(path))), "refused", path)
      }
      assert.notInclude(site.asked, `${DOMAIN} /client.json`)
    })
  )

  it.live("of a name that leads inside is not asked for", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/client.json": json(DOCUMENT) })
      const to =
        (...addresses: ReadonlyArray<string>): Resolve =>
        () =>
          Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
      const inside: ReadonlyArray<ReadonlyArray<string>> = [
        ["127.0.0.1"],
        ["10.0.0.1"],
        ["192.168.1.1"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["::1"],
        ["fd00::1"],
        ["::ffff:127.0.0.1"],
        ["93.184.216.34", "127.0.0.1"]
      ]
      for (const addresses of inside) {
        const outcome = yield* read(site, at("/client.json"), { allowed: false, resolve: to(...addresses) })
        assert.strictEqual(reasonOf(outcome), "unsafe", addresses.join())
      }
      assert.lengthOf(site.asked, 0)
    })
  )

  it.live("at an address that is none of the public internet's is not asked for", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/client.json": json(DOCUMENT) })
      for (const url of [
        `http://${DOMAIN}/client.json`,
        "https://127.0.0.1/client.json",
        "https://[::1]/client.json",
        "https://localhost/client.json",
        "https://metadata/client.json",
        "file:///client.json"
      ]) {
        assert.strictEqual(reasonOf(yield* read(site, url)), "unsafe", url)
      }
      assert.lengthOf(site.asked, 0)
    })
  )

  it.live("that is huge is left, also one that grows when it is unpacked", () =>
    Effect.gen(function* () {
      const padded = (bytes: number): string => `${DOCUMENT}${" ".repeat(bytes - DOCUMENT.length)}`
      const site = yield* serve({
        "/fits": json(padded(DOCUMENT_BYTES_MAX)),
        "/long": json(padded(DOCUMENT_BYTES_MAX + 1)),
        "/bomb": json(gzipSync(Buffer.alloc(64 * 1024 * 1024)), { "content-encoding": "gzip" })
      })
      assert.strictEqual(Result.getOrThrow(yield* read(site, at("/fits"))).length, DOCUMENT_BYTES_MAX)
      assert.strictEqual(reasonOf(yield* read(site, at("/long"))), "too_large")
      assert.strictEqual(reasonOf(yield* read(site, at("/bomb"))), "too_large")
      assert.strictEqual(site.openSockets(), 0)
    })
  )

  it.live("at a port that websites do not have is not asked for", () =>
    Effect.gen(function* () {
      const reader = makeClientDocuments({ aboutUrl: "x", resolve: toLoopback })
      const outcome = yield* Effect.result(reader.read(`https://${DOMAIN}:8443/client.json`))
      assert.strictEqual(reasonOf(outcome), "unsafe")
    })
  )
})
