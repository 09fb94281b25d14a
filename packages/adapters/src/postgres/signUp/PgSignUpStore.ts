import { type SignUpSubject, SignUpStore } from "@outbound/domain/control/signUp/SignUpStore.js"
import { Effect, Schema } from "effect"
import { Count, date, firstRow, rows, run } from "../Columns.js"
import { columnsOf, insert, storeLayer, texts, textsOrNull, times, valuesOf } from "../Table.js"

const LinkRow = Schema.Struct({
  ...texts("linkHash", "personHash", "email", "workspaceName"),
  ...textsOrNull("networkHash"),
  ...times("createdAtMillis", "expiresAtMillis")
})

const FactsRow = Schema.Struct({ personHasOne: Schema.Boolean, today: Count, ofNetworkToday: Count })

const NOTHING = { personHasOne: false, today: 0, ofNetworkToday: 0 }

/** The advisory lock under which one grant at a time is decided. An arbitrary number. */
const ADVISORY_LOCK = 7_204_119_004

/** Most links that ran out which one request deletes: more than it can add. */
const FORGOTTEN_MAX = 20

export const layer = storeLayer(SignUpStore, (sql) => {
  const facts = (operation: string, { networkHash, personHash, sinceMillis }: SignUpSubject) =>
    sql`
      SELECT EXISTS (SELECT 1 FROM sign_up_grants WHERE person_hash = ${personHash}) AS "personHasOne",
        count(*) AS today, count(*) FILTER (WHERE network_hash = ${networkHash}) AS "ofNetworkToday"
      FROM sign_up_grants WHERE granted_at >= ${date(sinceMillis)}
    `.pipe(
      firstRow(operation, FactsRow),
      Effect.map((found) => (found._tag === "Some" ? found.value : NOTHING))
    )

  return {
    insert: (link) =>
      sql`
        DELETE FROM sign_ups WHERE link_hash IN (
          SELECT link_hash FROM sign_ups WHERE expires_at <= ${date(link.createdAtMillis)}
          ORDER BY expires_at LIMIT ${FORGOTTEN_MAX} FOR UPDATE SKIP LOCKED
        )
      `.pipe(
        Effect.andThen(sql`INSERT INTO sign_ups ${sql.insert(valuesOf(LinkRow, link))}`),
        run("SignUpStore.insert")
      ),
    find: (linkHash, nowMillis) =>
      sql`
        SELECT ${sql.literal(columnsOf(LinkRow, "s"))} FROM sign_ups s
        WHERE s.link_hash = ${linkHash} AND s.expires_at > ${date(nowMillis)}
      `.pipe(firstRow("SignUpStore.find", LinkRow)),
    spend: (linkHash, nowMillis) =>
      sql`
        DELETE FROM sign_ups WHERE link_hash = ${linkHash} AND expires_at > ${date(nowMillis)} RETURNING 1
      `.pipe(
        rows("SignUpStore.spend", Schema.Struct({})),
        Effect.map((found) => found.length > 0)
      ),
    facts: (of) => facts("SignUpStore.facts", of),
    lockFacts: (of) =>
      Effect.andThen(
        sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`.pipe(run("SignUpStore.lockFacts")),
        facts("SignUpStore.lockFacts", of)
      ),
    grant: (grant) => insert(sql, "sign_up_grants", { ...grant }).pipe(run("SignUpStore.grant"))
  }
})
