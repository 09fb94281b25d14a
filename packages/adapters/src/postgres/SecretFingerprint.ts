import { Data, Effect } from "effect"
import { SqlClient, type SqlError } from "./Sql.js"

/** This database's tokens and hashes were made with another OUTBOUND_SECRET. */
export class SecretMismatch extends Data.TaggedError("SecretMismatch")<{ readonly message: string }> {}

/** Digests of secrets that don't reveal them. */
export interface Fingerprints {
  readonly secret: string
  /** Of the secret before it, if there is one. */
  readonly before: string | null
}

/** What the database says of its secret. */
export interface SecretState {
  readonly fingerprint: string
  /** Of the secret that a rotation has begun to move to. */
  readonly next: string | null
  /** Keys of the first secret, sealed under the secret of `fingerprint`. Null: no secret was ever rotated. */
  readonly carriedKeys: string | null
  /** Of the secret that they came from. */
  readonly carriedFingerprint: string | null
}

/** What a program's secrets are to a database. */
export type SecretStanding = "fits" | "rotating" | "not begun" | "both needed" | "another"

/** Pure: which secrets a program needs (record 0133). */
export const standingOf = ({ before, secret }: Fingerprints, { fingerprint, next }: SecretState): SecretStanding => {
  if (secret === fingerprint) return next === null ? "fits" : "both needed"
  if (before !== fingerprint) return "another"
  return next === null ? "not begun" : next === secret ? "rotating" : "another"
}

const MESSAGES: Readonly<Record<Exclude<SecretStanding, "fits" | "rotating">, string>> = {
  "not begun":
    "OUTBOUND_SECRET is not yet the one of this database. Stop the service everywhere, and run: outbound secret rotate",
  "both needed":
    "A rotation to another secret has begun. Set OUTBOUND_SECRET to the new one and OUTBOUND_SECRET_BEFORE to this one.",
  another: "OUTBOUND_SECRET is not the one that this database was first used with. Start with that one."
}

export const mismatch = (standing: keyof typeof MESSAGES): SecretMismatch =>
  new SecretMismatch({ message: MESSAGES[standing] })

export const SECRET_COLUMNS = `secret_fingerprint AS fingerprint, next_fingerprint AS next,
  carried_keys AS "carriedKeys", carried_fingerprint AS "carriedFingerprint"`

/**
 * Stores the fingerprint of the secret at the first start and refuses any other secret afterwards: tokens, suppression
 * hashes and encrypted credentials would silently become meaningless. While a rotation is under way it takes both.
 */
export const assertSecretFingerprint = (
  secret: string,
  before: string | null = null
): Effect.Effect<SecretState, SecretMismatch | SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`INSERT INTO service_meta (secret_fingerprint) VALUES (${secret}) ON CONFLICT DO NOTHING`
    const [state] = yield* sql<SecretState>`SELECT ${sql.literal(SECRET_COLUMNS)} FROM service_meta`
    if (state === undefined) return yield* mismatch("another")
    const standing = standingOf({ secret, before }, state)
    if (standing !== "fits" && standing !== "rotating") return yield* mismatch(standing)
    return state
  })
