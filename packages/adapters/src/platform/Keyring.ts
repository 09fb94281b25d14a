import type { MacPurpose } from "@outbound/domain/kernel/ports/Crypto.js"
import { Redacted } from "effect"
import { hkdfSync } from "node:crypto"

const KEY_BYTES = 32

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
  refresh: 1,
  link_host: 1
}

/**
 * Purposes whose values are stored or printed for good: hashes of people (also of who signed up), links in mail, marks of
 * messages, proofs of link hosts, digests of what was approved. Their keys outlive the secret that they came from. Values of the other purposes live for
 * minutes, and are made anew.
 */
const CARRIED: ReadonlyArray<MacPurpose> = [
  "confirmation_token",
  "offer_token",
  "suppression",
  "person",
  "request",
  "session",
  "unsubscribe",
  "content",
  "mail_mark",
  "link_host"
]

/** Keys that came from an earlier secret, by purpose and version. */
export type CarriedKeys = Readonly<Record<string, string>>

const nameOf = (purpose: MacPurpose): string => `${purpose}/v${KEY_VERSIONS[purpose]}`

/** A purpose's key: HKDF-SHA-256 of the secret, without salt; purpose and version are the info string. */
const derived = (secret: Redacted.Redacted, purpose: MacPurpose): Buffer =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", `outbound/mac/${nameOf(purpose)}`, KEY_BYTES))

/** What the keys of a program come from. */
export interface Keyring {
  /** Seals everything from now on. */
  readonly secret: Redacted.Redacted
  /** Also opens what it sealed, while a rotation is under way. */
  readonly before: Redacted.Redacted | null
  /** Null: every key comes from `secret`. */
  readonly carried: CarriedKeys | null
}

export const keyringOf = (secret: Redacted.Redacted): Keyring => ({ secret, before: null, carried: null })

/** The keys that outlive a secret. */
export const carriedFrom = (secret: Redacted.Redacted): CarriedKeys =>
  Object.fromEntries(CARRIED.map((purpose) => [nameOf(purpose), derived(secret, purpose).toString("base64url")]))

/** The key of a purpose: the carried one, if there is one. */
export const macKeyOf = ({ carried, secret }: Keyring, purpose: MacPurpose): Buffer => {
  const kept = carried?.[nameOf(purpose)]
  return kept === undefined ? derived(secret, purpose) : Buffer.from(kept, "base64url")
}
