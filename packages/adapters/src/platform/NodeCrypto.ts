import { Crypto, type MacPurpose, type SealPurpose } from "@outbound/domain/kernel/ports/Crypto.js"
import { Layer, Redacted } from "effect"
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, randomFillSync } from "node:crypto"

const KEY_BYTES = 32
const TOKEN_BYTES = 32
const TOKENS_DRAWN = 128

/**
 * The version of each purpose's key. Raising it changes all new values of the purpose. Never raise that of
 * `suppression`: it finds people who opted out, forever.
 */
const KEY_VERSIONS: Readonly<Record<MacPurpose, number>> = {
  confirmation_token: 1,
  offer_token: 1,
  suppression: 1,
  person: 1,
  request: 1,
  cursor: 1,
  session: 1,
  unsubscribe: 1,
  mcp: 1,
  content: 1,
  mail_mark: 1,
  refresh: 1
}

/** A purpose's key: HKDF-SHA-256 of the secret, without salt; purpose and version are the info string. */
const keyOf = (secret: string, purpose: MacPurpose): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `outbound/mac/${purpose}/v${KEY_VERSIONS[purpose]}`, KEY_BYTES))

const CIPHER = "aes-256-gcm"
const IV_BYTES = 12
const TAG_BYTES = 16

/** The version for sealing. Older values open while their keys are derived here too. */
const SEAL_VERSION = "v1"

const sealKeyOf = (secret: string, purpose: SealPurpose): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `outbound/seal/${purpose}/${SEAL_VERSION}`, KEY_BYTES))

/** `v1.<iv>.<tag>.<data>`, each base64url. The version is authenticated together with `boundTo`. */
const sealUnder = (key: Buffer, text: string, boundTo: string): string => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(`${SEAL_VERSION}\n${boundTo}`, "utf8"))
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return [SEAL_VERSION, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString("base64url"))].join(".")
}

const openUnder = (key: Buffer, sealed: string, boundTo: string): string | null => {
  const [version, ...parts] = sealed.split(".")
  const [iv, tag, data] = parts.map((part) => Buffer.from(part, "base64url"))
  if (version !== SEAL_VERSION || parts.length !== 3 || iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES)
    return null
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(`${SEAL_VERSION}\n${boundTo}`, "utf8"))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(data ?? Buffer.alloc(0)), decipher.final()]).toString("utf8")
  } catch {
    return null
  }
}

/** Random bytes are drawn for many tokens at once, since a draw takes longer than all else that a token needs. */
const makeTokens = (): (() => string) => {
  const drawn = Buffer.alloc(TOKENS_DRAWN * TOKEN_BYTES)
  let at = drawn.length
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn)
      at = 0
    }
    const token = drawn.toString("base64url", at, at + TOKEN_BYTES)
    drawn.fill(0, at, at + TOKEN_BYTES)
    at += TOKEN_BYTES
    return token
  }
}

/** Derives all keys from the server's one secret, and doesn't keep it. */
export const layer = (secret: Redacted.Redacted): Layer.Layer<Crypto> =>
  Layer.sync(Crypto, () => {
    const key = (purpose: MacPurpose) => keyOf(Redacted.value(secret), purpose)
    const keys: Readonly<Record<MacPurpose, Buffer>> = {
      confirmation_token: key("confirmation_token"),
      offer_token: key("offer_token"),
      suppression: key("suppression"),
      person: key("person"),
      request: key("request"),
      cursor: key("cursor"),
      session: key("session"),
      unsubscribe: key("unsubscribe"),
      mcp: key("mcp"),
      content: key("content"),
      mail_mark: key("mail_mark"),
      refresh: key("refresh")
    }
    const sealKeys: Readonly<Record<SealPurpose, Buffer>> = {
      mailbox_secret: sealKeyOf(Redacted.value(secret), "mailbox_secret"),
      webhook_secret: sealKeyOf(Redacted.value(secret), "webhook_secret"),
      own_key: sealKeyOf(Redacted.value(secret), "own_key"),
      later: sealKeyOf(Redacted.value(secret), "later"),
      chat_channel: sealKeyOf(Redacted.value(secret), "chat_channel"),
      crm_key: sealKeyOf(Redacted.value(secret), "crm_key"),
      dns_zone: sealKeyOf(Redacted.value(secret), "dns_zone")
    }
    return {
      sha256Hex: (text) => hash("sha256", text, "hex"),
      mac: (purpose, text) => createHmac("sha256", keys[purpose]).update(text, "utf8").digest("base64url"),
      seal: (purpose, text, boundTo) => sealUnder(sealKeys[purpose], text, boundTo),
      open: (purpose, sealed, boundTo) => openUnder(sealKeys[purpose], sealed, boundTo),
      randomToken: makeTokens()
    }
  })
