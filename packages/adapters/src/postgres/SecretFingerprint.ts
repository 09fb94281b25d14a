import { Data, Effect } from "effect"
import { SqlClient, type SqlError } from "./Sql.js"

/** This database's tokens and hashes were made with another OUTBOUND_SECRET. */
export class SecretMismatch extends Data.TaggedError("SecretMismatch")<{ readonly message: string }> {}

/**
 * Stores the fingerprint of the secret at the first start and refuses any other secret afterwards: tokens, suppression
 * hashes and encrypted credentials would silently become meaningless. `fingerprint` is a digest that doesn't reveal the
 * secret.
 */
export const assertSecretFingerprint = (
  fingerprint: string
): Effect.Effect<void, SecretMismatch | SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`INSERT INTO service_meta (secret_fingerprint) VALUES (${fingerprint}) ON CONFLICT DO NOTHING`
    const rows = yield* sql<{ readonly secret_fingerprint: string }>`SELECT secret_fingerprint FROM service_meta`
    if (rows[0]?.secret_fingerprint !== fingerprint) {
      return yield* new SecretMismatch({
        message: "OUTBOUND_SECRET is not the one that this database was first used with. Start with that one."
      })
    }
  })
