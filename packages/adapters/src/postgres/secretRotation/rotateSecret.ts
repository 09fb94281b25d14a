import { LEASE_MILLIS, OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import type { Crypto, SealPurpose } from "@outbound/domain/kernel/ports/Crypto.js"
import type { Effect, Redacted } from "effect"
import type pg from "pg"
import { carriedFrom, keyringOf } from "../../platform/Keyring.js"
import { cryptoOf, openCarried, sealCarried } from "../../platform/NodeCrypto.js"
import { BackupError } from "../backup/Manifest.js"
import { withConnection } from "../backup/Connection.js"
import { type Fingerprints, mismatch, SECRET_COLUMNS, type SecretState, standingOf } from "../SecretFingerprint.js"
import { SEALED } from "./sealedColumns.js"
import { inOneTransaction } from "../inOneTransaction.js"

/** Both secrets of a rotation. */
export interface Rotation {
  readonly secret: Redacted.Redacted
  readonly before: Redacted.Redacted
  readonly fingerprints: Fingerprints
}

/** How many values were sealed anew, and how many neither secret opens. */
export interface Resealed {
  readonly purpose: SealPurpose
  readonly table: string
  readonly resealed: number
  readonly unreadable: number
}

const ROWS_AT_ONCE = 200

const HOSTS_UP = `
  SELECT (SELECT count(*) FROM hosts WHERE incarnation <> '${OPERATIONS_HOST}'
      AND heartbeat_at >= clock_timestamp() - interval '${LEASE_MILLIS} ms')
    + (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'outbound') AS up`

const lockedState = async (client: pg.Client): Promise<SecretState> => {
  const { rows } = await client.query<SecretState>(`SELECT ${SECRET_COLUMNS} FROM service_meta FOR UPDATE`)
  const [state] = rows
  if (state === undefined) {
    throw new BackupError({ message: "This database was never used. Start the service with the new secret." })
  }
  return state
}

/** From here on no program starts with one of the two alone. True: the database had moved before. */
const begin = (client: pg.Client, { fingerprints }: Rotation): Promise<boolean> =>
  inOneTransaction(client, async () => {
    const state = await lockedState(client)
    if (state.fingerprint === fingerprints.secret && state.next === null) return true
    const standing = standingOf(fingerprints, state)
    if (standing === "rotating") return false
    if (standing !== "not begun") throw new BackupError({ message: mismatch("another").message })
    const { rows } = await client.query<{ readonly up: bigint }>(HOSTS_UP)
    if (Number(rows[0]?.up ?? 0) > 0) {
      throw new BackupError({
        message:
          "A service runs on this database with the secret before. Stop it everywhere, then run this again. If it has just died, wait a minute."
      })
    }
    await client.query("UPDATE service_meta SET next_fingerprint = $1", [fingerprints.secret])
    return false
  })

type Sealing = Pick<Crypto["Service"], "open" | "seal">

/** A value under the new secret. Null: it is already; undefined: neither secret opens it. */
const sealedAnew = (
  purpose: SealPurpose,
  sealed: string,
  bounds: ReadonlyArray<string>,
  after: Sealing,
  before: Sealing
): string | null | undefined => {
  if (bounds.some((bound) => after.open(purpose, sealed, bound) !== null)) return null
  for (const bound of bounds) {
    const text = before.open(purpose, sealed, bound)
    if (text !== null) return after.seal(purpose, text, bound)
  }
  return undefined
}

type Row = Readonly<Record<string, string | null>>

/** Seals a purpose's values anew, some rows at a time. Each is replaced only if nobody changed it meanwhile. */
const reseal = async (client: pg.Client, purpose: SealPurpose, after: Sealing, before: Sealing): Promise<Resealed> => {
  const { boundTo, columns, key, table } = SEALED[purpose]
  const name = client.escapeIdentifier(table)
  const isRow = key.map((column, index) => `${client.escapeIdentifier(column)} = $${index + 3}`).join(" AND ")
  const done = { purpose, table, resealed: 0, unreadable: 0 }
  const each = async (row: Row): Promise<void> => {
    for (const column of columns) {
      const sealed = row[column]
      if (sealed === null || sealed === undefined) continue
      const anew = sealedAnew(
        purpose,
        sealed,
        boundTo.map((bound) => bound(row)),
        after,
        before
      )
      if (anew === undefined) done.unreadable += 1
      if (anew === undefined || anew === null) continue
      const at = client.escapeIdentifier(column)
      const values = [anew, sealed, ...key.map((one) => row[one])]
      const { rowCount } = await client.query(`UPDATE ${name} SET ${at} = $1 WHERE ${at} = $2 AND ${isRow}`, values)
      done.resealed += rowCount ?? 0
    }
  }
  await client.query(`DECLARE sealed_values CURSOR WITH HOLD FOR SELECT to_jsonb(t) AS row FROM ${name} t`)
  for (;;) {
    const { rows } = await client.query<{ readonly row: Row }>(`FETCH ${ROWS_AT_ONCE} FROM sealed_values`)
    if (rows.length === 0) break
    for (const { row } of rows) await each(row)
  }
  await client.query("CLOSE sealed_values")
  return done
}

const resealAll = async (client: pg.Client, rotation: Rotation): Promise<ReadonlyArray<Resealed>> => {
  const [after, before] = [cryptoOf(keyringOf(rotation.secret)), cryptoOf(keyringOf(rotation.before))]
  const done: Array<Resealed> = []
  for (const purpose of Object.keys(SEALED) as ReadonlyArray<SealPurpose>) {
    done.push(await reseal(client, purpose, after, before))
  }
  return done
}

/** What was sealed under the secret before meanwhile is found here, under the lock. Then that secret opens nothing more. */
const finish = (client: pg.Client, rotation: Rotation): Promise<ReadonlyArray<Resealed>> =>
  inOneTransaction(client, async () => {
    const state = await lockedState(client)
    const late = await resealAll(client, rotation)
    if (state.fingerprint === rotation.fingerprints.secret) return late
    const carried =
      state.carriedKeys === null ? carriedFrom(rotation.before) : openCarried(rotation.before, state.carriedKeys)
    if (carried === null) {
      throw new BackupError({ message: "The keys of the first secret can't be opened with the secret before." })
    }
    await client.query(
      `UPDATE service_meta SET secret_fingerprint = $1, next_fingerprint = NULL, carried_keys = $2,
         carried_fingerprint = coalesce(carried_fingerprint, secret_fingerprint)`,
      [rotation.fingerprints.secret, sealCarried(rotation.secret, carried)]
    )
    return late
  })

const together = (first: ReadonlyArray<Resealed>, late: ReadonlyArray<Resealed>): ReadonlyArray<Resealed> =>
  first.map((one, index) => ({
    ...one,
    resealed: one.resealed + (late[index]?.resealed ?? 0),
    unreadable: late[index]?.unreadable ?? one.unreadable
  }))

/**
 * Moves a database to another secret. What is sealed is sealed anew; the keys of what can't be made again (hashes of
 * people, links in mail) are kept, sealed under the new secret. It may die anywhere: run it again.
 */
export const rotateSecret = (
  url: Redacted.Redacted,
  rotation: Rotation
): Effect.Effect<{ readonly wasFinished: boolean; readonly resealed: ReadonlyArray<Resealed> }, BackupError> =>
  withConnection(url, async (client) => {
    const wasFinished = await begin(client, rotation)
    const first = await resealAll(client, rotation)
    const late = await finish(client, rotation)
    return { wasFinished, resealed: together(first, late) }
  })
