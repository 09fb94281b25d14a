import { attributionAt } from "./separation/attribution.js"
import { isNoNotice, noticeIn } from "./separation/footer.js"
import { isHeaderAlone, isHeaderBlock, isSeparator } from "./separation/headerBlock.js"
import { belowOurs, isOurFooter, isOurs } from "./separation/ours.js"
import { goesOn, isClosing, isDelimiter, isPostscript, isSentFrom } from "./separation/signature.js"

/** A person's own text, separated from quotations and from what programs and companies append. */
export interface SeparatedText {
  readonly own: string
  readonly signature: string
  /** Notices of the writer's company, scanner or program. */
  readonly notices: string
  readonly quoted: string
}

/** How much of a text we read: an answer is at its top or right below a quotation. */
const TEXT_CHARS_MAX = 100_000
const LINES_MAX = 3_000

/** A line quoted with `>` or `|`. A row of a table ends with a bar too. */
const isQuoted = (line: string): boolean => /^\s{0,8}(?:>|\|(?!.*\|\s*$))/.test(line) && !/^\s*\|\s*$/.test(line)

/** A bar alone belongs to the quoted lines beside it. */
const isEmptyBar = (line: string): boolean => /^\s{0,8}\|\s*$/.test(line)

/** Shorter lines were not wrapped. */
const WRAPPED_CHARS_MIN = 60

/** The end of a quoted line that was too long for one. */
const isWrapped = (lines: ReadonlyArray<string>, at: number): boolean => {
  const above = lines[at - 1] ?? ""
  return (
    above.length >= WRAPPED_CHARS_MIN &&
    isQuoted(above) &&
    !/[.!?:;。]["')\s]*$/.test(above) &&
    isQuoted(lines[at + 1] ?? "") &&
    /^\p{Ll}/u.test(lines[at] ?? "")
  )
}

/** A line quoted with the initials of who wrote it, as The Bat and Supercite do: "JD> text". */
const BY_INITIALS = /^\s{0,8}(\p{Lu}{2,4})>(?=\s|$)/u

/** Such lines as others are quoted, if there are several. */
const withoutInitials = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const initials = BY_INITIALS.exec(line)?.[1]
    if (initials !== undefined) counts.set(initials, (counts.get(initials) ?? 0) + 1)
  }
  return [...counts.values()].some((count) => count > 1)
    ? lines.map((line) =>
        (counts.get(BY_INITIALS.exec(line)?.[1] ?? "") ?? 0) > 1 ? line.replace(BY_INITIALS, ">") : line
      )
    : lines
}

/** For each line the next one that has text. */
const nextWritten = (lines: ReadonlyArray<string>): ReadonlyArray<number> => {
  const next = new Array<number>(lines.length + 1).fill(lines.length)
  for (let at = lines.length - 1; at >= 0; at--) next[at] = lines[at]?.trim() === "" ? (next[at + 1] ?? at) : at
  return next
}

interface Parts {
  readonly own: Array<string>
  readonly signature: Array<string>
  readonly quoted: Array<string>
}

/** GroupWise's line above what it quotes, unmarked. */
const GROUPWISE = /^\s*(?:> )?>>> .{1,200}\d.{0,100}>>>\s*$/u

/** The line of a helpdesk above which an answer is written. */
const ABOVE_IT =
  /^\s*(?:##-.{1,200}-##|\W{0,6}(?:please )?(?:type|write|enter|add)?[^.!?]{0,20}repl(?:y|ies) above this line\W{0,6})\s*$/iu

const RULE = /^[-_=*~\s]*$/

/** A line that only addresses somebody. */
const GREETING = /^[^.!?:;]{1,40},\s*$/u

/** Goes through the lines once. Below a mark without quoted lines everything is quoted; text below quoted lines is own. */
const split = (lines: ReadonlyArray<string>): Parts => {
  const parts: Parts = { own: [], signature: [], quoted: [] }
  const next = nextWritten(lines)
  const isQuotedBelow = (at: number): boolean => isQuoted(lines[next[at] ?? lines.length] ?? "")
  let into = parts.own
  let hasOwn = false
  // Below a greeting alone, a closing line is none.
  let hasSaid = false
  // Below a message of ours that nothing marks and nothing stands above, people answer too.
  let isBelowOurs = false
  const push = (line: string): void => {
    into.push(line)
    if (into !== parts.own || RULE.test(line)) return
    hasOwn = true
    if (!GREETING.test(line)) hasSaid = true
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (GROUPWISE.test(line)) {
      parts.quoted.push(...lines.slice(at))
      break
    }
    if (isQuoted(line) && !isQuoted(lines[at - 1] ?? "") && isHeaderAlone(lines, at, isQuoted)) {
      const rest = lines.slice(at)
      if (hasOwn || isOurs(rest)) {
        parts.quoted.push(...rest)
        break
      }
    }
    if (isQuoted(line) || isWrapped(lines, at) || (isEmptyBar(line) && parts.quoted.length > 0)) {
      parts.quoted.push(line)
      continue
    }
    if (line.trim() === "") {
      into.push(line)
      continue
    }
    if (ABOVE_IT.test(line)) {
      // A helpdesk puts it above what its people write too.
      parts.quoted.push(...(hasOwn ? lines.slice(at) : [line]))
      if (hasOwn) break
      continue
    }
    const isAnswered = !hasOwn && parts.signature.length === 0 && !isBelowOurs
    if (isSeparator(lines, at) || isHeaderBlock(lines, at)) {
      const below = isAnswered && isOurs(lines.slice(at)) ? belowOurs(lines, at) : lines.length
      parts.quoted.push(...lines.slice(at, below))
      if (below === lines.length) break
      isBelowOurs = true
      at = below - 1
      continue
    }
    const mark = attributionAt(lines, at, isQuotedBelow)
    if (mark !== null) {
      if (mark.before !== "") push(mark.before)
      parts.quoted.push(...lines.slice(at, at + mark.lines))
      const below = at + mark.lines
      if (!isQuotedBelow(below)) {
        // Nothing stands above it, and what is below is not ours: it is the answer.
        const isAll = mark.before !== "" || !isAnswered
        const end = isAll ? lines.length : isOurs(lines.slice(below)) ? belowOurs(lines, below) : below
        parts.quoted.push(...lines.slice(below, end))
        if (end === lines.length) break
        if (end > below) {
          isBelowOurs = true
          at = end - 1
          continue
        }
      }
      // A signature ends where a quotation begins.
      into = parts.own
      at = below - 1
      continue
    }
    if (isOurFooter(lines, at)) {
      // Nothing marks it: our message begins where somebody is addressed, if others wrote above that.
      const greets = parts.own.findLastIndex((own) => GREETING.test(own) && !isClosing(own))
      const isBelowTheirs = parts.own.slice(0, Math.max(0, greets)).some((own) => !RULE.test(own))
      if (isBelowTheirs) parts.quoted.push(...parts.own.splice(greets))
      const below = isBelowTheirs ? lines.length : belowOurs(lines, at)
      parts.quoted.push(...lines.slice(at, below))
      if (below === lines.length) break
      isBelowOurs = true
      into = parts.own
      at = below - 1
      continue
    }
    const isFromProgram = isSentFrom(line) && (hasOwn || !goesOn(line))
    if (isFromProgram && into === parts.own && !hasOwn) {
      // On a phone people write below what the phone appends.
      parts.signature.push(line)
      continue
    }
    if (isDelimiter(line) || isFromProgram || (hasSaid && isClosing(line))) into = parts.signature
    else if (into === parts.signature && isPostscript(line)) into = parts.own
    push(line)
  }
  return parts
}

const joined = (part: ReadonlyArray<string>): string => {
  const last = part.findLastIndex((line) => !RULE.test(line))
  return part
    .slice(0, last + 1)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

/** Most paragraphs, and lines of one, that are looked at for a notice at a text's end and at its beginning. */
const PARAGRAPHS_MAX = 40
const PARAGRAPH_LINES_MAX = 60

/** The paragraphs of a text: between empty lines and drawn ones. */
const paragraphsOf = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<Array<string>> = [[]]
  for (const line of lines) {
    const last = found.at(-1)
    if (RULE.test(line) && last !== undefined && last.length > 0) found.push([line])
    else if (RULE.test(line)) last?.push(line)
    else if (last !== undefined && last.length > 0 && last.every((one) => RULE.test(one))) found.push([line])
    else last?.push(line)
  }
  return found.filter((paragraph) => paragraph.length > 0)
}

const isEmpty = (paragraph: ReadonlyArray<string>): boolean => paragraph.every((line) => RULE.test(line))

/** The line of a paragraph at which a notice begins that goes on to its end; its length: none does. */
const noticeWithin = (paragraph: ReadonlyArray<string>): number => {
  if (noticeIn(paragraph.join(" ")) !== null) {
    // The writer's own lines may stand right above it.
    for (let at = Math.min(paragraph.length, PARAGRAPH_LINES_MAX) - 1; at > 0; at--) {
      const above = paragraph.slice(0, at).join(" ")
      if (
        /[.!?:。]["')]?\s*$/.test(paragraph[at - 1] ?? "") &&
        noticeIn(above) === null &&
        noticeIn(paragraph.slice(at).join(" ")) !== null
      )
        return at
    }
    return 0
  }
  for (let at = 1; at < Math.min(paragraph.length, PARAGRAPH_LINES_MAX); at++) {
    if (noticeIn(paragraph.slice(at).join(" ")) !== null) return at
  }
  return paragraph.length
}

/** Most sentences of a line that are looked at for where a notice begins. */
const SENTENCES_MAX = 20

/** Where a notice begins behind sentences that are none, in one paragraph; 0: nowhere. */
const noticeBehind = (text: string): number => {
  const ends = [...text.slice(0, TEXT_CHARS_MAX).matchAll(/[.!?。](?=\s)/g)].slice(0, SENTENCES_MAX)
  let from = 0
  for (const { index } of ends) {
    if (!isNoNotice(text.slice(from, index + 1))) break
    from = index + 1
  }
  return from
}

/** Takes notices from the end of a text, and those that a gateway puts at its beginning. */
const withoutNotices = (
  lines: ReadonlyArray<string>
): { readonly own: ReadonlyArray<string>; readonly notices: ReadonlyArray<string> } => {
  const paragraphs = [...paragraphsOf(lines)]
  const notices: Array<ReadonlyArray<string>> = []
  for (let tries = 0; tries < PARAGRAPHS_MAX; tries++) {
    const last = paragraphs.at(-1)
    if (last === undefined) break
    if (isEmpty(last)) {
      paragraphs.pop()
      continue
    }
    const from = noticeWithin(last)
    if (from === last.length) break
    paragraphs.pop()
    notices.unshift(last.slice(from))
    if (from > 0) paragraphs.push(last.slice(0, from))
  }
  let first = 0
  for (let at = 0; at < Math.min(paragraphs.length, PARAGRAPHS_MAX); at++) {
    const paragraph = paragraphs[at] ?? []
    if (isEmpty(paragraph)) continue
    if (noticeIn(paragraph.join(" ")) !== "sure") break
    notices.unshift(paragraph)
    first = at + 1
  }
  const own = paragraphs.slice(first).flat()
  // What only seems to be a notice is not thrown away if nothing else is said.
  const isLost = joined(own) === "" && notices.some((notice) => noticeIn(notice.join(" ")) === "likely")
  if (isLost) return { own: lines, notices: [] }
  const [highest, ...others] = notices
  if (highest === undefined || joined(own) !== "") return { own, notices: notices.flat() }
  // An answer and a notice may stand in one line.
  const text = highest.join("\n")
  const from = noticeBehind(text)
  return from === 0
    ? { own, notices: notices.flat() }
    : { own: [text.slice(0, from)], notices: [text.slice(from).trim(), ...others.flat()] }
}

/**
 * Separates a plain text. Quoted lines are never own text. What a person wrote is never thrown away: if a cut would leave
 * nothing, it is not made.
 */
export const separate = (text: string): SeparatedText => {
  const lines = withoutInitials(
    text
      .slice(0, TEXT_CHARS_MAX)
      .replace(/\r\n?/g, "\n")
      .replace(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, "")
      .split("\n", LINES_MAX)
  )
  const { own: above, quoted, signature } = split(lines)
  const hasAbove = joined(above) !== ""
  // A text that begins with a delimiter is all that its writer says; if it also quotes, what stands below the first gap.
  const beginsAsSignature = !hasAbove && isDelimiter(signature.find((line) => line.trim() !== "") ?? "")
  const gap = joined(quoted) === "" ? 0 : joined(signature).split("\n").indexOf("")
  const isAllSignature = beginsAsSignature && gap !== -1
  const below = isAllSignature ? joined(signature).split("\n").slice(gap) : []
  const { notices, own } = withoutNotices(isAllSignature ? below.filter((line) => !isDelimiter(line)) : above)
  return {
    own: joined(own),
    signature: isAllSignature ? joined(joined(signature).split("\n").slice(0, gap)) : joined(signature),
    notices: joined(notices),
    quoted: joined(quoted)
  }
}

/** The writer's own text without quotations, signature and notices. */
export const ownText = (text: string): string => separate(text).own
