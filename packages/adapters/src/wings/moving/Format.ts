import { Schema } from "effect"

/**
 * An export is gzip over lines of JSON: the manifest, then for each table its name and its rows, then the end. A row is
 * an array of texts and nulls in the order of the table's columns, each text as PostgreSQL writes the value.
 */
export class Manifest extends Schema.Class<Manifest>("ExportManifest")({
  format: Schema.Literal("outbound-workspace/1"),
  madeAt: Schema.String,
  workspaceId: Schema.String.check(Schema.isGUID()),
  name: Schema.String,
  /** Names of the migrations that made the tables, in order. */
  migrations: Schema.Array(Schema.String),
  /** Of the secret that hashes, seals and the end's MAC were made under. */
  secretFingerprint: Schema.String,
  /** What means nothing under another secret. */
  underSecret: Schema.Struct({ suppressed: Schema.Int, credentials: Schema.Int }),
  /** In an order in which each table refers only to those before it. */
  tables: Schema.Array(Schema.Struct({ name: Schema.String, columns: Schema.Array(Schema.String) }))
}) {}

export type TableOfExport = Manifest["tables"][number]

/** Begins the rows of a table. */
export const Heading = Schema.Struct({ table: Schema.String })

/** A file without it was cut. */
export const End = Schema.Struct({
  rows: Schema.Record(Schema.String, Schema.Int),
  /** HMAC-SHA-256 of every line before, under a key of the secret. */
  mac: Schema.String
})

/** The values of a row. */
export type Row = ReadonlyArray<string | null>

/** The longest line that is written or read. No row comes near it. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024

/** How many rows are held at once. */
export const ROWS_AT_ONCE = 100
