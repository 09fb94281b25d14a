import { assert, describe, it } from "@effect/vitest"
import * as LinkProbe from "@outbound/adapters/wings/linkHosts/LinkProbe.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { DomainRecords } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { LinkBases } from "@outbound/domain/outreach/suppression/linkBases.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { makeLinkHostHandler } from "@outbound/domain/wings/linkHosts/checkJob.js"
import { linkHostJob, LinkHostStore } from "@outbound/domain/wings/linkHosts/LinkHostStore.js"
import { proofName, proofValue } from "@outbound/domain/wings/linkHosts/proof.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect, Layer, Option, References } from "effect"
import { request } from "node:http"
import { csrfToken } from "../../../src/console/Session.js"
import { Readiness } from "../../../src/health/Readiness.js"
import { layer as httpHost } from "../../../src/HttpHost.js"
import * as UnsubscribeSurface from "../../../src/unsubscribe/UnsubscribeSurface.js"
import { linkHostSurfaces } from "../../../src/wings/linkHosts/surfaces.js"
import { launch } from "../../support/ConsoleHost.js"
import { Desk, deskWith, type Tenant } from "../../support/Desk.js"
import { layer as scriptedCalls } from "../../support/Scripted.js"

const HOST = "links.acme.test"
const PAGE = "/console/settings/link-hosts"

interface Answer {
  readonly status: number
  readonly text: string
}

/** A request that comes by this name. */
const ask = (port: number, name: string, path: string, more: Readonly<Record<string, string>> = {}, form?: string) =>
  Effect.promise(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const headers = {
          host: name,
          ...more,
          ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" })
        }
        const sent = request(
          { host: "127.0.0.1", port, path, method: form === undefined ? "GET" : "POST", headers, agent: false },
          (response) => {
            let text = ""
            response.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")))
            response.on("end", () => resolve({ status: response.statusCode ?? 0, text }))
          }
        )
        sent.on("error", reject)
        sent.end(form)
      })
  )

/** The service as it listens, with the wing's surfaces, at an address that its own probe reaches. */
const hostAt = (port: number) => {
  const ground = Layer.mergeAll(deskWith(MemoryMailer.layer), scriptedCalls).pipe(
    Layer.provideMerge(Layer.succeed(Settings, { baseUrl: `http://127.0.0.1:${port}` })),
    Layer.provideMerge(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )
  const host = Layer.unwrap(
    Effect.gen(function* () {
      return httpHost({
        host: "127.0.0.1",
        port,
        metricsPort: null,
        trustedProxies: ["127.0.0.1"],
        surfaces: [...(yield* linkHostSurfaces.surfaces), yield* UnsubscribeSurface.surface],
        admits: yield* linkHostSurfaces.admits
      })
    })
  )
  return host.pipe(Layer.provideMerge(Layer.provideMerge(Outbound.unsubscribe, ground)))
}

type Provided = Layer.Success<ReturnType<typeof hostAt>>

const run = <A, E>(story: (port: number) => Effect.Effect<A, E, Provided>) =>
  Effect.scoped(Effect.flatMap(Effect.promise(freePort), (port) => Effect.provide(story(port), hostAt(port))))

/** Name servers that know what they are given, and a probe that finds every name on this machine. */
const looking = (port: number, txt: ReadonlyMap<string, string>) =>
  makeLinkHostHandler.pipe(
    Effect.provideService(
      DomainRecords,
      DomainRecords.of({
        mx: () => Effect.succeed([]),
        a: () => Effect.succeed([]),
        cname: () => Effect.succeed([]),
        txt: (name) => Effect.succeed(txt.has(name) ? [txt.get(name) ?? ""] : [])
      })
    ),
    Effect.provide(
      LinkProbe.layer({
        baseUrl: `http://127.0.0.1:${port}`,
        isAtHome: true,
        resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }])
      })
    )
  )

const owner = (port: number, of: Tenant) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const secret = yield* desk.session(of, "owner", 0)
    const csrf = csrfToken(yield* Crypto, secret)
    const cookie = `outbound_session=${secret}`
    const own = `127.0.0.1:${port}`
    return {
      get: (path: string) => ask(port, own, path, { cookie }),
      post: (path: string, form: Readonly<Record<string, string>>) =>
        ask(port, own, path, { cookie, origin: `http://${own}` }, new URLSearchParams({ csrf, ...form }).toString())
    }
  })

/** The host in use by our workspace, set in the console, proven, and asked over HTTP. */
const used = (port: number) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const crypto = yield* Crypto
    const store = yield* LinkHostStore
    const { workspaceId } = desk.live
    const us = yield* owner(port, desk.live)
    const before = yield* us.get(PAGE)
    assert.strictEqual((yield* us.post(`${PAGE}/add`, { host: HOST, domain: "" })).status, 303)
    const txt = new Map([[proofName(HOST), proofValue(crypto, workspaceId, HOST)]])
    const look = (yield* looking(port, txt))(linkHostJob({ workspaceId, host: HOST }).key)
    yield* look
    const found = Option.getOrThrow(yield* store.get({ workspaceId, host: HOST }))
    return { before, desk, found, look, us, txt, workspaceId }
  })

describe("link hosts over HTTP", () => {
  it.live("a host is set in the console, proven, asked as recipients do, shown, and on the approval", () =>
    run((port) =>
      Effect.gen(function* () {
        const { before, desk, found, us, workspaceId } = yield* used(port)
        assert.include(before.text, "the address of this service")
        assert.deepInclude(found, { state: "used", trouble: null })
        const bases = yield* LinkBases
        assert.strictEqual(yield* bases({ workspaceId, domain: "acme-mail.test" }), `http://${HOST}:${port}`)
        const shown = yield* us.get(PAGE)
        for (const words of ["Used in new mail", HOST, proofName(HOST), "CNAME"]) assert.include(shown.text, words)
        assert.include((yield* us.get("/console/settings")).text, PAGE)
        const { approvalId } = yield* desk.add(desk.live, launch)
        const approval = yield* us.get(`/console/approvals/${approvalId}`)
        assert.include(approval.text, "Where the links lead")
        assert.include(approval.text, `<strong>${HOST}:${port}</strong>`)
        assert.strictEqual((yield* us.post(`${PAGE}/remove`, { host: HOST })).status, 303)
        assert.include((yield* us.get(PAGE)).text, "Not used any more")
        assert.include((yield* us.get("/console/settings/history")).text, "Link host removed")
      })
    )
  )

  it.live("under a link host there are links and nothing else, whatever the path; under other names there is all", () =>
    run((port) =>
      Effect.gen(function* () {
        const { workspaceId } = yield* used(port)
        const lead = "0197c3a0-0000-7000-8000-00000000000c"
        const link = `/u/${workspaceId}/${lead}.${linkMac(yield* Crypto, workspaceId, lead)}`
        for (const name of [HOST, HOST.toUpperCase(), `${HOST}:443`, `${HOST}.`]) {
          for (const path of [
            "/",
            "/console",
            "/console/sign-in",
            "/console/home",
            "/v1/balance",
            "/docs",
            "/healthz",
            "/metrics",
            "/openapi.json",
            "/llms.txt",
            "/link-hosts/ask?domain=x",
            "//console",
            "/u",
            "/U/x"
          ]) {
            assert.strictEqual((yield* ask(port, name, path)).status, 404, `${name}${path}`)
          }
          assert.strictEqual((yield* ask(port, name, link)).status, 200)
          assert.strictEqual((yield* ask(port, name, "/console/style.css")).status, 200)
          assert.strictEqual((yield* ask(port, name, "/console/sign-in", {}, "email=a@b.test")).status, 404)
        }
        for (const name of [`127.0.0.1:${port}`, "localhost", "outbound.internal", "unknown.test", "[::1]"]) {
          assert.notStrictEqual((yield* ask(port, name, "/console/sign-in")).status, 404, name)
          assert.strictEqual((yield* ask(port, name, link)).status, 200, name)
        }
        const odd = yield* ask(port, HOST, "/u/../console/sign-in")
        assert.strictEqual(odd.status, 404)
        assert.notInclude(odd.text, "csrf")
      })
    )
  )

  it.live("a proxy that asks gets 200 for proven names alone, and only from beside the service", () =>
    run((port) =>
      Effect.gen(function* () {
        const { desk, us } = yield* used(port)
        const asked = (domain: string, more: Readonly<Record<string, string>> = {}) =>
          Effect.map(ask(port, `127.0.0.1:${port}`, `/link-hosts/ask${domain}`, more), ({ status }) => status)
        assert.strictEqual(yield* asked(`?domain=${HOST}`), 200)
        assert.strictEqual(yield* asked(`?domain=${HOST.toUpperCase()}`), 200)
        assert.strictEqual((yield* us.post(`${PAGE}/add`, { host: "unproven.acme.test", domain: "" })).status, 303)
        for (const domain of [
          "?domain=unproven.acme.test",
          "?domain=acme.test",
          `?domain=www.${HOST}`,
          `?domain=${HOST}.`,
          `?domain=https://${HOST}/`,
          `?domain=${HOST}%00`,
          `?domain=${"a".repeat(5_000)}.test`,
          "?domain=10.0.0.1",
          "?domain=",
          ""
        ]) {
          assert.strictEqual(yield* asked(domain), 404, domain)
        }
        assert.strictEqual(yield* asked(`?domain=${HOST}`, { "x-forwarded-for": "192.0.2.1" }), 404)
        yield* desk.failNext("LinkHostStore.isKnown")
        assert.strictEqual(yield* asked("?domain=never-asked.test"), 503)
      })
    )
  )

  it.live("a check is confirmed with the name that it came by, so that a proxy that hides it is found out", () =>
    run((port) =>
      Effect.gen(function* () {
        const path = `/u/check/${"n".repeat(43)}`
        const one = yield* ask(port, HOST, path)
        const other = yield* ask(port, "other.test", path)
        assert.deepStrictEqual([one.status, one.text.split("\n")[0]], [200, HOST])
        assert.notStrictEqual(one.text.split("\n")[1], other.text.split("\n")[1])
        for (const [name, wrong] of [
          [HOST, "/u/check/short"],
          ["127.0.0.1", path],
          ["localhost", path]
        ] as const) {
          assert.strictEqual((yield* ask(port, name, wrong)).status, 404)
        }
        assert.strictEqual((yield* ask(port, HOST, path, {}, "a=b")).status, 404)
      })
    )
  )
})
