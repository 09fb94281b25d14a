import { urlIssues } from "@outbound/domain/control/webhooks/target.js"
import { assert, describe, it } from "vitest"

const isTaken = (url: string, kind: "sandbox" | "live", isAtHome: boolean) =>
  urlIssues(url, kind, isAtHome).length === 0

describe("where webhooks go", () => {
  const own = ["http://127.0.0.1:9000/a", "http://localhost:9000/b", "http://[::1]:9000/c"]

  it("is this machine only for a sandbox whose user runs the service on it", () => {
    for (const url of own) {
      assert.isTrue(isTaken(url, "sandbox", true), url)
      assert.isFalse(isTaken(url, "sandbox", false), url)
      assert.isFalse(isTaken(url, "live", true), url)
    }
  })

  it("is none of this machine's own services", () => {
    const services = ["http://127.0.0.1:25/", "http://localhost/", "https://localhost/", "http://[::1]:1023/"]
    for (const url of services) {
      assert.match(urlIssues(url, "sandbox", true)[0]?.message ?? "", /a port from 1024 on/, url)
    }
    assert.isTrue(isTaken("http://127.0.0.1:1024/", "sandbox", true))
  })

  it("is any host with a name, over https", () => {
    for (const kind of ["sandbox", "live"] as const) {
      assert.isTrue(isTaken("https://example.com/events", kind, false))
      assert.isFalse(isTaken("http://example.com/events", kind, true))
    }
  })

  const said = (url: string, kind: "sandbox" | "live" = "live", isAtHome = false) =>
    urlIssues(url, kind, isAtHome).map(({ message, path }) => `${path} ${message}`)

  it("is no text that is none, or too long to be kept", () => {
    const long = (chars: number) => `https://example.com/${"a".repeat(chars - 20)}`
    assert.deepStrictEqual(said(long(1_000)), [])
    assert.deepStrictEqual(said(long(1_001)), ["url must have at most 1000 characters"])
    assert.deepStrictEqual(said("example.com"), ["url must be a URL, such as https://example.com/events"])
  })

  it("names nobody, and has no fragment", () => {
    const named = ["url must not contain a user name or password; deliveries are signed"]
    for (const user of ["ann@", ":secret@", "ann:secret@"]) {
      assert.deepStrictEqual(said(`https://${user}example.com/`), named, user)
    }
    assert.deepStrictEqual(said("https://example.com/#here"), ["url must not have a fragment"])
  })

  it("is no address, whatever the network, and says what it must be", () => {
    for (const host of ["10.0.0.1", "[::1]", "[2001:db8::1]", "127.0.0.1"]) {
      assert.deepStrictEqual(said(`https://${host}:9000/`), ["url must have a host name, not an IP address"], host)
    }
    assert.deepStrictEqual(said("https://10.example.com/"), [])
    assert.deepStrictEqual(said("http://example.com/"), ["url must use https"])
    for (const url of ["http://example.com/", "ftp://localhost:9000/"]) {
      assert.deepStrictEqual(said(url, "sandbox", true), ["url must use https, or http on a loopback host"], url)
    }
    assert.deepStrictEqual(said("http://127.0.0.1:80/", "sandbox", true), [
      "url must name a port from 1024 on, on a loopback host"
    ])
    assert.deepStrictEqual(said("https://127.0.0.1:9000/", "sandbox", true), [])
  })
})
