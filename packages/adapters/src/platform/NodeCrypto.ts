import { Crypto, type MacPurpose } from "@outbound/domain/ports/Crypto.js"
import { Layer, Redacted } from "effect"
import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto"

const KEY_BYTES = 32
const TOKEN_BYTES = 32

/**
 * The version of each purpose's key. A higher one makes new values of that purpose differ from the old. The key of
 * `suppression` never gets another version: whoever said no is found by it for ever.
 */
const KEY_VERSIONS: Readonly<Record<MacPurpose, number>> = {
  confirmation_token: 1,
  suppression: 1,
  person: 1,
  cursor: 1,
  session: 1,
  unsubscribe: 1,
  mcp: 1
}

/** A purpose's key: HKDF-SHA-256 of the secret, without salt, bound to purpose and version by its info string. */
const keyOf = (secret: string, purpose: MacPurpose): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `outbound/mac/${purpose}/v${KEY_VERSIONS[purpose]}`, KEY_BYTES))

/** Everything that is derived comes from the server's one secret, which is not kept beyond the making of the keys. */
export const layer = (secret: Redacted.Redacted): Layer.Layer<Crypto> =>
  Layer.sync(Crypto, () => {
    const key = (purpose: MacPurpose) => keyOf(Redacted.value(secret), purpose)
    const keys: Readonly<Record<MacPurpose, Buffer>> = {
      confirmation_token: key("confirmation_token"),
      suppression: key("suppression"),
      person: key("person"),
      cursor: key("cursor"),
      session: key("session"),
      unsubscribe: key("unsubscribe"),
      mcp: key("mcp")
    }
    return {
      sha256Hex: (text) => createHash("sha256").update(text, "utf8").digest("hex"),
      mac: (purpose, text) => createHmac("sha256", keys[purpose]).update(text, "utf8").digest("base64url"),
      randomToken: () => randomBytes(TOKEN_BYTES).toString("base64url")
    }
  })
