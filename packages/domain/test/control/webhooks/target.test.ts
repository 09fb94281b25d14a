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
})
