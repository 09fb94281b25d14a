/** Reads the ids of messages in header fields, however a server or a client spoiled them. */
import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { messageIdOf } from "../sending/compose.js"

/** Most ids that are read of a message's fields: `References` has no limit. */
const IDS_MAX = 5_000

/** Longest id. */
const ID_CHARS_MAX = 998

const WORD = /=\?[\w*-]{1,40}\?([bq])\?([^?\s]{0,400})\?=(?:\s+(?==\?))?/gi

/** Some clients write ids as encoded words (RFC 2047), which no standard allows. Ids are ASCII, whatever the charset. */
const decoded = (value: string): string =>
  value.replace(WORD, (word, encoding: string, text: string) =>
    encoding.toLowerCase() === "q"
      ? text
          .replaceAll("_", " ")
          .replace(/=([0-9a-f]{2})/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))
      : Result.getOrElse(Base64.decodeString(text), () => word)
  )

/** In angle brackets, glued to each other or folded within; or bare, between spaces and commas. */
const ID = /<([^<>]{1,2000})>|[^\s<>,;"'()]+/g

/** The ids in a field's value, in order, without angle brackets. */
export const idsIn = (value: string): ReadonlyArray<string> =>
  Array.from(decoded(value).matchAll(ID))
    .map(([bare, inner]) => (inner ?? bare).replace(/\s+/g, ""))
    .filter((id) => id.length <= ID_CHARS_MAX && /.@./.test(id))
    .slice(0, IDS_MAX)

/** Our message ids in ids as they were found. The store knows which are ours. */
export const ourIdsOf = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.flatMap((id) => messageIdOf(id) ?? [])
