import { codePointOf, partsOf } from "../../kernel/text/signs.js"

/** Longest quotation in a notice, in characters. */
const QUOTED_CHARS_MAX = 80

/** Where mail and chat programs would make a link of a text: a scheme, and a dot within a name. */
const SCHEME = /:\/\//gu
const INNER_DOT = /(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu

/**
 * A text of others within a notice: on one line, short, in quotation marks. Invisible characters stand as their code
 * points, and an address in it is no link: it could pass for ours.
 */
export const quoted = (text: string): string => {
  const line = text.replace(/\s+/gu, " ").trim()
  const visible = partsOf(line)
    .map((part) => (part.kind === "invisible" ? `[${codePointOf(part.text)}]` : part.text))
    .join("")
  const characters = [...visible]
  const short =
    characters.length > QUOTED_CHARS_MAX ? `${characters.slice(0, QUOTED_CHARS_MAX - 1).join("")}…` : visible
  return `“${short.replace(SCHEME, "[:]//").replace(INNER_DOT, "[.]")}”`
}
