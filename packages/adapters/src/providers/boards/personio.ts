import { Parser } from "htmlparser2"
import { plainText, present } from "../open/texts.js"
import { type Board, boardOf, type Posting, timeOf } from "./postings.js"

/** Thrown for what is not the feed. */
const notTheFeed = () => new Error("not the feed")

/** The elements of a position that are read, each with its text. */
const READ = new Set(["id", "name", "office", "department", "subcompany", "createdat", "value"])

/** The feed has six levels, and the parser's work grows with the square of the depth. */
const DEPTH_MAX = 50
const CHUNK_CHARS = 4 * 1024

/** Reads Personio's XML feed of positions. Throws for anything else. */
export const readPersonio = (xml: string, hostAddress: string): Board => {
  const postings: Array<Posting> = []
  let root: string | null = null
  let isComplete = false
  let position: Map<string, Array<string>> | null = null
  const open: Array<string> = []
  let text = ""
  const parser = new Parser(
    {
      onopentag: (name) => {
        const tag = name.toLowerCase()
        root ??= tag
        open.push(tag)
        text = ""
        if (tag === "position") position = new Map()
      },
      ontext: (part) => (text += part),
      onclosetag: (name, isImplied) => {
        const tag = name.toLowerCase()
        open.pop()
        if (tag === root) isComplete = !isImplied
        if (position === null) return
        // A description has a name too: only the position's own counts.
        const isOwn = open.at(-1) === "position" || tag === "value" || open.at(-1) === "additionaloffices"
        if (READ.has(tag) && isOwn) {
          const before = position.get(tag)
          if (before === undefined) position.set(tag, [text.trim()])
          else before.push(text.trim())
        }
        text = ""
        if (tag !== "position") return
        const id = position.get("id")?.[0] ?? ""
        const title = position.get("name")?.[0] ?? ""
        if (id !== "" && title !== "") {
          postings.push({
            id,
            title,
            url: `${hostAddress}/job/${encodeURIComponent(id)}`,
            publishedAt: timeOf(position.get("createdat")?.[0] ?? null),
            places: present(position.get("office") ?? []),
            department: present(position.get("department") ?? [])[0] ?? null,
            text: plainText([...(position.get("subcompany") ?? []), ...(position.get("value") ?? [])].join(" "))
          })
        }
        position = null
      }
    },
    { xmlMode: true }
  )
  for (let at = 0; at < xml.length; at += CHUNK_CHARS) {
    parser.write(xml.slice(at, at + CHUNK_CHARS))
    if (open.length > DEPTH_MAX) throw notTheFeed()
  }
  parser.end()
  if (root !== "workzag-jobs" || !isComplete) throw notTheFeed()
  return boardOf(null, postings)
}
