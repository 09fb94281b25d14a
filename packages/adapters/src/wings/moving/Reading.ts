import { Result, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { End, Heading, LINE_BYTES_MAX, Manifest, type Row, ROWS_AT_ONCE, type TableOfExport } from "./Format.js"
import { WorkspaceError } from "../../postgres/deleting/atRest.js"

export const damaged = (what: string) =>
  new WorkspaceError({ message: `The export is damaged: ${what}. Nothing was imported. Export the workspace again.` })

/** What is done with what a file holds, in its order. */
export interface Reader {
  readonly begin: (manifest: Manifest) => Promise<void>
  readonly rows: (table: TableOfExport, rows: ReadonlyArray<Row>) => Promise<void>
}

const NEW_LINE = 10

/** Whole lines. A file ends with one. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Array<Buffer> = []
  let size = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      size = 0
      from = end + 1
    }
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > LINE_BYTES_MAX) throw damaged(`a line is longer than ${LINE_BYTES_MAX} bytes`)
  }
  if (size > 0) throw damaged("its last line is cut")
}

const readingJson = <A, I>(schema: Schema.Codec<A, I>) => Schema.decodeUnknownResult(Schema.fromJsonString(schema))

const asManifest = readingJson(Manifest)

/** Rows are many, so that they are looked at by hand. */
const rowOf = (text: string): Row | null => {
  try {
    const row: unknown = JSON.parse(text)
    return Array.isArray(row) && row.every((cell) => cell === null || typeof cell === "string") ? row : null
  } catch {
    return null
  }
}

const asHeading = readingJson(Heading)
const asEnd = readingJson(End)

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"))

/** Reads one file from its first line to its end. */
class Lines {
  manifest: Manifest | null = null
  private table: TableOfExport | null = null
  private readonly counts = new Map<string, number>()
  private waiting: Array<Row> = []
  private end: typeof End.Type | null = null
  private readonly mac

  constructor(
    private readonly reader: Reader,
    key: Buffer
  ) {
    this.mac = createHmac("sha256", key)
  }

  async line(bytes: Buffer): Promise<void> {
    const text = bytes.toString("utf8")
    if (this.end !== null) throw damaged("it goes on after its end")
    if (this.manifest === null) await this.first(text)
    else if (text.startsWith("[")) await this.row(this.manifest, text)
    else if (!(await this.heading(this.manifest, text))) return this.last(text)
    this.mac.update(bytes).update("\n")
  }

  private async first(text: string): Promise<void> {
    const read = asManifest(text)
    if (Result.isFailure(read)) {
      throw new WorkspaceError({
        message: "The file is no export of a workspace, or one of a form that this program does not know."
      })
    }
    this.manifest = read.success
    await this.reader.begin(read.success)
  }

  private async row({ workspaceId }: Manifest, text: string): Promise<void> {
    const { table } = this
    const row = rowOf(text)
    if (table === null || row === null || row.length !== table.columns.length) {
      throw damaged("a row is not of its table")
    }
    const workspace = table.columns.indexOf("workspace_id")
    if (workspace !== -1 && row[workspace] !== workspaceId) throw damaged("a row is of another workspace")
    this.counts.set(table.name, (this.counts.get(table.name) ?? 0) + 1)
    this.waiting.push(row)
    if (this.waiting.length === ROWS_AT_ONCE) await this.flush()
  }

  private async flush(): Promise<void> {
    if (this.table !== null && this.waiting.length > 0) await this.reader.rows(this.table, this.waiting)
    this.waiting = []
  }

  private async heading({ tables }: Manifest, text: string): Promise<boolean> {
    const read = asHeading(text)
    if (Result.isFailure(read)) return false
    await this.flush()
    const next = this.table === null ? 0 : tables.indexOf(this.table) + 1
    if (tables[next]?.name !== read.success.table) throw damaged("its tables are not those of its manifest")
    this.table = tables[next]
    return true
  }

  private async last(text: string): Promise<void> {
    const read = asEnd(text)
    if (Result.isFailure(read)) throw damaged("a line of it can't be read")
    await this.flush()
    this.end = read.success
  }

  /** The number of rows of a whole file. */
  whole(): { readonly manifest: Manifest; readonly rows: number } {
    const { end, manifest } = this
    if (manifest === null || end === null) throw damaged("it has no end, so it was cut")
    const isCounted = manifest.tables.every(({ name }) => end.rows[name] === (this.counts.get(name) ?? 0))
    if (!isCounted || !isSame(this.mac.digest("hex"), end.mac)) throw damaged("it is not what was written")
    return { manifest, rows: [...this.counts.values()].reduce((sum, rows) => sum + rows, 0) }
  }
}

const isUnpacking = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("Z_")

/** Reads a file, and fails unless it is whole and as it was written. Holds a few rows at a time. */
export const readExport = async (path: string, key: Buffer, reader: Reader) => {
  const lines = new Lines(reader, key)
  // The pipeline may report only that it was aborted.
  let first: unknown
  const reading = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
    try {
      for await (const line of linesOf(bytes)) await lines.line(line)
    } catch (error) {
      first = error
      throw error
    }
  }
  try {
    await pipeline(createReadStream(path), createGunzip(), reading)
  } catch (last) {
    const error = first ?? last
    throw isUnpacking(error) ? damaged(`it can't be unpacked (${error.message})`) : error
  }
  return lines.whole()
}
