import { Effect } from "effect"
import pg from "pg"
import { freshDatabase } from "../support/TestDatabase.js"
import { installation } from "./Installation.js"

/** On a connection of the team's application, which knows nothing of us. */
export const asApplication = <Row extends object>(url: string, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      let rows: ReadonlyArray<Row> = []
      for (const statement of statements) rows = (await client.query<Row>(statement)).rows
      return rows
    } finally {
      await client.end()
    }
  })

interface Named {
  readonly kind: "table" | "index" | "function"
  readonly name: string
}

/** What a service of ours makes, by name. */
const namesOfOurs = Effect.gen(function* () {
  const { sql } = yield* installation
  return (yield* sql(`
    SELECT CASE WHEN c.relkind = 'i' THEN 'index' ELSE 'table' END AS kind, c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'outbound'::regnamespace AND c.relkind IN ('r', 'p', 'i')
    UNION ALL SELECT 'function', p.proname FROM pg_proc p WHERE p.pronamespace = 'outbound'::regnamespace
    ORDER BY 1 DESC, 2
  `)) as unknown as ReadonlyArray<Named>
})

const theirs = ({ kind, name }: Named): string =>
  kind === "table"
    ? `CREATE TABLE "${name}" (theirs text)`
    : kind === "index"
      ? `CREATE INDEX "${name}" ON their_own (id)`
      : `CREATE FUNCTION "${name}"() RETURNS text LANGUAGE sql AS 'SELECT ''theirs''::text'`

/** A database in which a team's application has something by every name of ours, and the extension elsewhere. */
export const occupied = Effect.gen(function* () {
  const { url } = yield* freshDatabase
  const made = (yield* namesOfOurs).map(theirs)
  yield* asApplication(
    url,
    "CREATE SCHEMA extensions",
    "CREATE EXTENSION pg_trgm SCHEMA extensions",
    "CREATE TABLE their_own (id int)",
    ...made
  )
  return url
})
