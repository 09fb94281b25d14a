import { Parser } from "htmlparser2"

export interface XmlElement {
  readonly name: string
  readonly text: string
  readonly children: ReadonlyArray<XmlElement>
}

/** Most elements of a document, unless its reader expects more. */
const ELEMENTS_MAX = 50_000
const DEPTH_MAX = 50

interface Open {
  readonly name: string
  text: string
  readonly children: Array<XmlElement>
}

/**
 * The root of a small XML document; null: it isn't well-formed, or is larger than any that we expect. Declarations of
 * its own entities are not read, so they expand to nothing.
 */
export const readXml = (text: string, elementsMax = ELEMENTS_MAX): XmlElement | null => {
  const open: Array<Open> = [{ name: "", text: "", children: [] }]
  let [count, isBroken] = [0, false]
  const parser = new Parser(
    {
      onopentag: (name) => {
        count += 1
        if (count > elementsMax || open.length > DEPTH_MAX) {
          isBroken = true
          parser.reset()
          return
        }
        open.push({ name: name.slice(name.indexOf(":") + 1), text: "", children: [] })
      },
      ontext: (piece) => {
        const last = open.at(-1)
        if (last !== undefined && open.length > 1) last.text += piece
      },
      onclosetag: (_name, isImplied) => {
        const closed = open.pop()
        if (isImplied || closed === undefined || open.length === 0) isBroken = true
        else open.at(-1)?.children.push({ ...closed, text: closed.text.trim() })
      }
    },
    { xmlMode: true, decodeEntities: true }
  )
  parser.end(text)
  const [root, ...others] = open[0]?.children ?? []
  return isBroken || root === undefined || others.length > 0 ? null : root
}

export const childrenOf = (
  element: XmlElement | undefined,
  ...path: ReadonlyArray<string>
): ReadonlyArray<XmlElement> =>
  path.reduce<ReadonlyArray<XmlElement>>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    element === undefined ? [] : [element]
  )

/** The text of the first element at the path; "" if there is none. */
export const textAt = (element: XmlElement | undefined, ...path: ReadonlyArray<string>): string =>
  childrenOf(element, ...path)[0]?.text ?? ""
