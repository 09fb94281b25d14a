import type { Email } from "postal-mime"
import { decodeText } from "./charsets.js"
import { senderIn } from "./sender.js"
import { prepared } from "./source.js"

const NESTING_MAX = 50
export const HEADERS_OCTETS_MAX = 256 * 1024

/**
 * What we use of the parser's tree. Its public face decodes texts by the names of their character sets alone, and does not
 * return their octets.
 */
interface Part {
  readonly content: ArrayBuffer | null
  readonly contentType: {
    readonly parsed: { readonly value: string; readonly params: Readonly<Record<string, string>> }
  }
  readonly childNodes: ReadonlyArray<Part>
  getTextContent: () => string
}

interface Tree {
  readonly root: Part
  finalize: () => Promise<void>
}

/** How much of an HTML part may stand before the name of its character set (HTML standard, 13.2.3.2). */
const META_OCTETS = 1_024
const META = /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i

/** The character set that a part names, in its header or, of HTML, in itself. */
const charsetOf = ({ contentType: { parsed } }: Part, octets: Uint8Array): string => {
  const named = parsed.params["charset"] ?? ""
  if (named !== "" || parsed.value.toLowerCase() !== "text/html") return named
  return META.exec(Buffer.from(octets.subarray(0, META_OCTETS)).toString("latin1"))?.[1] ?? ""
}

const decodeParts = (part: Part): void => {
  part.getTextContent = () => {
    const octets = new Uint8Array(part.content ?? new ArrayBuffer(0))
    return decodeText(octets, charsetOf(part, octets))
  }
  part.childNodes.forEach(decodeParts)
}

/** A message, and its sender as far as one can be found. */
export interface Parsed extends Email {
  readonly writtenBy: string | null
}

export interface ParsedMail {
  /** Null: it doesn't parse, but still has a header. */
  readonly email: Parsed | null
  /** Whether parts, fields or lines beyond our limits were cut off. */
  readonly isCut: boolean
}

/** Parses a message, in time that grows with its size alone. */
export const parseMail = async (source: Uint8Array): Promise<ParsedMail> => {
  // Loaded at the first message.
  const { addressParser, decodeWords, default: PostalMime } = await import("postal-mime")
  const parser = new PostalMime({
    forceRfc822Attachments: true,
    attachmentEncoding: "arraybuffer",
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADERS_OCTETS_MAX,
    maxRfc822NestingDepth: 0
  })
  const tree = parser as unknown as Tree
  const finalize = tree.finalize.bind(parser)
  tree.finalize = async () => {
    await finalize()
    decodeParts(tree.root)
  }
  const { isCut, octets } = prepared(source)
  const email = await parser.parse(octets).then(
    (parsed): Parsed => ({ ...parsed, writtenBy: senderIn(parsed.headers, { addressParser, decodeWords }) }),
    () => null
  )
  return { email, isCut }
}
