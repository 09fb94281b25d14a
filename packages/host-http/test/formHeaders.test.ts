import { assert, describe, it } from "@effect/vitest"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { afterOf, afterWords, idAfterOf, pageOf, rowsAfter } from "../src/console/paging.js"
import {
  csrfToken,
  isCsrfToken,
  isFromOwnPage,
  nextCookie,
  ownPath,
  sessionCookie,
  visitCookie,
  zoneCookie
} from "../src/console/Session.js"
import { shareWithPages } from "../src/http/CrossOrigin.js"
import type { Exchange } from "../src/http/Exchange.js"
import type { Reply } from "../src/http/Reply.js"

const SECURE = "https://outbound.test"
const PLAIN = "http://localhost:3000"
const ID = "018F3A5E-7b1c-7d2e-9f10-2b3c4d5e6f70"

describe("a form", () => {
  const from = (baseUrl: string, given: Partial<Parameters<typeof isFromOwnPage>[1]>) =>
    isFromOwnPage(baseUrl, { origin: undefined, host: undefined, fetchSite: undefined, ...given })

  it("is taken from our own pages, and from programs without cookies", () => {
    assert.isTrue(from(SECURE, { origin: SECURE, fetchSite: "same-origin" }))
    assert.isTrue(from(SECURE, { fetchSite: "none" }))
    assert.isTrue(from(SECURE, {}))
  })

  it("is not taken from a page beside ours, of another host, or of another scheme", () => {
    for (const fetchSite of ["same-site", "cross-site", ""]) assert.isFalse(from(SECURE, { fetchSite }), fetchSite)
    for (const origin of ["https://evil.test", "http://outbound.test", "https://outbound.test.evil.test", "null"]) {
      assert.isFalse(from(SECURE, { origin }), origin)
      assert.isFalse(from(SECURE, { origin, host: origin.replace(/^https?:\/\//, "") }), "the host is no proof")
    }
  })

  it("may come from any name of a machine that has no certificate, and from no other machine", () => {
    assert.isTrue(from(PLAIN, { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }))
    assert.isFalse(from(PLAIN, { origin: "http://evil.test", host: "127.0.0.1:3000" }))
    assert.isFalse(from(PLAIN, { origin: "https://127.0.0.1:3000", host: "127.0.0.1:3000" }))
    assert.isFalse(from(PLAIN, { origin: "http://undefined" }), "who names no host has none")
  })

  it("carries a token of its own session", () => {
    const crypto = { mac: (purpose: string, text: string) => `${purpose}|${text}` } as unknown as Crypto["Service"]
    const token = csrfToken(crypto, "one")
    assert.isTrue(isCsrfToken(crypto, "one", token))
    for (const given of [undefined, "", token.slice(1), `${token}x`, csrfToken(crypto, "two")]) {
      assert.isFalse(isCsrfToken(crypto, "one", given))
    }
  })
})

describe("a cookie", () => {
  it("of a session is this host's alone over HTTPS, and no script reads it", () => {
    const secret = "s".repeat(40)
    const set = sessionCookie.set(SECURE, secret)
    assert.match(set, /^__Host-outbound_session=s{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure$/)
    assert.notInclude(sessionCookie.set(PLAIN, secret), "Secure")
    assert.match(sessionCookie.clear(SECURE), /=; .*Max-Age=0; Secure$/)
    assert.strictEqual(sessionCookie.read(SECURE, `a=b; __Host-outbound_session=${secret}; c=d`), secret)
    // The name that another host may set is not read.
    assert.isNull(sessionCookie.read(SECURE, `outbound_session=${secret}`))
    // A browser keeps no `__Host-` cookie of a machine without a certificate.
    assert.match(sessionCookie.set(PLAIN, secret), /^outbound_session=s{40};/)
    assert.strictEqual(sessionCookie.read(PLAIN, `a=b; outbound_session=${secret} ; c=d`), secret)
    for (const bad of [undefined, "", "__Host-outbound_session=short", `__Host-outbound_session=${secret}!`]) {
      assert.isNull(sessionCookie.read(SECURE, bad))
    }
  })

  it("lasts as long as what it is for: five minutes, half an hour, a year", () => {
    const secret = "v".repeat(40)
    for (const [set, name, seconds] of [
      [visitCookie.set(SECURE, secret), "visit", 5 * 60],
      [nextCookie.set(SECURE, "/console/home"), "next", 30 * 60],
      [zoneCookie.set(SECURE, "UTC"), "zone", 365 * 86_400]
    ] as const) {
      assert.match(set, new RegExp(`^__Host-outbound_${name}=[^;]+; Path=/; HttpOnly; .*Max-Age=${seconds}; Secure$`))
    }
    assert.strictEqual(visitCookie.read(SECURE, `__Host-outbound_visit=${secret}`), secret)
    for (const other of [`outbound_visit=${secret}`, `__Host-outbound_session=${secret}`, "__Host-outbound_visit=v"]) {
      assert.isNull(visitCookie.read(SECURE, other))
    }
  })

  it("leads back to a page of the console, and nowhere else", () => {
    const path = ownPath("/console/approvals/018f3a5e")
    const [pair = ""] = nextCookie.set(SECURE, path).split(";")
    assert.strictEqual(ownPath(nextCookie.read(SECURE, pair)), path)
    assert.isNull(nextCookie.read(SECURE, undefined))
    for (const other of [
      null,
      undefined,
      "//evil.test",
      "https://evil.test",
      "/console/../admin",
      "/console//a",
      "/u/x"
    ]) {
      assert.strictEqual(ownPath(other), "/console/home", String(other))
    }
    assert.strictEqual(ownPath(`/console/${"a".repeat(191)}`), `/console/${"a".repeat(191)}`)
    assert.strictEqual(ownPath(`/console/${"a".repeat(192)}`), "/console/home")
  })

  it("of the reader's zone is one that exists, or else UTC", () => {
    const kept = (zone: string) => zoneCookie.read(SECURE, zoneCookie.set(SECURE, zone).split(";")[0])
    assert.strictEqual(kept("Europe/Berlin"), "Europe/Berlin")
    assert.strictEqual(kept("Mars/Olympus"), "UTC")
    assert.strictEqual(zoneCookie.read(SECURE, undefined), "UTC")
    // Until the browser has kept one, its page is given the name to keep it under.
    assert.strictEqual(zoneCookie.openName(SECURE, "a=b"), "__Host-outbound_zone")
    assert.isNull(zoneCookie.openName(SECURE, "a=b; __Host-outbound_zone=UTC"))
  })
})

describe("a page of a list", () => {
  const page = (count: number, after: unknown = null) =>
    pageOf(
      Array.from({ length: count }, (_, at) => `row ${at}`),
      3,
      (row) => `after ${row}`,
      after
    )

  it("leads to the next one only if there is one", () => {
    assert.deepStrictEqual(page(0), { shown: [], next: null, isLater: false })
    assert.deepStrictEqual(page(3), { shown: ["row 0", "row 1", "row 2"], next: null, isLater: false })
    assert.deepStrictEqual(page(4, "x"), { shown: ["row 0", "row 1", "row 2"], next: "after row 2", isLater: true })
  })

  it("begins behind the row that it names, at the beginning if it names none", () => {
    const rows = ["a", "b", "c"]
    const after = (id: string | null) => rowsAfter(rows, id, (row) => row)
    assert.deepStrictEqual(after(null), rows)
    assert.deepStrictEqual(after("a"), ["b", "c"])
    assert.deepStrictEqual(after("c"), [])
    assert.deepStrictEqual(after("gone"), rows)
  })

  it("is found again by its cursor, however its id is written, and by nothing else", () => {
    const at = { atMillis: 1_800_000_000_000, id: ID.toLowerCase() }
    assert.deepStrictEqual(afterOf(afterWords({ ...at, id: ID })), at)
    for (const text of [null, "", "1", `x.${ID}`, `1.${ID}0`, `1.${ID.slice(1)}`, `${"1".repeat(16)}.${ID}`]) {
      assert.isNull(afterOf(text), String(text))
    }
    assert.strictEqual(idAfterOf(ID), ID.toLowerCase())
    assert.isNull(idAfterOf("1"))
    assert.isNull(idAfterOf(null))
  })
})

describe("a page of another origin", () => {
  const OURS = "https://app.test"
  const ask = (method: string, headers: Readonly<Record<string, string>>) => {
    const set: Record<string, string> = {}
    let sent: Reply | null = null
    const exchange = {
      method,
      path: "/v1/me",
      header: (name: string) => headers[name],
      response: { setHeader: (name: string, value: string) => (set[name] = value) },
      send: (reply: Reply) => (sent = reply)
    } as unknown as Exchange
    const isAnswered = shareWithPages(exchange, { allows: (origin) => origin === OURS, methods: "GET, POST" })
    return { isAnswered, set, sent: sent as Reply | null }
  }

  it("reads an answer if it is named, and caches keep it for no other page", () => {
    const { isAnswered, set } = ask("GET", { origin: OURS })
    assert.isFalse(isAnswered)
    assert.deepInclude(set, { "access-control-allow-origin": OURS, vary: "origin" })
    assert.notProperty(set, "access-control-allow-credentials")
    assert.deepStrictEqual(ask("GET", { origin: "https://evil.test" }), { isAnswered: false, set: {}, sent: null })
    assert.deepStrictEqual(ask("OPTIONS", { origin: "https://evil.test" }), { isAnswered: false, set: {}, sent: null })
    assert.deepStrictEqual(ask("GET", {}).set, {})
  })

  it("is told what it may send when it asks before it sends", () => {
    const headers = { origin: OURS, "access-control-request-headers": "authorization, content-type" }
    const { isAnswered, sent } = ask("OPTIONS", headers)
    assert.isTrue(isAnswered)
    assert.deepInclude(sent?.headers, {
      allow: "GET, POST",
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "authorization, content-type"
    })
    const odd = ask("OPTIONS", { ...headers, "access-control-request-headers": "a\r\nset-cookie: x" })
    assert.notProperty(odd.sent?.headers, "access-control-allow-headers")
    const { sent: program } = ask("OPTIONS", {})
    assert.deepStrictEqual([program?.status, program?.headers], [204, { allow: "GET, POST" }])
  })
})
