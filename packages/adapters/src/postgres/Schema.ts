/**
 * Which schema of the database holds our tables. A team's own application may live in the same database: its tables of
 * the same names are never read, and ours are never in its way.
 */
import pg from "pg"

/** Where our tables go in a database that has none of them. */
export const SCHEMA_USUAL = "outbound"

/** The parameter of a `postgres://` address that names the schema. */
const PARAMETER = "schema"

/** PostgreSQL cuts longer names. A name that needs no quotes is one that people can write in `psql`. */
const NAME = /^[a-z_][a-z0-9_]{0,62}$/

/** Schemas that are somebody else's: PostgreSQL's own, and that of the library for long work. */
const TAKEN = /^(pg_.*|information_schema|graphile_worker)$/

/** The schema that an address names; null: none. */
export const schemaIn = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).searchParams.get(PARAMETER) : null

/** The same address, naming that schema. */
export const withSchema = (url: string, schema: string): string => {
  const at = new URL(url)
  at.searchParams.set(PARAMETER, schema)
  return at.href
}

/** Why a schema of that name can't be ours, in words that follow "the name"; null: it can. */
export const schemaMistake = (schema: string): string | null =>
  !NAME.test(schema)
    ? "must have 1 to 63 characters, small letters, digits and _, and begin with no digit"
    : TAKEN.test(schema)
      ? `${schema} is taken by other tables. Choose another, such as ${SCHEMA_USUAL}`
      : null

/** A column of a table of the first migration. Where it is, a service of ours is. */
const MARK = { table: "service_meta", column: "secret_fingerprint" } as const

const schemasOfOurs = `
  SELECT n.nspname FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = '${MARK.column}' AND NOT a.attisdropped
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = '${MARK.table}' AND c.relkind = 'r'`

/**
 * The statement by which each connection learns its schema: the one that the address names, else where our tables are,
 * else `outbound`. Extensions are found where they are installed, so their schema comes after it.
 */
export const chooseSchema = (url: string): string => {
  const named = schemaIn(url)
  const usual = `coalesce((${schemasOfOurs} ORDER BY n.nspname = '${SCHEMA_USUAL}' DESC, n.nspname LIMIT 1), '${SCHEMA_USUAL}')`
  return `SELECT pg_catalog.set_config('outbound.schema', c.schema, false),
    pg_catalog.set_config('search_path', pg_catalog.quote_ident(c.schema) || ', ' || pg_catalog.quote_ident(coalesce((
      SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
      WHERE e.extname = 'pg_trgm'
    ), 'public')), false)
  FROM (SELECT ${named === null ? usual : pg.escapeLiteral(named)}::text AS schema) c`
}

/** In SQL: the schema's name; null on a connection that has not chosen, or forgot. */
const CHOSEN = "pg_catalog.current_setting('outbound.schema', true)"

/** In SQL: the schema as an identifier. */
export const SCHEMA_IDENTIFIER = `pg_catalog.quote_ident(${CHOSEN})`

/** In SQL: the schema's number in the catalogue; null: it does not exist. */
export const SCHEMA_OID = `pg_catalog.to_regnamespace(${SCHEMA_IDENTIFIER})`

/** In SQL: a table or index of ours, or null. Another schema's of the same name is not meant. */
export const ours = (name: string): string =>
  `pg_catalog.to_regclass(${SCHEMA_IDENTIFIER} || '.' || pg_catalog.quote_ident(${pg.escapeLiteral(name)}))`

/** In SQL: another schema that holds tables of this service, or null. */
export const OTHER_SCHEMA = `(${schemasOfOurs} AND n.nspname <> ${CHOSEN} ORDER BY n.nspname LIMIT 1)`
