import { Schema } from "effect"
import { GROWING } from "../../postgres/months/Partitions.js"

/** Rows of one table, a JSON object a line, compressed. */
const ArchivedTable = Schema.Struct({
  name: Schema.Literals(GROWING.map(({ table }) => table)),
  rows: Schema.Int,
  /** Of the lines, before compression. */
  sha256: Schema.String
})

/** What an archive of months is: a folder for each partition, written when all of it is there. */
export class ArchiveManifest extends Schema.Class<ArchiveManifest>("ArchiveManifest")({
  format: Schema.Literal(1),
  madeAt: Schema.String,
  /** Of the installation that it was taken from. */
  secretFingerprint: Schema.NullOr(Schema.String),
  /** The first id that is not in it. */
  until: Schema.String,
  tables: Schema.Array(ArchivedTable)
}) {}

export type ArchivedTable = typeof ArchivedTable.Type

export const linesOf = (table: string): string => `${table}.ndjson.gz`
