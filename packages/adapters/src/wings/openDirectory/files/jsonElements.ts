/** Cuts the objects of a JSON text of any length, without parsing what is skipped. */
import { UnusableOpenFile } from "@outbound/domain/wings/openDirectory/OpenFiles.js"

/** A longer object is no record. */
const OBJECT_BYTES_MAX = 8 * 1024 * 1024

const [QUOTE, ESCAPE, OPEN, CLOSE, BEGIN, END, LF] = [34, 92, 123, 125, 91, 93, 10]

/** How the objects stand in the file: one a line, or in an array that begins after so many bytes. */
export type JsonForm = { readonly kind: "lines" } | { readonly kind: "array"; readonly from: number }

/** The member of a publisher's document that holds the records. */
const HELD_IN = /^[^[{]*\{[^[]*?"(?:features|companies|_embedded)"\s*:\s*\[/

/** Reads the form off the beginning of the text. Null: it is no JSON. */
export const jsonFormOf = (head: Buffer): JsonForm | null => {
  const text = head.toString("latin1").replace(/^\u00ef\u00bb\u00bf/, "   ")
  const first = text.trimStart().charAt(0)
  if (first === "[") return { kind: "array", from: text.indexOf("[") + 1 }
  if (first !== "{" && first !== "\u001e") return null
  const held = HELD_IN.exec(text)?.[0]
  const line = text.indexOf("\n")
  // A line that is an object of its own may have such a member too.
  const isLine = line !== -1 && held !== undefined && isWhole(text.slice(0, line))
  return held === undefined || isLine ? { kind: "lines" } : { kind: "array", from: held.length }
}

const isWhole = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Each line of a text that is not empty, in pieces. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<ReadonlyArray<Buffer>> {
  let rest = Buffer.alloc(0)
  for await (const piece of bytes) {
    const text = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const lines: Array<Buffer> = []
    let at = 0
    for (let end = text.indexOf(LF, at); end !== -1; end = text.indexOf(LF, at)) {
      // RFC 8142 begins a record with a sign of its own.
      const from = text[at] === 0x1e ? at + 1 : at
      if (end > from + 1 || (end === from + 1 && text[from] !== 13)) lines.push(text.subarray(from, end))
      at = end + 1
    }
    rest = Buffer.from(text.subarray(at))
    if (rest.length > OBJECT_BYTES_MAX) throw new UnusableOpenFile({ message: "a line is longer than 8 MiB" })
    yield lines
  }
  const last = rest[0] === 0x1e ? rest.subarray(1) : rest
  if (last.toString().trim() !== "") yield [last]
}

/** Each object of an array, in pieces. `from`: where the array begins. */
export async function* elementsOf(bytes: AsyncIterable<Buffer>, from: number): AsyncGenerator<ReadonlyArray<Buffer>> {
  let rest = Buffer.alloc(0)
  let skip = from
  // Where the scan is in `text`, kept over pieces.
  let [depth, isText, at, begun] = [0, false, 0, -1]
  for await (const piece of bytes) {
    const dropped = Math.min(skip, piece.length)
    skip -= dropped
    const text = rest.length === 0 ? piece.subarray(dropped) : Buffer.concat([rest, piece.subarray(dropped)])
    const found: Array<Buffer> = []
    for (; at < text.length; at++) {
      const byte = text[at]
      if (isText) {
        if (byte === ESCAPE) at += 1
        else if (byte === QUOTE) isText = false
      } else if (byte === QUOTE) isText = true
      else if (byte === OPEN || byte === BEGIN) {
        if (depth === 0) begun = at
        depth += 1
      } else if (byte === CLOSE || byte === END) {
        if (depth === 0) {
          yield found
          return
        }
        depth -= 1
        if (depth === 0) {
          found.push(text.subarray(begun, at + 1))
          begun = -1
        }
      }
    }
    const keep = begun === -1 ? Math.min(at, text.length) : begun
    rest = Buffer.from(text.subarray(keep))
    at -= keep
    if (begun !== -1) begun = 0
    if (rest.length > OBJECT_BYTES_MAX) throw new UnusableOpenFile({ message: "a record is longer than 8 MiB" })
    yield found
  }
  throw new UnusableOpenFile({ message: "it ends in the middle: the list of its records is not closed" })
}
