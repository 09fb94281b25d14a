import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect } from "effect"

/** The host's OUTBOUND_SECRET is not the one that this database's tokens and hashes were made with. */
export class SecretMismatch extends Data.TaggedError("SecretMismatch")<{ readonly message: string }> {}

/**
 * Keeps the fingerprint of the secret at the first start, and refuses another secret from then on: tokens, suppression
 * hashes and encrypted credentials would silently mean nothing. `fingerprint` is a digest that does not reveal it.
 */
export const assertSecretFingerprint = (
  fingerprint: string
): Effect.Effect<void, SecretMismatch | SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO service_meta (secret_fingerprint) VALUES (${fingerprint}) ON CONFLICT DO NOTHING`
    const rows = yield* sql<{ readonly secret_fingerprint: string }>`SELECT secret_fingerprint FROM service_meta`
    if (rows[0]?.secret_fingerprint !== fingerprint) {
      return yield* new SecretMismatch({
        message: "OUTBOUND_SECRET is not the one that this database was first used with. Start with that one."
      })
    }
  })
