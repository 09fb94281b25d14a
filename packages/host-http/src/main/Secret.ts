import { create } from "@outbound/adapters/postgres/embedded/AtomicFile.js"
import { assertSecretFingerprint } from "@outbound/adapters/postgres/SecretFingerprint.js"
import { carriedFrom } from "@outbound/adapters/platform/Keyring.js"
import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import { openCarried } from "@outbound/adapters/platform/NodeCrypto.js"
import { Data, Effect, Layer, Option, Redacted } from "effect"
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

/** Fails if the database was first used with another secret, or needs two. */
export const assertSecret = (config: Pick<DatabaseConfig, "secretBefore">, secret: Redacted.Redacted) =>
  assertSecretFingerprint(fingerprintOf(secret), fingerprintOrNull(config))

const beforeOf = (config: Pick<DatabaseConfig, "secretBefore">): Redacted.Redacted | null =>
  Option.getOrNull(config.secretBefore ?? Option.none())

const fingerprintOrNull = (config: Pick<DatabaseConfig, "secretBefore">): string | null => {
  const before = beforeOf(config)
  return before === null ? null : fingerprintOf(before)
}

/** What a program's keys come from, once its secret fits the database. */
export const keyringFor = (config: Pick<DatabaseConfig, "secretBefore">, secret: Redacted.Redacted) =>
  Effect.gen(function* () {
    const { carriedKeys, next } = yield* assertSecret(config, secret)
    const before = beforeOf(config)
    // What is carried is sealed under the secret that the database has. While a rotation is under way that is the one before.
    const held = next === null || before === null ? secret : before
    const opened = carriedKeys === null ? null : openCarried(held, carriedKeys)
    if (carriedKeys !== null && opened === null) {
      return yield* new SecretError({ message: "The keys of the first secret can't be opened with OUTBOUND_SECRET." })
    }
    return { secret, before, carried: opened ?? (next === null || before === null ? null : carriedFrom(before)) }
  })

/** All keys, on a database that the secret fits. */
export const cryptoFor = (config: Pick<DatabaseConfig, "secretBefore">, secret: Redacted.Redacted) =>
  Layer.unwrap(Effect.map(keyringFor(config, secret), NodeCrypto.layer))

/** Both secrets of a rotation. */
export const rotationOf = (config: DatabaseConfig) =>
  Effect.gen(function* () {
    const before = beforeOf(config)
    if (before === null || Option.isNone(config.secret)) {
      return yield* new SecretError({
        message: "Set OUTBOUND_SECRET to the new secret and OUTBOUND_SECRET_BEFORE to the one that it replaces."
      })
    }
    const secret = config.secret.value
    const fingerprints = { secret: fingerprintOf(secret), before: fingerprintOf(before) }
    if (fingerprints.secret === fingerprints.before) {
      return yield* new SecretError({ message: "OUTBOUND_SECRET and OUTBOUND_SECRET_BEFORE are the same." })
    }
    return { secret, before, fingerprints }
  })
