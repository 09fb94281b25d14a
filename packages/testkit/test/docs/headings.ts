/** Headings of a page, and their anchors as GitHub makes them. */
/** What is said in code is no link and no heading. */
export const withoutCode = (text: string): string => text.replaceAll(/^( *)(```+|~~~+)[^]*?^\1\2 *$/gm, "")

export const headings = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, title = ""]) => title)

/** The anchors of a page, in the order of its headings. */
const anchorsInOrder = (text: string): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return headings(text).map((title) => {
    const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
    const slug = words.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "").replaceAll(" ", "-")
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
}

export const anchors = (text: string): ReadonlySet<string> => new Set(anchorsInOrder(text))

/** What stands under a heading, with the sections inside it. Undefined: there is no such heading. */
export const sectionAt = (text: string, anchor: string): string | undefined => {
  const levels: Array<{ readonly at: number; readonly level: number }> = []
  let isCode = false
  let at = 0
  for (const line of text.split("\n")) {
    if (/^ *(```|~~~)/.test(line)) isCode = !isCode
    const level = isCode ? 0 : (/^(#{1,6}) +\S/.exec(line)?.[1]?.length ?? 0)
    if (level > 0) levels.push({ at, level })
    at += line.length + 1
  }
  const index = anchorsInOrder(text).indexOf(anchor)
  const from = levels[index]
  if (index === -1 || from === undefined) return undefined
  const end = levels.slice(index + 1).find(({ level }) => level <= from.level)
  return text.slice(from.at, end?.at ?? text.length)
}
