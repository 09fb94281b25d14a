import { DirectoryStore, SAME_PEOPLE_MAX } from "@outbound/domain/data/directory/DirectoryStore.js"
import { companyKeysOf, personKeysOf, wordsOf } from "@outbound/domain/data/directory/matched.js"
import { Effect, Schema } from "effect"
import { column, jsonRows, run, storable } from "./Columns.js"
import {
  COMPANIES_TABLE,
  CompanyRow,
  directoryLock,
  PEOPLE_TABLE,
  PersonRow,
  rowsText,
  toCompanyRow,
  toPersonRow
} from "./directory/DirectoryRows.js"
import { searchCompanies } from "./directory/searchCompanies.js"
import { searchPeople } from "./directory/searchPeople.js"
import { readerOf, storeLayer } from "./Table.js"

const byKey =
  <Row>(key: (row: Row) => string) =>
  (a: Row, b: Row): number =>
    key(a) < key(b) ? -1 : 1

/** Makes search text storable, as stored text was. */
const readable = <A extends object>(asked: A): A =>
  JSON.parse(JSON.stringify(asked), (_name, value: unknown) => (typeof value === "string" ? storable(value) : value))

export const layer = storeLayer(DirectoryStore, (sql) => {
  const { all: people } = readerOf(sql, "directory_people p", PersonRow, PEOPLE_TABLE.read)
  const { all: companies } = readerOf(sql, "directory_companies c", CompanyRow, COMPANIES_TABLE.read)

  /** Inserts or replaces rows of a table. */
  const put = (
    { key, name, written }: typeof PEOPLE_TABLE,
    workspaceId: string,
    given: ReadonlyArray<object>,
    operation: string
  ) => {
    const columns = written.map(([column]) => column).join(", ")
    const types = written.map(([column, type]) => `${column} ${type}`).join(", ")
    const assigned = written.filter(([column]) => column !== key).map(([column]) => `${column} = EXCLUDED.${column}`)
    return sql`
      INSERT INTO ${sql.literal(`${name} (workspace_id, ${columns})`)}
      SELECT ${workspaceId}::uuid, ${sql.literal(columns)}
      FROM json_to_recordset(${rowsText(given)}::json) AS given (${sql.literal(types)})
      ON CONFLICT (workspace_id, ${sql.literal(key)}) DO UPDATE SET ${sql.literal(assigned.join(", "))}
    `.pipe(run(operation))
  }

  const putWords = (workspaceId: string, kind: "t" | "w", words: ReadonlyArray<string>) =>
    words.length === 0
      ? Effect.void
      : sql`
          INSERT INTO directory_words (workspace_id, kind, word)
          SELECT ${workspaceId}::uuid, ${kind}, given.word FROM unnest(${words}::text[]) AS given (word)
          ON CONFLICT DO NOTHING
        `.pipe(run("directory.putWords"))

  return {
    lock: (workspaceId) => directoryLock(sql, workspaceId),

    people: (workspaceId, fingerprints) =>
      people("directory.people")(sql`
        p.workspace_id = ${workspaceId} AND p.fingerprint = ANY(${fingerprints}::text[])
      `),

    companies: (workspaceId, domains) =>
      domains.length === 0
        ? Effect.succeed([])
        : companies("directory.companies")(sql`
            c.workspace_id = ${workspaceId} AND c.domain = ANY(${domains}::text[])
          `),

    erased: (workspaceId, fingerprints) =>
      sql`
        SELECT DISTINCT e.address_hash AS fingerprint FROM erasures e
        WHERE e.workspace_id = ${workspaceId} AND e.address_hash = ANY(${fingerprints}::text[])
      `.pipe(column("directory.erased", Schema.String)),

    putPeople: (workspaceId, people) => {
      const given = people.toSorted(byKey(({ fingerprint }) => fingerprint)).map(toPersonRow)
      return Effect.andThen(
        putWords(workspaceId, "t", wordsOf(people.map((person) => personKeysOf(person).titleFolded))),
        put(PEOPLE_TABLE, workspaceId, given, "directory.putPeople")
      )
    },

    putCompanies: (workspaceId, companies) => {
      const given = companies.toSorted(byKey(({ domain }) => domain)).map(toCompanyRow)
      const words = wordsOf(companies.map((company) => companyKeysOf(company).wordsFolded))
      const theirs = companies.map(({ domain, headcount, importedAtMillis, industry, name }) => ({
        domain,
        name,
        headcount,
        industry,
        imported_at: new Date(importedAtMillis).toISOString()
      }))
      return Effect.all(
        [
          putWords(workspaceId, "w", words),
          put(COMPANIES_TABLE, workspaceId, given, "directory.putCompanies"),
          // A company's own row overrides what its people's rows say.
          sql`
            UPDATE directory_people p
            SET company_name = COALESCE(p.company_name, given.name),
              headcount = COALESCE(given.headcount, p.headcount),
              industry = COALESCE(given.industry, p.industry),
              imported_at = given.imported_at
            FROM json_to_recordset(${jsonRows(theirs)}::json) AS given (
              domain text, name text, headcount integer, industry text, imported_at timestamptz
            )
            WHERE p.workspace_id = ${workspaceId} AND p.company_key = given.domain
              AND (p.company_name, p.headcount, p.industry) IS DISTINCT FROM (
                COALESCE(p.company_name, given.name), COALESCE(given.headcount, p.headcount),
                COALESCE(given.industry, p.industry)
              )
          `.pipe(run("directory.putCompanies"))
        ],
        { discard: true }
      )
    },

    settle: sql`
      SELECT gin_clean_pending_list('directory_people_terms'), gin_clean_pending_list('directory_companies_terms')
    `.pipe(
      // Only the indexes' owner may do this. For other roles, autovacuum does it.
      Effect.catch((error) => Effect.logDebug("The directory's indexes are tidied up later", error)),
      Effect.asVoid
    ),

    searchPeople: (workspaceId, filter) => searchPeople(sql, workspaceId, readable(filter)),

    searchCompanies: (workspaceId, filter) => searchCompanies(sql, workspaceId, readable(filter)),

    lookUp: (workspaceId, asked) => {
      const lookup = readable(asked)
      const where =
        lookup.by === "fingerprint"
          ? sql`p.fingerprint = ${lookup.fingerprint}`
          : lookup.by === "profile"
            ? sql`p.social_key = ${lookup.socialKey}`
            : sql`p.company_key = ANY(${lookup.companyKeys}::text[]) AND p.name_key = ${lookup.nameKey}`
      return people("directory.lookUp")(sql`
        p.workspace_id = ${workspaceId} AND ${where}
        ORDER BY p.work_email IS NULL, COALESCE(p.observed_at, p.imported_at) DESC, p.fingerprint
        LIMIT ${SAME_PEOPLE_MAX}
      `)
    },

    domainsOf: (workspaceId, nameKey) =>
      sql`
        SELECT c.domain FROM directory_companies c
        WHERE c.workspace_id = ${workspaceId} AND c.name_key = ${storable(nameKey)}
        ORDER BY c.domain LIMIT ${SAME_PEOPLE_MAX}
      `.pipe(column("directory.domainsOf", Schema.String))
  }
})
