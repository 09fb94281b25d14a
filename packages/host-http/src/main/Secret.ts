import { create } from "@outbound/adapters/postgres/embedded/AtomicFile.js"
import { assertSecretFingerprint } from "@outbound/adapters/postgres/SecretFingerprint.js"
import { Data, Effect, Option, Redacted } from "effect"
import { hkdfSync, randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type DatabaseConfig, SECRET_CHARS_MIN } from "../Config.js"

const SECRET_BYTES = 32
const FINGERPRINT_BYTES = 32

/** The secret in the data directory can't be used. */
export class SecretError extends Data.TaggedError("SecretError")<{ readonly message: string }> {}

const keptIn = (path: string): Redacted.Redacted => {
  if (!existsSync(path)) create(path, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`)
  chmodSync(path, 0o600)
  const secret = readFileSync(path, "utf8").trim()
  if (secret.length < SECRET_CHARS_MIN)
    throw new Error(`${path} contains no secret. Restore the secret of this database`)
  return Redacted.make(secret)
}

/** The configured secret, or the one in the data directory, created at the first start. */
export const secretOf = (config: DatabaseConfig): Effect.Effect<Redacted.Redacted, SecretError> =>
  Option.match(config.secret, {
    onNone: () =>
      Effect.try({
        try: () => {
          mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
          return keptIn(join(config.dataDir, "secret"))
        },
        catch: (cause) =>
          new SecretError({
            message: `The secret in ${config.dataDir} can't be used: ${cause instanceof Error ? cause.message : String(cause)}.`
          })
      }),
    onSome: Effect.succeed
  })

/** A digest of the secret that doesn't reveal it. */
export const fingerprintOf = (secret: Redacted.Redacted): string =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "outbound/fingerprint/v1", FINGERPRINT_BYTES)).toString(
    "hex"
  )

/** Fails if the database was first used with another secret. */
export const assertSecret = (secret: Redacted.Redacted) => assertSecretFingerprint(fingerprintOf(secret))
