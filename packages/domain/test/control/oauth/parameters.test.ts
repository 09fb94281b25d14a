import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onlyFor, parameter, required } from "../../../src/control/oauth/parameters.js"
import {
  answerAt,
  destinationOf,
  isLoopback,
  isRegistered,
  isSameRedirect,
  isUsableRedirect
} from "../../../src/control/oauth/redirects.js"
import { askedScopes, GRANTABLE_SCOPES, scopesIn, scopeText } from "../../../src/control/oauth/scopes.js"
import { isGrantable, SCOPES } from "../../../src/verbs/Policy.js"

describe("where a code may be sent", () => {
  it("is HTTPS, the user's own machine, or a program's own scheme", () => {
    for (const uri of [
      "https://app.test/back",
      "https://app.test",
      "http://localhost",
      "http://127.0.0.1:8080/back?a=b",
      "http://[::1]:1/",
      "com.example.app:/back",
      "com.example.app:///back",
      "editor://back",
      `https://app.test/${"x".repeat(1_000 - "https://app.test/".length)}`
    ]) {
      assert.isTrue(isUsableRedirect(uri), uri)
    }
  })

  it("is no other address: what browsers or systems open themselves, a password, a fragment, or what can be read in two ways", () => {
    for (const uri of [
      "",
      "app",
      "http://app.test/back",
      "http://localhost.evil.test/",
      "http://127.0.0.1:123456/",
      "http://localhost@evil.test/",
      "https://user@app.test/",
      "https://:secret@app.test/",
      "https://app.test/#part",
      "https://app.test/a b",
      'https://app.test/"',
      "https://app.test/\\",
      "https://app.test/ü",
      "https://",
      "editor:back",
      "editor:////back",
      `https://app.test/${"x".repeat(1_001 - "https://app.test/".length)}`
    ]) {
      assert.isFalse(isUsableRedirect(uri), uri)
    }
    for (const scheme of "ldap javascript about urn market steam aaa h323 mtqp pop snmp xmpp xmlrpc.beep".split(" ")) {
      for (const uri of [`${scheme}:/back`, `${scheme}:///back`, `${scheme.toUpperCase()}:/back`]) {
        assert.isFalse(isUsableRedirect(uri), uri)
      }
    }
  })

  it("is shown as a host, as a program, or as their own machine", () => {
    assert.deepStrictEqual(destinationOf("https://app.test:8443/back"), { _tag: "Host", host: "app.test:8443" })
    assert.deepStrictEqual(destinationOf("Editor://back"), { _tag: "Program", scheme: "editor" })
    assert.deepStrictEqual(destinationOf("http://localhost:1/"), { _tag: "Loopback" })
    assert.isFalse(isLoopback("https://localhost/"))
  })

  it("is one that was registered, to the letter; only a port of the own machine may differ", () => {
    const registered = ["https://app.test/back", "https://root.test", "http://localhost:1/back", "editor://back"]
    for (const given of [...registered, "https://root.test/", "http://localhost:65535/back", "http://localhost/back"]) {
      assert.isTrue(isRegistered(registered, given), given)
    }
    for (const given of [
      "https://app.test/back/",
      "https://app.test/Back",
      "https://app.test:444/back",
      "https://root.test/?a=b",
      "http://127.0.0.1:1/back",
      "http://localhost:1/other",
      "http://localhost:1/back?a=b",
      "editor://other"
    ]) {
      assert.isFalse(isRegistered(registered, given), given)
    }
    // What is not usable is not, though it was registered once.
    assert.isFalse(isRegistered(["http://app.test/"], "http://app.test/"))
    assert.isFalse(isRegistered([], "https://app.test/back"))
    assert.isTrue(isSameRedirect("HTTPS://app.test", "HTTPS://app.test/"))
    assert.isTrue(isRegistered(["http://localhost"], "http://localhost:9/"))
  })

  it("has the answer's parameters beside its own, without those that are absent", () => {
    const all = { code: "a b", state: null, iss: "https://us.test" }
    assert.strictEqual(
      answerAt("https://app.test/back", all),
      "https://app.test/back?code=a+b&iss=https%3A%2F%2Fus.test"
    )
    assert.strictEqual(
      answerAt("https://app.test/?a=b", { code: "c", state: "s" }),
      "https://app.test/?a=b&code=c&state=s"
    )
  })
})

describe("the scopes that a client asks for", () => {
  const never = SCOPES.filter((scope) => !isGrantable(scope))

  it("are ours, however they are divided and written, in our order", () => {
    assert.deepStrictEqual(scopesIn("usage:read, DATA:READ\topenid;campaign:write"), [
      "data:read",
      "usage:read",
      "campaign:write"
    ])
    for (const none of [null, "", "openid offline_access", "data", "data:reader", "xdata:read"]) {
      assert.deepStrictEqual(scopesIn(none), [], String(none))
    }
  })

  it("are all that are ever granted where none of ours is named, and none where only others of ours are", () => {
    assert.isNotEmpty(never)
    assert.deepStrictEqual(askedScopes(null), GRANTABLE_SCOPES)
    assert.deepStrictEqual(askedScopes("openid"), GRANTABLE_SCOPES)
    assert.deepStrictEqual(askedScopes(`data:read ${never.join(" ")}`), ["data:read"])
    assert.isNull(askedScopes(never.join(" ")))
    assert.isFalse(GRANTABLE_SCOPES.some((scope) => never.includes(scope)))
    assert.strictEqual(scopeText(["data:read", ...never, "usage:read"]), "data:read usage:read")
  })
})

describe("a parameter", () => {
  const failure = <A>(effect: Effect.Effect<A, { readonly error: string }>) =>
    Effect.map(Effect.flip(effect), ({ error }) => error)

  it.effect("counts once, is missing where it is empty, and is refused where it comes twice", () =>
    Effect.gen(function* () {
      const given = new URLSearchParams("a=1&b=&c=1&c=1&e=&e=")
      assert.strictEqual(yield* parameter(given, "a"), "1")
      for (const name of ["b", "d"]) {
        assert.isNull(yield* parameter(given, name))
        assert.strictEqual(yield* failure(required(given, name)), "invalid_request")
      }
      for (const name of ["c", "e"]) assert.strictEqual(yield* failure(parameter(given, name)), "invalid_request")
      assert.strictEqual(yield* required(given, "a"), "1")
    })
  )

  it.effect("that names a resource means ours, however it is spelled, in each of its values", () =>
    Effect.gen(function* () {
      const of = (...values: ReadonlyArray<string>) =>
        onlyFor(new URLSearchParams(values.map((value): [string, string] => ["resource", value])), "https://us.test")
      const ours = ["https://us.test/mcp", "HTTPS://US.test:443/mcp//", "https://us.test", "https://us.test/", ""]
      for (const one of ours) yield* of(one)
      yield* of(...ours)
      yield* of()
      for (const other of ["https://us.test/other", "https://us.test.evil.test", "us", "http://us.test/mcp"]) {
        assert.strictEqual(yield* failure(of(other)), "invalid_target", other)
        assert.strictEqual(yield* failure(of("https://us.test", other)), "invalid_target", other)
      }
    })
  )
})
