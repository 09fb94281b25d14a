import { SqlClient } from "@effect/sql"
import { CHALLENGE_PURPOSES, PasskeyStore } from "@outbound/domain/control/users/PasskeyStore.js"
import { Effect, Layer, Schema } from "effect"
import { changes, date, dateOrNull, firstRow, json, Millis, rows, run, storable } from "../Columns.js"

/** Most expired challenges that one insert deletes. */
const FORGOTTEN_MAX = 20

const ChallengeRow = Schema.Struct({
  challengeHash: Schema.String,
  purpose: Schema.Literal(...CHALLENGE_PURPOSES),
  boundTo: Schema.String,
  expiresAtMillis: Millis
})

const Count = Schema.transform(Schema.BigIntFromSelf, Schema.Number, {
  strict: true,
  decode: Number,
  encode: BigInt
})

const PasskeyRow = Schema.Struct({
  passkeyId: Schema.String,
  userId: Schema.String,
  credentialId: Schema.String,
  publicKey: Schema.String,
  counter: Count,
  transports: Schema.Array(Schema.String),
  name: Schema.String,
  createdAtMillis: Millis,
  lastUsedAtMillis: Schema.NullOr(Millis)
})

const COLUMNS = `
  passkey_id AS "passkeyId", user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey", counter,
  transports, name, created_at AS "createdAtMillis", last_used_at AS "lastUsedAtMillis"
`

export const layer = Layer.effect(
  PasskeyStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(COLUMNS)
    return PasskeyStore.of({
      insertChallenge: (challenge, nowMillis) =>
        Effect.zipRight(
          sql`
            DELETE FROM passkey_challenges WHERE challenge_hash IN (
              SELECT challenge_hash FROM passkey_challenges WHERE expires_at <= ${date(nowMillis)}
              ORDER BY expires_at LIMIT ${FORGOTTEN_MAX} FOR UPDATE SKIP LOCKED
            )
          `.pipe(run("PasskeyStore.insertChallenge")),
          sql`INSERT INTO passkey_challenges ${sql.insert({
            challenge_hash: challenge.challengeHash,
            purpose: challenge.purpose,
            bound_to: challenge.boundTo,
            expires_at: date(challenge.expiresAtMillis)
          })}`.pipe(run("PasskeyStore.insertChallenge"))
        ),
      takeChallenge: (challengeHash, nowMillis) =>
        sql`
          DELETE FROM passkey_challenges WHERE challenge_hash = ${challengeHash} AND expires_at > ${date(nowMillis)}
          RETURNING challenge_hash AS "challengeHash", purpose, bound_to AS "boundTo", expires_at AS "expiresAtMillis"
        `.pipe(firstRow("PasskeyStore.takeChallenge", ChallengeRow)),
      insert: (passkey) =>
        sql`
          INSERT INTO passkeys (
            user_id, passkey_id, credential_id, public_key, counter, transports, name, created_at, last_used_at
          ) VALUES (
            ${passkey.userId}, ${passkey.passkeyId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
            ${json(passkey.transports)}, ${storable(passkey.name)}, ${date(passkey.createdAtMillis)},
            ${dateOrNull(passkey.lastUsedAtMillis)}
          )
          ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}
        `.pipe(
          rows("PasskeyStore.insert", PasskeyRow),
          Effect.map((inserted) => inserted.length === 1)
        ),
      list: (userId) =>
        sql`SELECT ${columns} FROM passkeys WHERE user_id = ${userId} ORDER BY created_at, passkey_id`.pipe(
          rows("PasskeyStore.list", PasskeyRow)
        ),
      lockByCredential: (credentialId) =>
        sql`SELECT ${columns} FROM passkeys WHERE credential_id = ${credentialId} FOR UPDATE`.pipe(
          firstRow("PasskeyStore.lockByCredential", PasskeyRow)
        ),
      used: ({ passkeyId, userId }, counter, nowMillis) =>
        sql`
          UPDATE passkeys SET counter = ${counter}, last_used_at = ${date(nowMillis)}
          WHERE user_id = ${userId} AND passkey_id = ${passkeyId} RETURNING passkey_id
        `.pipe(changes("PasskeyStore.used")),
      remove: (userId, passkeyId) =>
        sql`
          DELETE FROM passkeys WHERE user_id = ${userId} AND passkey_id = ${passkeyId} RETURNING ${columns}
        `.pipe(
          rows("PasskeyStore.remove", PasskeyRow),
          Effect.map((removed) => removed.length === 1)
        )
    })
  })
)
