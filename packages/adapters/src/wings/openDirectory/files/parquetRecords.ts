import { type FileRecord, OPEN_BATCH_MAX } from "@outbound/domain/wings/openDirectory/OpenFiles.js"
import { open } from "node:fs/promises"
import { gunzipSync, zstdDecompressSync } from "node:zlib"

/** What we read of a place. Its geometry is left where it is. */
const COLUMNS = [
  "id",
  "names",
  "categories",
  "taxonomy",
  "basic_category",
  "confidence",
  "websites",
  "addresses",
  "sources",
  "operating_status"
]

/** A row group is held in memory while it is read. Overture's are smaller. */
const GROUP_ROWS_MAX = 1_000_000

const asBytes = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)

/** A page is some megabytes at most, and a few bytes could expand without limit. */
const PAGE_BYTES_MAX = 256 * 1024 * 1024
const BOUNDED = { maxOutputLength: PAGE_BYTES_MAX }

const unpacked = (unpack: (input: Uint8Array, bounds: typeof BOUNDED) => Buffer) => (input: Uint8Array) => {
  try {
    return asBytes(unpack(input, BOUNDED))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw cause
    throw new Error("a page of it is larger than 256 MiB once unpacked")
  }
}

/** Overture's files are compressed with Zstandard; others that were cut from them also with gzip or Snappy. */
const COMPRESSORS = { ZSTD: unpacked(zstdDecompressSync), GZIP: unpacked(gunzipSync) }

/** The rows of a GeoParquet file, row group by row group, after the first `skipped`. */
export async function* parquetRecords(path: string, skipped: number): AsyncGenerator<ReadonlyArray<FileRecord>> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import("hyparquet")
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const file = {
      byteLength: size,
      slice: async (start: number, end = size): Promise<ArrayBuffer> => {
        const bytes = new ArrayBuffer(end - start)
        const { bytesRead } = await handle.read(new Uint8Array(bytes), 0, end - start, start)
        if (bytesRead < end - start) throw new Error("it ends in the middle")
        return bytes
      }
    }
    const metadata = await parquetMetadataAsync(file)
    const held = new Set(parquetSchema(metadata).children.map(({ element }) => element.name))
    const columns = COLUMNS.filter((name) => held.has(name))
    if (!held.has("id") || !held.has("names")) throw new Error('it has no columns "id" and "names" of places')
    let begins = 0
    for (const { num_rows } of metadata.row_groups) {
      const rows = Number(num_rows)
      if (rows > GROUP_ROWS_MAX) throw new Error(`it has a row group of ${rows} rows; write it again in smaller ones`)
      const from = Math.max(begins, skipped)
      begins += rows
      if (from >= begins) continue
      const found = (await parquetReadObjects({
        file,
        metadata,
        columns,
        rowStart: from,
        rowEnd: begins,
        compressors: COMPRESSORS
      })) as ReadonlyArray<Readonly<Record<string, unknown>>>
      for (let at = 0; at < found.length; at += OPEN_BATCH_MAX) yield found.slice(at, at + OPEN_BATCH_MAX)
    }
  } finally {
    await handle.close()
  }
}
