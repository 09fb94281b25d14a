import type { Readable } from "node:stream"

/** A line, or that one was longer than any message may be. */
export type Line = { readonly _tag: "Line"; readonly text: string } | { readonly _tag: "TooLong" }

const NEWLINE = 0x0a

/**
 * The lines of a stream. One that is too long is reported once and skipped to its end, so that what follows it is read
 * as what it is.
 */
export async function* linesOf(input: Readable, bytesMax: number): AsyncGenerator<Line> {
  let kept: Array<Buffer> = []
  let size = 0
  let isSkipping = false
  const add = (part: Buffer): boolean => {
    if (isSkipping || part.length === 0) return false
    size += part.length
    if (size <= bytesMax) {
      kept.push(part)
      return false
    }
    isSkipping = true
    kept = []
    return true
  }
  const take = (): string => {
    const text = isSkipping ? "" : Buffer.concat(kept).toString("utf8").trim()
    kept = []
    size = 0
    isSkipping = false
    return text
  }
  for await (const chunk of input) {
    let rest = Buffer.from(chunk as Buffer)
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (add(rest.subarray(0, end))) yield { _tag: "TooLong" }
      rest = rest.subarray(end + 1)
      const text = take()
      if (text !== "") yield { _tag: "Line", text }
    }
    if (add(rest)) yield { _tag: "TooLong" }
  }
  const text = take()
  if (text !== "") yield { _tag: "Line", text }
}
