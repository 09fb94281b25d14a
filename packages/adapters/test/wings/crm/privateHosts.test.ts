import { assert, describe, it } from "@effect/vitest"
import { SECRET } from "@outbound/testkit/contracts/providers/sources.js"
import { Effect, Redacted } from "effect"
import { makeCrm } from "../../../src/wings/crm/CrmHttp.js"
import { doorToCrm } from "../../../src/wings/crm/doorToCrm.js"
import { privateHostsOf } from "../../../src/wings/crm/PrivateHosts.js"
import { twenty } from "../../../src/wings/crm/twenty/Twenty.js"
import type { Resolve } from "../../../src/site/Gate.js"
import { makeClientDocuments } from "../../../src/site/WebClientDocuments.js"
import { makeSiteReader } from "../../../src/site/WebSiteReader.js"
import { makePost } from "../../../src/webhooks/guardedPost.js"
import { servedTwenty } from "./served.js"

/** Answers with one list of addresses after the other; the last one stays. */
const resolving = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const resolve: Resolve = (hostname) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(hostname)
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
  }
  return { asked, resolve }
}

const access = (address: string) => ({ address, clientId: null, secret: Redacted.make(SECRET) })

/** The reason of a failure at this address, and what we concluded. */
const refusal = (options: Parameters<typeof makeCrm>[1], address: string) =>
  Effect.gen(function* () {
    const open = yield* makeCrm({ ...twenty, callsPerMinute: 100_000 }, options)
    const failure = yield* Effect.flip(open(access(address))!.owners)
    return failure.concluded ?? failure.cause
  })

const portOf = (url: string): string => new URL(url).port

describe("a CRM in a private network", () => {
  it.effect("is refused by default, and is reached where the operator lists its name or its range", () =>
    Effect.gen(function* () {
      const { served } = yield* servedTwenty
      const port = portOf(served.url)
      const { resolve } = resolving(["127.0.0.1"])
      const named = `http://twenty:${port}`
      for (const [address, privateHosts] of [
        [named, []],
        [named, ["other"]],
        // A name that is not listed needs https, whatever it leads to.
        [named, ["127.0.0.1"]],
        // A name leads to this machine only where that is listed, too.
        [named, ["twenty"]],
        [served.url, []],
        [served.url, ["10.0.0.0/8"]]
      ] as const) {
        const said = yield* refusal({ isAtHome: false, resolve, privateHosts }, address)
        assert.strictEqual(said, "not_allowed", `${address} ${privateHosts.join()}`)
      }
      assert.lengthOf(served.received, 0)
      for (const [address, privateHosts] of [
        [named, ["Twenty", "127.0.0.0/8"]],
        [served.url, ["127.0.0.1"]],
        [`http://localhost:${port}`, ["localhost"]]
      ] as const) {
        const open = yield* makeCrm({ ...twenty, callsPerMinute: 100_000 }, { isAtHome: false, resolve, privateHosts })
        yield* open(access(address))!.owners
      }
      assert.lengthOf(served.received, 3)
    }).pipe(Effect.orDie)
  )

  it.effect("is not left for another private address by a redirect", () =>
    Effect.gen(function* () {
      const [here, elsewhere] = [yield* servedTwenty, yield* servedTwenty]
      const options = { isAtHome: false, privateHosts: ["127.0.0.1"] }
      const open = yield* makeCrm({ ...twenty, callsPerMinute: 100_000 }, options)
      const location = `${elsewhere.served.url}/rest/workspaceMembers`
      for (const status of [301, 302, 307, 308]) {
        here.served.fate("GET", "/rest/workspaceMembers", { status, headers: { location } })
        assert.strictEqual((yield* Effect.flip(open(access(here.served.url))!.owners)).reason, "transient")
      }
      assert.lengthOf(here.served.received, 4)
      assert.lengthOf(elsewhere.served.received, 0)
    }).pipe(Effect.orDie)
  )

  it.effect("is not left for another private address by another answer of its name servers", () =>
    Effect.gen(function* () {
      const door = (name: string, privateHosts: ReadonlyArray<string>, resolve: Resolve) =>
        doorToCrm({ isAtHome: false, privateHosts, resolve })(new URL(name))
      const reached = (door: ReturnType<ReturnType<typeof doorToCrm>>, hostname: string) =>
        Effect.promise(() =>
          door!.addresses(hostname, 443).then((found) => found.map(({ address }) => address), String)
        )

      // A name that only leads into a listed range, and then beside it.
      const moved = resolving(["10.0.5.7"], ["10.0.6.7"], ["10.0.5.7", "192.168.0.1"], ["10.0.5.9", "93.184.216.34"])
      const open = door("https://crm.example.com", ["10.0.5.0/24"], moved.resolve)
      assert.deepStrictEqual(yield* reached(open, "crm.example.com"), ["10.0.5.7"])
      assert.include(yield* reached(open, "crm.example.com"), "NotAllowed")
      assert.include(yield* reached(open, "crm.example.com"), "NotAllowed")
      assert.deepStrictEqual(yield* reached(open, "crm.example.com"), ["10.0.5.9", "93.184.216.34"])

      // A listed name stays within private networks, and without https it does not leave them.
      for (const scheme of ["https", "http"]) {
        for (const address of ["127.0.0.1", "::1", "169.254.169.254", "100.100.100.200", "fd00:ec2::254", "0.0.0.0"]) {
          const { resolve } = resolving([address])
          const listed = door(`${scheme}://twenty.internal`, ["twenty.internal", "169.254.0.0/16"], resolve)
          assert.include(yield* reached(listed, "twenty.internal"), "NotAllowed", `${scheme} ${address}`)
        }
        const { resolve } = resolving(["10.1.2.3"], ["10.1.2.3", "93.184.216.34"])
        const listed = door(`${scheme}://twenty.internal`, ["twenty.internal"], resolve)
        assert.deepStrictEqual(yield* reached(listed, "twenty.internal"), ["10.1.2.3"])
        const both = yield* reached(listed, "twenty.internal")
        if (scheme === "http") assert.include(both, "NotAllowed")
        else assert.lengthOf(both, 2)
      }
    })
  )

  it.live("opens nothing to webhooks, websites and clients' documents", () =>
    Effect.gen(function* () {
      const { served } = yield* servedTwenty
      const port = portOf(served.url)
      const { resolve } = resolving(["127.0.0.1"])
      const options = { isAtHome: false, privateHosts: ["127.0.0.1", "crm.internal.test"], resolve }
      const host = "crm.internal.test"
      const door = doorToCrm(options)(new URL(`https://${host}:${port}`))
      assert.lengthOf(yield* Effect.promise(() => door!.addresses(host, 443)), 1)
      for (const workspaceKind of ["live", "sandbox"] as const) {
        for (const url of [`https://${host}:${port}/`, `https://127.0.0.1:${port}/`, `http://${host}:${port}/`]) {
          const post = { url, workspaceKind, headers: {}, body: "", nowMillis: 0 }
          assert.strictEqual((yield* Effect.flip(makePost(options)(post))).reason, "forbidden_address", url)
        }
      }
      const aboutUrl = "https://outbound.example"
      const document = makeClientDocuments({ ...options, aboutUrl }).read(`https://${host}/client.json`)
      assert.strictEqual((yield* Effect.flip(document)).reason, "unsafe")
      const site = makeSiteReader({ ...options, aboutUrl })
      const reading = yield* site.read({ companyDomain: "internal.test", question: "Any?", pagesMax: 1 })
      assert.deepInclude(reading, { _tag: "Unreadable", reason: "unsafe" })
      assert.lengthOf(served.received, 0)
    }).pipe(Effect.orDie)
  )

  it("is listed as its address is written, by name or within a range", () => {
    const { isListed } = privateHostsOf(["Twenty.Internal", "crm", "10.0.5.0/24", "fd12::/16", "8.8.8.8", "0.0.0.0/0"])
    for (const host of ["twenty.internal", "crm", "10.0.5.7", "192.168.1.1", "100.64.0.9", "[fd12::7]", "127.0.0.1"]) {
      assert.isTrue(isListed(host), host)
    }
    // What is no network of one's own is in no range, however wide.
    for (const host of [
      "internal",
      "x.twenty.internal",
      "8.8.8.8",
      "169.254.169.254",
      "0.0.0.0",
      "[fd13::7]",
      "[::1]"
    ]) {
      assert.isFalse(isListed(host), host)
    }
  })
})
