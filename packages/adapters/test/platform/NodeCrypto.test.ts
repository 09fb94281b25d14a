import { assert, it } from "@effect/vitest"
import { Crypto, type MacPurpose } from "@outbound/domain/kernel/ports/Crypto.js"
import { Effect, Redacted } from "effect"
import { layer } from "../../src/platform/NodeCrypto.js"

const PURPOSES: ReadonlyArray<MacPurpose> = [
  "confirmation_token",
  "suppression",
  "person",
  "cursor",
  "session",
  "unsubscribe",
  "mcp",
  "content"
]

const under = (secret: string) => Effect.provide(Crypto, layer(Redacted.make(secret)))

it.effect("digests are SHA-256 of the UTF-8 text", () =>
  Effect.gen(function* () {
    const { sha256Hex } = yield* under("a secret")
    assert.strictEqual(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    assert.strictEqual(sha256Hex("ü"), "607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f")
  })
)

it.effect("each purpose has a key of its own, and each secret has other keys", () =>
  Effect.gen(function* () {
    const [one, same, other] = yield* Effect.all([under("a secret"), under("a secret"), under("another secret")])
    const macs = [one, other].flatMap(({ mac }) => PURPOSES.map((purpose) => mac(purpose, "ann@x.test")))
    assert.strictEqual(new Set(macs).size, 2 * PURPOSES.length)
    for (const mac of macs) assert.match(mac, /^[A-Za-z0-9_-]{43}$/)
    for (const purpose of PURPOSES) {
      assert.strictEqual(one.mac(purpose, "ann@x.test"), same.mac(purpose, "ann@x.test"))
      assert.notStrictEqual(one.mac(purpose, "ann@x.test"), one.mac(purpose, "bob@x.test"))
    }
  })
)

it.effect("the suppression key never changes, so suppressed people stay suppressed", () =>
  Effect.gen(function* () {
    const { mac } = yield* under("a secret of thirty-two characters")
    assert.strictEqual(mac("suppression", "ann@x.test"), "_CuxajyDCLZ7zerNdV7jGjoyrz1c7XXTYbhdnI7gWJo")
  })
)

it.effect("tokens hold 256 bits of chance", () =>
  Effect.gen(function* () {
    const { randomToken } = yield* under("a secret")
    const tokens = Array.from({ length: 1_000 }, randomToken)
    for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/)
    assert.strictEqual(new Set(tokens).size, tokens.length)
  })
)

it.effect("what is sealed opens under the same secret and for what it is bound to, and in no other way", () =>
  Effect.gen(function* () {
    const [one, same, other] = yield* Effect.all([under("a secret"), under("a secret"), under("another secret")])
    const sealed = one.seal("mailbox_secret", "pässword", "workspace\nmailbox")
    assert.match(sealed, /^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/)
    assert.notInclude(Buffer.from(sealed.split(".")[3] ?? "", "base64url").toString("latin1"), "ssword")
    assert.strictEqual(same.open("mailbox_secret", sealed, "workspace\nmailbox"), "pässword")
    assert.isNull(same.open("mailbox_secret", sealed, "workspace\nanother"))
    assert.isNull(other.open("mailbox_secret", sealed, "workspace\nmailbox"))
    assert.notStrictEqual(one.seal("mailbox_secret", "pässword", "workspace\nmailbox"), sealed)
  })
)

it.effect("a sealed text that was changed anywhere does not open", () =>
  Effect.gen(function* () {
    const { open, seal } = yield* under("a secret")
    const sealed = seal("mailbox_secret", "password", "row")
    const [version, iv, tag, data] = sealed.split(".")
    const changed = (part = "") => `${part.startsWith("A") ? "B" : "A"}${part.slice(1)}`
    for (const forged of [
      ["v2", iv, tag, data],
      [version, changed(iv), tag, data],
      [version, iv, changed(tag), data],
      [version, iv, tag, changed(data)],
      // A tag cut short would be easier to guess.
      [version, iv, tag?.slice(0, 6), data],
      [version, iv, tag],
      [version, iv, tag, data, ""]
    ]) {
      assert.isNull(open("mailbox_secret", forged.join("."), "row"))
    }
    assert.isNull(open("mailbox_secret", "", "row"))
    assert.strictEqual(open("mailbox_secret", seal("mailbox_secret", "", "row"), "row"), "")
  })
)
