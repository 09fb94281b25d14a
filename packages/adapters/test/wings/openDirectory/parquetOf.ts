/** GeoParquet files with places, as Overture writes them: structs and lists, compressed with Zstandard. */
import { parquetWriteBuffer } from "hyparquet-writer"
import { zstdCompressSync } from "node:zlib"

type Element = Readonly<Record<string, unknown>>

const text = (name: string): ReadonlyArray<Element> => [
  { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" }
]
const struct = (name: string, members: ReadonlyArray<ReadonlyArray<Element>>): ReadonlyArray<Element> => [
  { name, repetition_type: "OPTIONAL", num_children: members.length },
  ...members.flat()
]
const list = (name: string, element: ReadonlyArray<Element>): ReadonlyArray<Element> => [
  { name, repetition_type: "OPTIONAL", converted_type: "LIST", num_children: 1 },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  ...element
]

const COLUMNS: ReadonlyArray<ReadonlyArray<Element>> = [
  text("id"),
  struct("names", [text("primary")]),
  struct("categories", [text("primary"), list("alternate", text("element"))]),
  [{ name: "confidence", type: "DOUBLE", repetition_type: "OPTIONAL" }],
  list("websites", text("element")),
  list("addresses", struct("element", ["freeform", "locality", "postcode", "region", "country"].map(text))),
  list("sources", struct("element", ["property", "dataset", "record_id", "update_time"].map(text))),
  text("operating_status")
]

/** `rowGroupSize`: how many rows are compressed together. */
export const parquetOf = (
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
  rowGroupSize: number,
  packed = (input: Uint8Array): Uint8Array => new Uint8Array(zstdCompressSync(input))
): Buffer => {
  const schema = [{ name: "root", num_children: COLUMNS.length }, ...COLUMNS.flat()]
  const bytes = parquetWriteBuffer({
    // The writer names its types in a file of declarations that takes more kinds than are written here.
    schema: schema as never,
    columnData: COLUMNS.map(([column]) => {
      const name = String(column?.["name"])
      return { name, data: rows.map((row) => row[name] ?? null) }
    }),
    codec: "ZSTD",
    compressors: { ZSTD: packed },
    rowGroupSize
  })
  return Buffer.from(bytes)
}
