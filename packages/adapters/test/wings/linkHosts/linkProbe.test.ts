import { assert, describe, it } from "@effect/vitest"
import { LinkProbe } from "@outbound/domain/wings/linkHosts/LinkProbe.js"
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@outbound/testkit/mail/certificates.js"
import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Server } from "node:net"
import type { Resolve } from "../../../src/site/Gate.js"
import { layer, type LinkProbeOptions } from "../../../src/wings/linkHosts/LinkProbe.js"

const at =
  (...addresses: ReadonlyArray<string>): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))

const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
        )
    ),
    () =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            if ("closeAllConnections" in server) (server.closeAllConnections as () => void)()
          })
      )
  )

const answering = (listener: RequestListener) => listening(createServer(listener))

const get = (url: string, options: Partial<LinkProbeOptions> = {}) =>
  Effect.provide(
    Effect.flatMap(LinkProbe, (probe) => probe.get(url)),
    layer({
      baseUrl: "https://outbound.test",
      isAtHome: true,
      resolve: at("127.0.0.1"),
      timeoutMillis: 2_000,
      ...options
    })
  )

const reasonOf = (url: string, options: Partial<LinkProbeOptions> = {}) =>
  Effect.map(Effect.flip(get(url, options)), ({ reason }) => reason)

describe("the probe of link hosts", () => {
  it.live("asks under the host's own name, reads one answer and follows nobody elsewhere", () =>
    Effect.gen(function* () {
      const asked: Array<string | undefined> = []
      const port = yield* answering((request, response) => {
        asked.push(`${request.headers.host}${request.url}`)
        if (request.url === "/u/check/1") return void response.writeHead(302, { location: "/u/check/2" }).end()
        response.end("yes")
      })
      assert.deepStrictEqual(yield* get(`http://links.acme.test:${port}/u/check/2`), { status: 200, body: "yes" })
      assert.strictEqual((yield* get(`http://links.acme.test:${port}/u/check/1`)).status, 302)
      assert.deepStrictEqual(asked, [`links.acme.test:${port}/u/check/2`, `links.acme.test:${port}/u/check/1`])
    })
  )

  it.live("connects to public addresses, to where the service itself is, and to nothing else", () =>
    Effect.gen(function* () {
      let requests = 0
      const port = yield* answering((_request, response) => {
        requests += 1
        response.end("secret")
      })
      const url = `http://links.acme.test:${port}/u/check/1`
      const away = { isAtHome: false }
      for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "100.100.100.200"]) {
        assert.strictEqual(
          yield* reasonOf(url, { ...away, resolve: byName(address, "192.0.2.1") }),
          "private_address",
          address
        )
      }
      // One address of the network among public ones is a way in as well.
      const mixed: Resolve = (name) =>
        name === "outbound.test" ? at("192.0.2.1")(name) : at("93.184.215.14", "127.0.0.1")(name)
      assert.strictEqual(yield* reasonOf(url, { ...away, resolve: mixed }), "private_address")
      // What hands out a machine's secrets is never asked, though the service's own name led there.
      assert.strictEqual(yield* reasonOf(url, { ...away, resolve: at("169.254.169.254") }), "private_address")
      assert.strictEqual(requests, 0)
      // Behind the same proxy, in the operator's own network.
      assert.strictEqual((yield* get(url, { ...away, resolve: at("127.0.0.1") })).body, "secret")
      assert.strictEqual(yield* reasonOf(url, { resolve: () => Promise.resolve([]) }), "no_address")
    })
  )

  it.live("says what was wrong, and waits for nobody longer than it may", () =>
    Effect.gen(function* () {
      const untrusted = yield* listening(
        createTlsServer({ key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE }, (_request, response) =>
          response.end("yes")
        )
      )
      assert.strictEqual(yield* reasonOf(`https://links.acme.test:${untrusted}/u/check/1`), "certificate")
      const plain = yield* answering((_request, response) => response.end("yes"))
      assert.strictEqual(yield* reasonOf(`https://links.acme.test:${plain}/u/check/1`), "certificate")
      const hanging = yield* answering(() => undefined)
      assert.strictEqual(
        yield* reasonOf(`http://links.acme.test:${hanging}/u/check/1`, { timeoutMillis: 200 }),
        "unreachable"
      )
      const dropping = yield* answering((request) => request.socket.destroy())
      assert.strictEqual(yield* reasonOf(`http://links.acme.test:${dropping}/u/check/1`), "unreachable")
      const endless = yield* answering((_request, response) => {
        const more = setInterval(() => response.write("x".repeat(10_000)), 1)
        response.on("close", () => clearInterval(more))
      })
      assert.isAtMost((yield* get(`http://links.acme.test:${endless}/u/check/1`)).body.length, 1_024)
    })
  )
})

/** The service's own name leads to `own`, every other one to `address`. */
function byName(address: string, own: string): Resolve {
  return (name) => at(name === "outbound.test" ? own : address)(name)
}
