/** Opens publishers' files: GeoParquet, JSON (lines, an array, GeoJSON) and CSV, plain or gzip, in bounded memory. */
import { Records } from "@outbound/domain/kernel/tables/Records.js"
import {
  type FileRecord,
  OPEN_BATCH_MAX,
  type OpenedFile,
  UnusableOpenFile
} from "@outbound/domain/wings/openDirectory/OpenFiles.js"
import { isRecord } from "@outbound/domain/wings/openDirectory/members.js"
import type { OpenPublisher } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { createGunzip } from "node:zlib"
import { elementsOf, jsonFormOf, linesOf } from "./jsonElements.js"
import { parquetRecords } from "./parquetRecords.js"

const HEAD_BYTES = 64 * 1024
const PIECE_BYTES = 1024 * 1024

/** The columns without which a table is none of the publisher's. */
const COLUMNS: Readonly<Partial<Record<OpenPublisher, ReadonlyArray<string>>>> = {
  brreg: ["organisasjonsnummer", "navn", "hjemmeside"],
  companies_house: ["CompanyName", "CompanyNumber", "CompanyStatus", "RegAddress.PostTown", "SICCode.SicText_1"]
}

const wordsOf = (path: string, cause: unknown): UnusableOpenFile => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new UnusableOpenFile({ message: `${path} can't be read: ${why}.` })
}

/** Pieces of the size of a batch. */
async function* inBatches<A>(pieces: AsyncIterable<ReadonlyArray<A>>, skipped: number): AsyncGenerator<Array<A>> {
  let left = skipped
  let batch: Array<A> = []
  for await (const piece of pieces) {
    const dropped = Math.min(left, piece.length)
    left -= dropped
    for (let at = dropped; at < piece.length; at++) {
      batch.push(piece[at] as A)
      if (batch.length === OPEN_BATCH_MAX) {
        yield batch
        batch = []
      }
    }
  }
  if (batch.length > 0) yield batch
}

const parsed = (bytes: Buffer): FileRecord => {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** The rows of a table, each by the names of its columns. */
async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  delimiter: string,
  needed: ReadonlyArray<string>
): AsyncGenerator<ReadonlyArray<FileRecord>> {
  const decoder = new TextDecoder("utf-8")
  const table = new Records(delimiter)
  let heading: ReadonlyArray<string> | null = null
  const read = (records: ReturnType<Records["push"]>): ReadonlyArray<FileRecord> =>
    records.flatMap(({ cells, flaw }) => {
      if (heading === null) {
        // Companies House writes some of its headings with a space before them.
        heading = cells.map((cell) => cell.trim())
        const lacking = needed.filter((name) => heading?.includes(name) !== true)
        if (lacking.length > 0) throw new Error(`it has no column ${lacking.map((name) => `"${name}"`).join(", ")}`)
        return []
      }
      if (flaw !== null || cells.length !== heading.length) return [null]
      return [Object.fromEntries(heading.map((name, at) => [name, cells[at]]))]
    })
  for await (const piece of bytes) yield read(table.push(decoder.decode(piece, { stream: true })))
  yield read([...table.push(decoder.decode()), ...table.end()])
  if (heading === null) throw new Error("it is empty")
}

/** Semicolons or commas, whichever the heading has more of. */
const delimiterOf = (head: string): string => {
  const [line = ""] = head.split(/\r?\n/, 1)
  return line.split(";").length > line.split(",").length ? ";" : ","
}

const headOf = async (file: FileHandle, bytes: number, at: number): Promise<Buffer> => {
  const head = Buffer.alloc(Math.min(HEAD_BYTES, Math.max(0, bytes - at)))
  const { bytesRead } = await file.read(head, 0, head.length, at)
  return head.subarray(0, bytesRead)
}

const begins = (head: Buffer, ...signs: ReadonlyArray<number>): boolean => signs.every((sign, at) => head[at] === sign)

/** The bytes of a text, unpacked. */
const textOf = (path: string, isZipped: boolean): AsyncIterable<Buffer> => {
  const file = createReadStream(path, { highWaterMark: PIECE_BYTES })
  if (!isZipped) return file
  const text = createGunzip({ chunkSize: PIECE_BYTES })
  file.on("error", (error) => text.destroy(error))
  text.on("close", () => file.destroy())
  return file.pipe(text)
}

const firstOf = async (text: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of text) {
    pieces.push(piece)
    if (pieces.reduce((sum, one) => sum + one.length, 0) >= HEAD_BYTES) break
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES)
}

type Pieces = (skipped: number) => AsyncIterable<ReadonlyArray<FileRecord>>

async function* parsedBatches(pieces: AsyncIterable<ReadonlyArray<Buffer>>, skipped: number) {
  for await (const batch of inBatches(pieces, skipped)) yield batch.map(parsed)
}

const piecesOf = async (path: string, publisher: OpenPublisher, head: Buffer): Promise<Pieces> => {
  if (begins(head, 0x50, 0x41, 0x52, 0x31)) return (skipped) => parquetRecords(path, skipped)
  if (begins(head, 0x50, 0x4b)) throw new Error("it is a ZIP archive; unzip it, and import the file within")
  const isZipped = begins(head, 0x1f, 0x8b)
  const start = isZipped ? await firstOf(textOf(path, true)) : head
  const form = jsonFormOf(start)
  if (form?.kind === "lines") return (skipped) => parsedBatches(linesOf(textOf(path, isZipped)), skipped)
  if (form?.kind === "array") {
    return (skipped) => parsedBatches(elementsOf(textOf(path, isZipped), form.from), skipped)
  }
  const needed = COLUMNS[publisher]
  if (needed === undefined) throw new Error("it is neither JSON nor GeoParquet")
  const delimiter = delimiterOf(start.toString("utf8"))
  return (skipped) => inBatches(rowsOf(textOf(path, isZipped), delimiter, needed), skipped)
}

/** Opens a file, and reads its beginning to tell what it is. */
export const openFile = (path: string, publisher: OpenPublisher): Effect.Effect<OpenedFile, UnusableOpenFile> =>
  Effect.tryPromise({
    try: async () => {
      const file = await open(path)
      try {
        const { size } = await file.stat()
        const [head, tail] = [await headOf(file, size, 0), await headOf(file, size, Math.max(0, size - HEAD_BYTES))]
        if (head.length === 0) throw new Error("it is empty")
        const pieces = await piecesOf(path, publisher, head)
        return {
          fileKey: createHash("sha256").update(`${size} `).update(head).update(tail).digest("hex"),
          records: (skipped: number) => Stream.fromAsyncIterable(pieces(skipped), (cause) => wordsOf(path, cause))
        }
      } finally {
        await file.close()
      }
    },
    catch: (cause) => wordsOf(path, cause)
  })
