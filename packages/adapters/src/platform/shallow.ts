import { Parser } from "htmlparser2"

/** What parsers of markup take far longer for than to find it: deep nesting, and very many elements. */
export interface Shallowness {
  readonly depthMax: number
  readonly elementsMax: number
  /** In XML every element has an end; `<link>` of a feed is not the `<link>` of a page. */
  readonly xmlMode: boolean
}

/** Real mail nests less deeply and has fewer elements. */
const MAIL: Shallowness = { depthMax: 200, elementsMax: 20_000, xmlMode: false }

const CHUNK_CHARS = 4 * 1024

const VOID: ReadonlySet<string> = new Set("area base br col embed hr img input link meta source track wbr".split(" "))

/** Markup up to where it nests too deeply or has too many elements. */
export const shallow = (markup: string, { depthMax, elementsMax, xmlMode }: Shallowness): string => {
  const isVoid = (tag: string): boolean => !xmlMode && VOID.has(tag)
  let [depth, elements, end] = [0, 0, -1]
  const parser = new Parser(
    {
      onopentagname: (tag) => {
        elements += 1
        if (!isVoid(tag)) depth += 1
        if (end === -1 && (depth > depthMax || elements > elementsMax)) end = parser.startIndex
      },
      onclosetag: (tag) => {
        if (!isVoid(tag)) depth -= 1
      }
    },
    { xmlMode }
  )
  for (let at = 0; at < markup.length && end === -1; at += CHUNK_CHARS) {
    parser.write(markup.slice(at, at + CHUNK_CHARS))
  }
  return end === -1 ? markup : markup.slice(0, end)
}

/** The HTML of a mail up to where it nests too deeply or has too many elements. */
export const shallowHtml = (html: string): string => shallow(html, MAIL)
