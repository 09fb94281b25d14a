import { Crypto, type MacPurpose, type SealPurpose } from "@outbound/domain/kernel/ports/Crypto.js"
import { Layer, Redacted } from "effect"
import { type CarriedKeys, type Keyring, keyringOf, macKeyOf } from "./Keyring.js"
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, randomFillSync } from "node:crypto"

const KEY_BYTES = 32
const TOKEN_BYTES = 32
const TOKENS_DRAWN = 128

const CIPHER = "aes-256-gcm"
const IV_BYTES = 12
const TAG_BYTES = 16

/** The version for sealing. Older values open while their keys are derived here too. */
const SEAL_VERSION = "v1"

const sealKeyOf = (secret: Redacted.Redacted, purpose: SealPurpose | "carried_keys"): Buffer =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", `outbound/seal/${purpose}/${SEAL_VERSION}`, KEY_BYTES))

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

/** Carried keys, as they are stored: only the secret opens them. */
export const sealCarried = (secret: Redacted.Redacted, keys: CarriedKeys): string =>
  sealUnder(sealKeyOf(secret, "carried_keys"), JSON.stringify(keys), "carried keys")

/** Null: they were sealed under another secret. */
export const openCarried = (secret: Redacted.Redacted, sealed: string): CarriedKeys | null => {
  const text = openUnder(sealKeyOf(secret, "carried_keys"), sealed, "carried keys")
  return text === null ? null : (JSON.parse(text) as CarriedKeys)
}

const SEAL_PURPOSES: ReadonlyArray<SealPurpose> = [
  "mailbox_secret",
  "webhook_secret",
  "own_key",
  "later",
  "chat_channel",
  "crm_key",
  "dns_zone",
  "postmaster_grant"
]

const sealKeysOf = (secret: Redacted.Redacted) =>
  Object.fromEntries(SEAL_PURPOSES.map((purpose) => [purpose, sealKeyOf(secret, purpose)])) as Readonly<
    Record<SealPurpose, Buffer>
  >

/** Derives all keys, and doesn't keep the secret. */
export const cryptoOf = (keyring: Keyring): Crypto["Service"] => {
  const key = (purpose: MacPurpose) => macKeyOf(keyring, purpose)
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
    refresh: key("refresh"),
    link_host: key("link_host")
  }
  const sealKeys = sealKeysOf(keyring.secret)
  const before = keyring.before === null ? null : sealKeysOf(keyring.before)
  return {
    sha256Hex: (text) => hash("sha256", text, "hex"),
    mac: (purpose, text) => createHmac("sha256", keys[purpose]).update(text, "utf8").digest("base64url"),
    seal: (purpose, text, boundTo) => sealUnder(sealKeys[purpose], text, boundTo),
    open: (purpose, sealed, boundTo) =>
      openUnder(sealKeys[purpose], sealed, boundTo) ??
      (before === null ? null : openUnder(before[purpose], sealed, boundTo)),
    randomToken: makeTokens()
  }
}

export const layer = (keys: Redacted.Redacted | Keyring): Layer.Layer<Crypto> =>
  Layer.sync(Crypto, () => cryptoOf(Redacted.isRedacted(keys) ? keyringOf(keys) : keys))
