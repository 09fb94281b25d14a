import {
  BOARD_PROOFS,
  LAPSED_PER_WRITE_MAX,
  type LearntPlace,
  OPENINGS_PLACES,
  type OpeningsPlace,
  OUTCOMES_KEPT_DAYS,
  SourceMemoryStore
} from "@outbound/domain/sources/SourceMemoryStore.js"
import { Effect, Option, Schema } from "effect"
import { Count, date, firstRow, run } from "./Columns.js"
import { chooserOf, columnsOf, readerOf, storeLayer, texts, textsOrNull, times, upsert, valuesOf } from "./Table.js"

const PlaceRow = Schema.Struct({
  ...texts("companyDomain"),
  place: Schema.Literals(OPENINGS_PLACES),
  ...textsOrNull("system", "board", "foundOn"),
  provenBy: Schema.NullOr(Schema.Literals(BOARD_PROOFS)),
  ...times("learntAtMillis", "keptUntilMillis")
})

const NO_BOARD = { system: null, board: null, provenBy: null, foundOn: null }

const rowOf = ({ place: { kind, ...board }, ...learnt }: LearntPlace): typeof PlaceRow.Type => ({
  ...NO_BOARD,
  ...learnt,
  ...board,
  place: kind
})

const placeOf = ({ board, foundOn, place, provenBy, system }: typeof PlaceRow.Type): OpeningsPlace => {
  if (place !== "board") return { kind: place }
  // The table's check says that a board has them all.
  return {
    kind: "board",
    system: system ?? "",
    board: board ?? "",
    provenBy: provenBy ?? "address",
    foundOn: foundOn ?? ""
  }
}

const learntOf = (row: typeof PlaceRow.Type): LearntPlace => ({
  companyDomain: row.companyDomain,
  place: placeOf(row),
  learntAtMillis: row.learntAtMillis,
  keptUntilMillis: row.keptUntilMillis
})

const OutcomesRow = Schema.Struct({ asked: Count, found: Count, tookMillis: Count })

const NONE = { asked: 0, found: 0, tookMillis: 0 }

export const layer = storeLayer(SourceMemoryStore, (sql) => {
  const { one } = readerOf(sql, "company_boards b", PlaceRow, columnsOf(PlaceRow, "b"), learntOf)
  const lapsed = chooserOf(sql, "company_boards b", ["company_domain"]).remove("sourceMemory.forgetPlaces")
  const dayOf = (nowMillis: number) => sql`(${date(nowMillis)}::timestamptz AT TIME ZONE 'UTC')::date`

  const outcomes = (source: string, nowMillis: number) =>
    sql`
      SELECT coalesce(sum(o.asked), 0)::bigint AS asked, coalesce(sum(o.found), 0)::bigint AS found,
        coalesce(sum(o.took_millis), 0)::bigint AS "tookMillis"
      FROM source_outcomes o WHERE o.source = ${source} AND o.day > ${dayOf(nowMillis)} - ${OUTCOMES_KEPT_DAYS}::integer
    `.pipe(firstRow("sourceMemory.outcomes", OutcomesRow), Effect.map(Option.getOrElse(() => NONE)))

  return {
    place: (companyDomain, nowMillis) =>
      one("sourceMemory.place")(sql`b.company_domain = ${companyDomain} AND b.kept_until > ${date(nowMillis)}`),

    putPlace: (learnt) =>
      upsert(sql, "company_boards", ["company_domain"], valuesOf(PlaceRow, rowOf(learnt))).pipe(
        run("sourceMemory.putPlace"),
        Effect.andThen(
          lapsed(sql`
            b.kept_until <= ${date(learnt.learntAtMillis)} ORDER BY b.kept_until LIMIT ${LAPSED_PER_WRITE_MAX}
            FOR UPDATE SKIP LOCKED
          `)
        ),
        Effect.asVoid
      ),

    outcomes,

    addOutcome: ({ isFound, source, tookMillis }, nowMillis) =>
      sql`
        INSERT INTO source_outcomes AS o (source, day, asked, found, took_millis)
        VALUES (${source}, ${dayOf(nowMillis)}, 1, ${isFound ? 1 : 0}, ${Math.max(0, Math.round(tookMillis))})
        ON CONFLICT (source, day) DO UPDATE SET
          asked = o.asked + 1, found = o.found + EXCLUDED.found, took_millis = o.took_millis + EXCLUDED.took_millis
      `.pipe(
        run("sourceMemory.addOutcome"),
        Effect.andThen(
          sql`
            DELETE FROM source_outcomes o
            WHERE o.source = ${source} AND o.day <= ${dayOf(nowMillis)} - ${OUTCOMES_KEPT_DAYS}::integer
          `.pipe(run("sourceMemory.forgetOutcomes"))
        ),
        Effect.andThen(outcomes(source, nowMillis))
      )
  }
})
