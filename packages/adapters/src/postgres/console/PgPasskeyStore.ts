import { CHALLENGE_PURPOSES, PasskeyStore } from "@outbound/domain/control/users/PasskeyStore.js"
import { Effect, Schema } from "effect"
import { changes, Count, date, firstRow, hasRows, json, Millis, run, storable } from "../Columns.js"
import { columnsOf, readerOf, remove, storeLayer, texts, update, valuesOf } from "../Table.js"

/** Most expired challenges that one insert deletes. */
const FORGOTTEN_MAX = 20

const ChallengeRow = Schema.Struct({
  challengeHash: Schema.String,
  purpose: Schema.Literals(CHALLENGE_PURPOSES),
  boundTo: Schema.String,
  expiresAtMillis: Millis
})

const PasskeyRow = Schema.Struct({
  ...texts("passkeyId", "userId", "credentialId", "publicKey"),
  counter: Count,
  transports: Schema.Array(Schema.String),
  name: Schema.String,
  createdAtMillis: Millis,
  lastUsedAtMillis: Schema.NullOr(Millis)
})

export const layer = storeLayer(PasskeyStore, (sql) => {
  const { all, columns, one } = readerOf(sql, "passkeys", PasskeyRow, columnsOf(PasskeyRow, "passkeys"))
  return {
    insertChallenge: (challenge, nowMillis) =>
      Effect.andThen(
        sql`
          DELETE FROM passkey_challenges WHERE challenge_hash IN (
            SELECT challenge_hash FROM passkey_challenges WHERE expires_at <= ${date(nowMillis)}
            ORDER BY expires_at LIMIT ${FORGOTTEN_MAX} FOR UPDATE SKIP LOCKED
          )
        `.pipe(run("PasskeyStore.insertChallenge")),
        sql`INSERT INTO passkey_challenges ${sql.insert(valuesOf(ChallengeRow, challenge))}`.pipe(
          run("PasskeyStore.insertChallenge")
        )
      ),
    takeChallenge: (challengeHash, nowMillis) =>
      sql`
        DELETE FROM passkey_challenges WHERE challenge_hash = ${challengeHash} AND expires_at > ${date(nowMillis)}
        RETURNING challenge_hash AS "challengeHash", purpose, bound_to AS "boundTo", expires_at AS "expiresAtMillis"
      `.pipe(firstRow("PasskeyStore.takeChallenge", ChallengeRow)),
    insert: (passkey) =>
      sql`
        INSERT INTO passkeys ${sql.insert(
          valuesOf(PasskeyRow, passkey, { transports: json(passkey.transports), name: storable(passkey.name) })
        )}
        ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}
      `.pipe(hasRows("PasskeyStore.insert")),
    list: (userId) => all("PasskeyStore.list")(sql`user_id = ${userId} ORDER BY created_at, passkey_id`),
    lockByCredential: (credentialId) => one("PasskeyStore.lockByCredential")({ credentialId }, "FOR UPDATE"),
    used: ({ passkeyId, userId }, counter, nowMillis) =>
      update(sql, "passkeys", { userId, passkeyId }, { counter, lastUsedAtMillis: nowMillis }).pipe(
        changes("PasskeyStore.used")
      ),
    remove: (userId, passkeyId) => remove(sql, "passkeys", { userId, passkeyId }).pipe(hasRows("PasskeyStore.remove"))
  }
})
