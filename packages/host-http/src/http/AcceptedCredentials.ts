import { hash } from "node:crypto"

/** Most credentials that are remembered. The oldest is forgotten first. */
const CREDENTIALS_MAX = 10_000

/** Credentials that this host has accepted, as hashes. Their users may go on though a flood comes from the same address. */
export class AcceptedCredentials {
  readonly #hashes = new Set<string>()

  add(authorization: string): void {
    const hash = hashOf(authorization)
    this.#hashes.delete(hash)
    const [oldest] = this.#hashes
    if (this.#hashes.size >= CREDENTIALS_MAX && oldest !== undefined) this.#hashes.delete(oldest)
    this.#hashes.add(hash)
  }

  has(authorization: string): boolean {
    return this.#hashes.has(hashOf(authorization))
  }
}

const hashOf = (authorization: string): string => hash("sha256", authorization, "base64")
