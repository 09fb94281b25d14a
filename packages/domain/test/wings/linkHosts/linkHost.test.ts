import { assert, describe, it } from "@effect/vitest"
import { isFinal } from "@outbound/domain/kernel/machine.js"
import {
  afterCheck,
  baseOn,
  chosenHost,
  type LinkHost,
  pauseAfter,
  readLinkHost,
  yields
} from "@outbound/domain/wings/linkHosts/LinkHost.js"
import { LinkHostMachine } from "@outbound/domain/wings/linkHosts/LinkHostMachine.js"
import { answerOf, answerTo, nonceIn } from "@outbound/domain/wings/linkHosts/proof.js"

const host = (given: Partial<LinkHost> = {}): LinkHost => ({
  workspaceId: "w",
  host: "links.acme.test",
  domain: null,
  state: "used",
  trouble: null,
  failures: 0,
  addedBy: "jo@acme.test",
  addedAtMillis: 0,
  provenAtMillis: 0,
  answeredAtMillis: 0,
  checkedAtMillis: 0,
  nextCheckAtMillis: 0,
  listed: [],
  listsAskedAtMillis: null,
  ...given
})

describe("a link host", () => {
  it("is read as typed, and whatever would be lost of it is refused", () => {
    for (const [typed, read] of [
      ["links.acme.test", "links.acme.test"],
      [" https://Links.Acme.test/ ", "links.acme.test"],
      ["links.acme.test.", "links.acme.test"],
      ["links.bücher.example", "links.xn--bcher-kva.example"],
      ["https://jo@links.acme.test", null],
      ["https://links.acme.test/u", null],
      ["links.acme.test:8443", null],
      ["[::1]", null],
      ["localhost", null],
      ["com", null],
      ["10.0.0.1", null],
      [`${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.test`, null]
    ] as const) {
      assert.strictEqual(readLinkHost(typed), read, typed)
    }
  })

  it("is on the service's own address with its port and its way in", () => {
    assert.strictEqual(baseOn("https://outbound.test", "links.acme.test"), "https://links.acme.test")
    assert.strictEqual(baseOn("http://127.0.0.1:3000", "links.acme.test"), "http://links.acme.test:3000")
  })

  it("is chosen among those in use: of the domain's own, then of all, the newest", () => {
    const hosts = [
      host({ host: "old.test" }),
      host({ host: "new.test", addedAtMillis: 5 }),
      host({ host: "own.test", domain: "acme.test" }),
      host({ host: "broken.test", domain: "acme.test", state: "failing", addedAtMillis: 9 })
    ]
    assert.strictEqual(chosenHost(hosts, "acme.test"), "own.test")
    assert.strictEqual(chosenHost(hosts, "other.test"), "new.test")
    assert.strictEqual(chosenHost(hosts, null), "new.test")
    assert.isNull(chosenHost(hosts.slice(2), null))
    for (const state of LinkHostMachine.states) {
      assert.strictEqual(chosenHost([host({ state })], null) !== null, state === "used", state)
    }
  })

  it("is looked at again soon after trouble, and never later than after six hours", () => {
    assert.strictEqual(pauseAfter({ failures: 0 }), 3_600_000)
    assert.strictEqual(pauseAfter({ failures: 1 }), 60_000)
    for (const failures of [100, 1e6]) assert.strictEqual(pauseAfter({ failures }), 6 * 3_600_000)
  })

  it("stays in use after one look that failed, and not after two", () => {
    const once = afterCheck(host(), "unreachable", 1)
    assert.strictEqual(once.state, "used")
    assert.strictEqual(afterCheck(once, "unreachable", 2).state, "failing")
    assert.deepInclude(afterCheck(once, null, 2), { state: "used", failures: 0, trouble: null, answeredAtMillis: 2 })
    for (const state of ["waiting", "proven"] as const) {
      assert.strictEqual(afterCheck(host({ state, failures: 9 }), "no_proof", 1).state, state)
    }
  })

  it("yields its name only without a proof, and not while it is used", () => {
    assert.isTrue(yields(host({ state: "failing", trouble: "no_proof" })))
    assert.isFalse(yields(host({ state: "failing", trouble: "unreachable" })))
    assert.isFalse(yields(host({ state: "used", trouble: "no_proof" })))
  })

  it("comes back from every state, and nothing is final", () => {
    for (const state of LinkHostMachine.states) assert.isFalse(isFinal(LinkHostMachine, state), state)
  })
})

describe("the answer to a check", () => {
  const crypto = { mac: (purpose: string, text: string) => Buffer.from(`${purpose} ${text}`).toString("base64url") }
  const nonce = "n".repeat(43)

  it("is of this service under that name, of it under another, or of anybody", () => {
    const answer = answerTo(crypto, "links.acme.test", nonce)
    assert.strictEqual(answerOf(crypto, "links.acme.test", nonce, answer), "ours")
    assert.strictEqual(answerOf(crypto, "other.test", nonce, answer), "renamed")
    assert.strictEqual(answerOf(crypto, "links.acme.test", "m".repeat(43), answer), "other")
    for (const body of ["", "links.acme.test", "links.acme.test\n", "links.acme.test\nguessed", "\n"]) {
      assert.strictEqual(answerOf(crypto, "links.acme.test", nonce, body), "other", body)
    }
  })

  it("is only to a path of a check", () => {
    assert.strictEqual(nonceIn(`/u/check/${nonce}`), nonce)
    for (const path of [
      "/u/check/",
      `/u/check/${nonce}x`,
      `/u/check/${nonce}/why`,
      "/console",
      `/u/check/${"%".repeat(43)}`
    ]) {
      assert.isNull(nonceIn(path), path)
    }
  })
})
