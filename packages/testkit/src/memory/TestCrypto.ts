import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Layer } from "effect"
import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto"

/** Real digests and seals under a fixed secret, and tokens from a counter: every run gives the same. */
export const layer: Layer.Layer<Crypto> = Layer.sync(Crypto, () => {
  let tokens = 0
  const keyed = (purpose: string, text: string): string =>
    createHmac("sha256", `test secret of ${purpose}`).update(text, "utf8").digest("base64url")
  const bytesOf = (purpose: string, text: string): Buffer => Buffer.from(keyed(purpose, text), "base64url")
  return {
    seal: (purpose, text, boundTo) => {
      // The nonce is made of what is sealed, so that no two texts ever share one.
      const iv = bytesOf("nonces", JSON.stringify([purpose, boundTo, text])).subarray(0, 12)
      const cipher = createCipheriv("aes-256-gcm", bytesOf("seals", purpose), iv)
      cipher.setAAD(Buffer.from(boundTo))
      const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return `test.${Buffer.concat([iv, cipher.getAuthTag(), data]).toString("base64url")}`
    },
    open: (purpose, sealed, boundTo) => {
      const bytes = Buffer.from(sealed.replace(/^test\./, ""), "base64url")
      try {
        const decipher = createDecipheriv("aes-256-gcm", bytesOf("seals", purpose), bytes.subarray(0, 12))
        decipher.setAAD(Buffer.from(boundTo))
        decipher.setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8")
      } catch {
        return null
      }
    },
    sha256Hex: (text) => createHash("sha256").update(text, "utf8").digest("hex"),
    mac: keyed,
    randomToken: () => keyed("random tokens", String((tokens += 1)))
  }
})
