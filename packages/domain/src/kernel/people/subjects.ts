import { addressHashInput } from "./EmailAddress.js"
import type { Crypto } from "../ports/Crypto.js"
import { addressesIn } from "./addresses.js"

/** The subject of a value that names more than `SUBJECTS_MAX` people: every erasure reads it. */
export const EVERYBODY = "*"
export const SUBJECTS_MAX = 2_000

/** No result nests this deep. */
const DEPTH_MAX = 32

type Hashing = Pick<Crypto["Service"], "mac">

/** The keyed hash that identifies a person in a workspace, even after their address is erased. */
export const addressHashOf = (crypto: Hashing, workspaceId: string, email: string): string =>
  crypto.mac("suppression", addressHashInput(workspaceId, email))

/** The keyed hash of a contact's fingerprint, for contacts whose address is still masked. */
export const fingerprintHashOf = (crypto: Hashing, workspaceId: string, fingerprint: string): string =>
  crypto.mac("person", `${workspaceId}\nfingerprint\n${fingerprint}`)

/** The addresses and contact fingerprints in a value. */
export interface Named {
  readonly emails: Set<string>
  readonly fingerprints: Set<string>
}

export const isContact = (value: object): value is { readonly fingerprint: string; readonly work_email: unknown } =>
  "fingerprint" in value && typeof value.fingerprint === "string" && "work_email" in value

const collect = (value: unknown, named: Named, depth: number): void => {
  if (typeof value === "string") {
    if (value.includes("@")) for (const email of addressesIn(value)) named.emails.add(email)
  } else if (typeof value === "object" && value !== null && depth < DEPTH_MAX) {
    if (isContact(value)) named.fingerprints.add(value.fingerprint)
    for (const member of Object.values(value)) collect(member, named, depth + 1)
  }
}

export const namedIn = (...values: ReadonlyArray<unknown>): Named => {
  const named: Named = { emails: new Set(), fingerprints: new Set() }
  for (const value of values) collect(value, named, 0)
  return named
}

/** The keyed hashes by which erasure finds a stored value. They cover every person the value names. */
export const subjectsOf = (
  crypto: Hashing,
  workspaceId: string,
  values: ReadonlyArray<unknown>
): ReadonlyArray<string> => {
  const { emails, fingerprints } = namedIn(...values)
  if (emails.size + fingerprints.size > SUBJECTS_MAX) return [EVERYBODY]
  return [
    ...Array.from(emails, (email) => addressHashOf(crypto, workspaceId, email)),
    ...Array.from(fingerprints, (fingerprint) => fingerprintHashOf(crypto, workspaceId, fingerprint))
  ]
}
