import { OpenDirectoryStore, type OpenStep } from "@outbound/domain/wings/openDirectory/OpenDirectoryStore.js"
import type { OpenCompany } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { Effect, Schema } from "effect"
import { firstRow, rows, run } from "../../postgres/Columns.js"
import type { Statement } from "../../postgres/Sql.js"
import { columnsOf, readerOf, storeLayer, upsert, valuesOf } from "../../postgres/Table.js"
import { bareRowsText } from "../../postgres/directory/DirectoryRows.js"
import { COMPARED, LoadRow, loadOf, recordOf } from "./openRows.js"
import { searchOpen } from "./searchOpen.js"

const GIVEN = `
  ref text, name text, domain text, category text, in_english text, city text, region text, country_code text,
  headcount integer, founded_year integer, url text, licence text, attribution text, observed_on date, score real,
  name_key text, city_key text, region_key text
`

const WRITTEN = [...COMPARED.map(([column]) => column), "observed_on", "name_key", "city_key", "region_key"]

const PutRow = Schema.Struct({ added: Schema.Int, updated: Schema.Int })
const StepRow = Schema.Struct({ changed: Schema.Int, seen: Schema.Int, last: Schema.NullOr(Schema.String) })

const CategoryRow = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  inEnglish: Schema.NullOr(Schema.String)
})

/** A cursor of the naming walk: a publisher and an id. */
const cursorOf = (after: string): readonly [publisher: string, ref: string] => {
  const at = after.indexOf(" ")
  return [after.slice(0, Math.max(at, 0)), after.slice(at + 1)]
}

const stepped = (operation: string, rowsMax: number) => (statement: Statement.Statement<unknown>) =>
  statement.pipe(
    firstRow(operation, StepRow),
    Effect.map((found): OpenStep => {
      const row = found._tag === "Some" ? found.value : { changed: 0, seen: 0, last: null }
      return { changed: row.changed, next: row.seen < rowsMax ? null : row.last }
    })
  )

export const layer = storeLayer(OpenDirectoryStore, (sql) => {
  const loads = readerOf(sql, "open_loads o", LoadRow, columnsOf(LoadRow, "o"), loadOf)

  /** Makes the lines of business that are new. In one order, so that two loads don't wait for each other in a circle. */
  const putCategories = (companies: ReadonlyArray<OpenCompany>) => {
    const lines = new Map(
      companies.flatMap(({ category, categoryInEnglish }) =>
        category === null
          ? []
          : [[`${category}\n${categoryInEnglish ?? ""}`, [category, categoryInEnglish ?? ""] as const]]
      )
    )
    const given = [...lines.values()]
    return sql`
      INSERT INTO open_categories (name, in_english)
      SELECT g.name, g.in_english FROM unnest(
        ${given.map(([name]) => name)}::text[], ${given.map(([, inEnglish]) => inEnglish)}::text[]
      ) AS g (name, in_english)
      WHERE NOT EXISTS (SELECT 1 FROM open_categories k WHERE k.name = g.name AND k.in_english = g.in_english)
      ORDER BY 1, 2
      ON CONFLICT DO NOTHING
    `.pipe(run("openDirectory.putCategories"))
  }

  return {
    lockLoad: (part) =>
      loads.one("openDirectory.lockLoad")({ publisher: part.publisher, part: part.part }, "FOR NO KEY UPDATE"),

    putLoad: (load) =>
      upsert(
        sql,
        "open_loads",
        ["publisher", "part"],
        valuesOf(LoadRow, load, { refused: JSON.stringify(load.refused) })
      ).pipe(run("openDirectory.putLoad")),

    loads: loads.all("openDirectory.loads")(sql`TRUE ORDER BY o.publisher, o.part`),

    put: ({ part, publisher }, { beganAtMillis, generation }, companies) => {
      if (companies.length === 0) return Effect.succeed({ added: 0, updated: 0 })
      const given = bareRowsText(companies.map((company) => recordOf(company, beganAtMillis)))
      const compared = (alias: string) => sql.literal(COMPARED.map(([column]) => `${alias}.${column}`).join(", "))
      // A domain that was found for a company stays until the naming says otherwise.
      const set = WRITTEN.map((column) => `${column} = EXCLUDED.${column}`).join(", ")
      return Effect.andThen(
        putCategories(companies),
        sql`
          WITH g AS MATERIALIZED (
            SELECT given.*, k.category_id, given.domain IS NOT NULL AS is_domain_stated
            FROM json_to_recordset(${given}::json) AS given (${sql.literal(GIVEN)})
            LEFT JOIN open_categories k ON k.name = given.category AND k.in_english = given.in_english
          ), before AS (
            SELECT count(*) AS known, count(*) FILTER (
              WHERE (${compared("c")}) IS DISTINCT FROM (${compared("g")})
                OR c.is_domain_stated IS DISTINCT FROM g.is_domain_stated
                OR (g.is_domain_stated AND c.domain IS DISTINCT FROM g.domain)
            ) AS updated
            FROM g JOIN open_companies c ON c.publisher = ${publisher} AND c.ref = g.ref
          ), written AS (
            INSERT INTO open_companies (
              publisher, ref, part, generation, domain, is_domain_stated, ${sql.literal(WRITTEN.join(", "))}
            )
            SELECT ${publisher}, g.ref, ${part}, ${generation}, g.domain, g.is_domain_stated,
              ${sql.literal(WRITTEN.map((column) => `g.${column}`).join(", "))}
            FROM g ORDER BY g.ref
            ON CONFLICT (publisher, ref) DO UPDATE SET
              part = EXCLUDED.part, generation = EXCLUDED.generation, is_domain_stated = EXCLUDED.is_domain_stated,
              domain = CASE
                WHEN EXCLUDED.is_domain_stated OR open_companies.is_domain_stated THEN EXCLUDED.domain
                ELSE open_companies.domain
              END,
              ${sql.literal(set)}
            RETURNING 1
          )
          SELECT ((SELECT count(*) FROM written) - before.known)::integer AS added, before.updated::integer AS updated
          FROM before
        `.pipe(
          firstRow("openDirectory.put", PutRow),
          Effect.map((found) => (found._tag === "Some" ? found.value : { added: 0, updated: 0 }))
        )
      )
    },

    sweep: ({ part, publisher }, generation, after, rowsMax) =>
      stepped(
        "openDirectory.sweep",
        rowsMax
      )(sql`
        WITH w AS (
          SELECT c.ref FROM open_companies c WHERE c.publisher = ${publisher} AND c.ref > ${after}
          ORDER BY c.ref LIMIT ${rowsMax}
        ), gone AS (
          DELETE FROM open_companies c USING w
          WHERE c.publisher = ${publisher} AND c.ref = w.ref AND c.part = ${part} AND c.generation < ${generation}
          RETURNING 1
        )
        SELECT (SELECT count(*) FROM gone)::integer AS changed, count(*)::integer AS seen, max(w.ref) AS last FROM w
      `),

    name: (after, rowsMax) => {
      const [publisher, ref] = cursorOf(after)
      return stepped(
        "openDirectory.name",
        rowsMax
      )(sql`
        WITH w AS (
          SELECT c.publisher, c.ref, c.domain, c.name_key, c.country_code, c.city_key FROM open_companies c
          WHERE NOT c.is_domain_stated AND (c.publisher, c.ref) > (${publisher}::text, ${ref}::text)
          ORDER BY c.publisher, c.ref LIMIT ${rowsMax}
        ), named AS (
          SELECT w.publisher, w.ref, w.domain AS before,
            CASE WHEN w.name_key <> '' AND alike.domains = 1 AND alike.others = 0 THEN alike.domain END AS domain
          FROM w CROSS JOIN LATERAL (
            SELECT count(DISTINCT p.domain) FILTER (WHERE p.is_domain_stated) AS domains,
              min(p.domain) FILTER (WHERE p.is_domain_stated) AS domain,
              count(*) FILTER (WHERE NOT p.is_domain_stated AND (p.publisher, p.ref) <> (w.publisher, w.ref)) AS others
            FROM open_companies p
            WHERE p.name_key = w.name_key AND p.country_code = w.country_code AND p.city_key = w.city_key
          ) alike
        ), changed AS (
          UPDATE open_companies c SET domain = named.domain FROM named
          WHERE c.publisher = named.publisher AND c.ref = named.ref AND named.before IS DISTINCT FROM named.domain
          RETURNING 1
        )
        SELECT (SELECT count(*) FROM changed)::integer AS changed, count(*)::integer AS seen,
          (array_agg(w.publisher || ' ' || w.ref ORDER BY w.publisher DESC, w.ref DESC))[1] AS last
        FROM w
      `)
    },

    settle: sql`ANALYZE open_companies`.pipe(run("openDirectory.settle")),

    categories: sql`
      SELECT k.category_id AS id, k.name, nullif(k.in_english, '') AS "inEnglish" FROM open_categories k
    `.pipe(rows("openDirectory.categories", CategoryRow)),

    search: (filter) => searchOpen(sql, filter)
  }
})
