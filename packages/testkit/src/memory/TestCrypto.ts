import { Crypto } from "@outbound/domain/ports/Crypto.js"
import { Layer } from "effect"
import { createHash, createHmac } from "node:crypto"

/** Real digests under a fixed secret, and tokens from a counter: every run gives the same. */
export const layer: Layer.Layer<Crypto> = Layer.sync(Crypto, () => {
  let tokens = 0
  const keyed = (purpose: string, text: string): string =>
    createHmac("sha256", `test secret of ${purpose}`).update(text, "utf8").digest("base64url")
  return {
    sha256Hex: (text) => createHash("sha256").update(text, "utf8").digest("hex"),
    mac: keyed,
    randomToken: () => keyed("random tokens", String((tokens += 1)))
  }
})
