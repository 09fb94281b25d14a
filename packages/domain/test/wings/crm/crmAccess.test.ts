import { assert, describe, it } from "@effect/vitest"
import { accessIssues, type CrmAsks } from "../../../src/wings/crm/CrmAccess.js"

const ANY: CrmAsks = { address: { example: "https://crm.example.com" } }
const SECRET = "a-key-of-the-crm"

const PUBLIC = { isAtHome: false, isListed: () => false }

const issuesOf = (address: string, isAtHome: boolean, listed: ReadonlyArray<string> = []) =>
  accessIssues({ address, clientId: "", secret: SECRET }, ANY, {
    isAtHome,
    isListed: (hostname) => listed.includes(hostname)
  })

const isTaken = (...given: Parameters<typeof issuesOf>) => issuesOf(...given).length === 0

describe("the address of a CRM", () => {
  it("has a public name, and uses TLS", () => {
    for (const address of ["https://crm.example.com", "https://crm.example.com:8443/", " https://CRM.example.com "]) {
      assert.isTrue(isTaken(address, false), address)
    }
    for (const address of [
      "https://127.0.0.1",
      "https://2130706433",
      "https://0x7f.1",
      "https://[::1]",
      "https://[fd00::1]:3000",
      "https://169.254.169.254",
      "https://localhost",
      "http://localhost:3000",
      "https://crm",
      "http://crm.example.com",
      "ftp://crm.example.com",
      "javascript:alert(1)",
      `https://${"a".repeat(300)}.test`
    ]) {
      assert.isFalse(isTaken(address, false), address)
    }
  })

  it("may be on this machine where its user runs the service, at a port of a program of theirs", () => {
    for (const address of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"]) {
      assert.isTrue(isTaken(address, true), address)
      assert.isFalse(isTaken(address, false), address)
    }
    for (const address of ["http://localhost", "http://localhost:22", "https://localhost", "http://10.0.0.7:3000"]) {
      assert.isFalse(isTaken(address, true), address)
    }
  })

  it("may be on a private network where the operator lists its host, and otherwise the refusal says what lists it", () => {
    for (const address of [
      "http://twenty:3000",
      "https://crm",
      "http://10.0.0.7",
      "http://crm.example.com",
      "http://localhost:3000"
    ]) {
      const host = new URL(address).hostname
      assert.isTrue(isTaken(address, false, [host]), address)
      const [refused] = issuesOf(address, false, ["another"])
      assert.match(refused?.message ?? "", /unless the operator of this service lists the host in OUTBOUND_CRM_HOSTS$/)
    }
    assert.isFalse(isTaken("http://localhost:22", false, ["localhost"]))
    assert.isFalse(isTaken("ftp://twenty", false, ["twenty"]))
  })

  it("is not asked for where all accounts have one", () => {
    assert.deepStrictEqual(accessIssues({ address: "", clientId: "", secret: SECRET }, undefined, PUBLIC), [])
  })
})
