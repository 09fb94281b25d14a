import { Parser } from "htmlparser2"

/** Real mail nests less deeply and has fewer elements. Readers and cleaners of HTML take far longer for each than to find it. */
const DEPTH_MAX = 200
const ELEMENTS_MAX = 20_000

const CHUNK_CHARS = 4 * 1024

const VOID: ReadonlySet<string> = new Set("area base br col embed hr img input link meta source track wbr".split(" "))

/** HTML up to where it nests too deeply or has too many elements. */
export const shallowHtml = (html: string): string => {
  let [depth, elements, end] = [0, 0, -1]
  const parser = new Parser({
    onopentagname: (tag) => {
      elements += 1
      if (!VOID.has(tag)) depth += 1
      if (end === -1 && (depth > DEPTH_MAX || elements > ELEMENTS_MAX)) end = parser.startIndex
    },
    onclosetag: (tag) => {
      if (!VOID.has(tag)) depth -= 1
    }
  })
  for (let at = 0; at < html.length && end === -1; at += CHUNK_CHARS) parser.write(html.slice(at, at + CHUNK_CHARS))
  return end === -1 ? html : html.slice(0, end)
}
