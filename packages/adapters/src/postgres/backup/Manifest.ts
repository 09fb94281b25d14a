import { Data, Schema } from "effect"

/** What a backup is, written when all of it is there: a folder without it is no backup. */
export class Manifest extends Schema.Class<Manifest>("Manifest")({
  format: Schema.Literal(1),
  madeAt: Schema.String,
  /** The server that it was read from. Any version can take it up. */
  postgres: Schema.String,
  /** Names of the migrations that made its tables, in order. */
  migrations: Schema.Array(Schema.String),
  /** Of the secret, without which hashes and sealed credentials mean nothing; null where no service ever ran. */
  secretFingerprint: Schema.NullOr(Schema.String),
  /** In an order in which each table refers only to those before it. */
  tables: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      columns: Schema.Array(Schema.String),
      rows: Schema.Int,
      /** Of the rows in COPY's text format, before compression. */
      sha256: Schema.String
    })
  ),
  sequences: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String, isCalled: Schema.Boolean }))
}) {}

export type TableOfBackup = Manifest["tables"][number]

export const MANIFEST = "manifest.json"

export const fileOf = (table: string): string => `${table}.copy.gz`

/** A backup that can't be made or taken up. The message says how to mend it. */
export class BackupError extends Data.TaggedError("BackupError")<{ readonly message: string }> {}
