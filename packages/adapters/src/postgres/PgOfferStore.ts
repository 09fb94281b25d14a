import { type FoundOffer, OfferStore } from "@outbound/domain/data/leads/OfferStore.js"
import { OFFER_REASONS } from "@outbound/domain/verbs/FindLeads.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Schema, Struct } from "effect"
import { changes, date, hasRows, json, Millis, run } from "./Columns.js"
import { chooserOf, columnsOf, readerOf, storeLayer, texts, times, update, valuesOf } from "./Table.js"

const OfferRow = Schema.Struct({
  ...texts("offerId", "workspaceId", "keyId", "baseFingerprint", "tokenHash"),
  reason: Schema.Literals(OFFER_REASONS),
  maxResults: Schema.Int,
  maxCredits: Credits,
  known: Schema.Array(Schema.String),
  requestId: Schema.String,
  ...times("createdAtMillis", "expiresAtMillis"),
  takenByRequestId: Schema.NullOr(Schema.String),
  usedAtMillis: Schema.NullOr(Millis),
  isTaken: Schema.Boolean
})

// A call is open until it has ended.
const IS_OPEN = `
  EXISTS (SELECT 1 FROM open_calls o WHERE o.workspace_id = f.workspace_id AND o.request_id = f.taken_by)
`

const toFound = ({ isTaken, ...offer }: typeof OfferRow.Type): FoundOffer => ({ offer, isTaken })

export const layer = storeLayer(OfferStore, (sql) => {
  const columns = columnsOf(OfferRow, "f", { takenByRequestId: "f.taken_by", isTaken: IS_OPEN })
  const { one } = readerOf(sql, "offers f", OfferRow, columns, toFound)

  const find = (workspaceId: string, tokenHash: string) => one("offers.find")({ workspaceId, tokenHash })

  return {
    insert: (offer) => {
      const values = valuesOf(OfferRow.mapFields(Struct.omit(["isTaken", "takenByRequestId"])), offer, {
        known: json(offer.known)
      })
      return sql`INSERT INTO offers ${sql.insert({ ...values, taken_by: offer.takenByRequestId })}`.pipe(
        run("offers.insert")
      )
    },

    find,

    // The statement after the lock sees the calls that are open by then.
    lock: (workspaceId, tokenHash) =>
      Effect.andThen(
        sql`
          SELECT 1 FROM offers f WHERE f.workspace_id = ${workspaceId} AND f.token_hash = ${tokenHash}
          FOR NO KEY UPDATE
        `.pipe(run("offers.lock")),
        find(workspaceId, tokenHash)
      ),

    take: (workspaceId, offerId, requestId) =>
      update(sql, "offers", { workspaceId, offerId, usedAtMillis: null }, { takenBy: requestId }).pipe(
        changes("offers.take")
      ),

    use: (workspaceId, offerId, requestId, nowMillis) =>
      update(
        sql,
        "offers",
        { workspaceId, offerId, takenBy: requestId, usedAtMillis: null },
        { usedAtMillis: nowMillis }
      ).pipe(hasRows("offers.use")),

    purge: (beforeMillis, limit) =>
      chooserOf(sql, "offers f", ["workspace_id", "offer_id"]).remove("offers.purge")(sql`
        f.expires_at < ${date(beforeMillis)} ORDER BY f.expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      `)
  }
})
