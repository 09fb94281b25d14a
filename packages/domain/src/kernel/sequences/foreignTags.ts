import { mergeFieldOf } from "./mergeFields.js"

/** A tag of another mail system, or a placeholder that nobody filled in. It would be sent as it stands. */
export interface ForeignTag {
  /** As it is written, cut. */
  readonly tag: string
  /** What to do instead. */
  readonly remedy: string
}

/** Stands for a variable of ours, so that no tag reaches over one. */
export const VARIABLE_MARK = "\uFFFC"

const TAG_CHARS_SHOWN = 80
const TAGS_MAX = 10

const FIELD = '[\\p{L}_][^\\s{}\\[\\]<>«»%|*@/\\\\"=;]*(?: [^\\s{}\\[\\]<>«»%|*@/\\\\"=;]+){0,6}'

const pattern = (open: string, close: string, before = "", after = ""): RegExp =>
  new RegExp(`${before}${open} ?(${FIELD}) ?${close}${after}`, "gu")

/** A bare word counts where words of a sentence stand: not inside a path, a call or a longer word. */
const APART_BEFORE = "(?<![\\p{L}\\p{N}_$#/\\\\.{])"

/** Written around any name, these are never a person's text. */
const CERTAIN: ReadonlyArray<RegExp> = [
  /(?<![\p{L}\p{N}*])\*\|[\p{L}_][\p{L}\p{N}_:=.\- ]{1,60}\|\*/gu,
  /%%=?[\p{L}_](?:[\p{L}\p{N}_ .()-]{0,60}[\p{L}\p{N}_)])?=?%%/gu,
  /\{%-? ?[\p{L}][^{}%\n]{0,200}%\}/gu,
  /<%[=-]? ?[\p{L}@][^<>%\n]{0,200}%>/gu,
  /\{[!$][\p{L}_][\p{L}\p{N}_.]{1,60}\}/gu
]

interface Bracket {
  readonly tags: RegExp
  /** Whether a name that may also be an ordinary word is a tag here. */
  readonly isTag: (name: string, tag: string, text: string) => boolean
}

const never = (): boolean => false
const isNameOrCompany = (name: string): boolean => /^(?:name|company)$/i.test(name)
const isCapital = (name: string): boolean => /^\p{Lu}/u.test(name)

const BRACKETS: ReadonlyArray<Bracket> = [
  { tags: pattern("\\[\\[", "\\]\\]"), isTag: () => true },
  // `[text](address)` is a link's text.
  {
    tags: pattern("(?<!\\[)\\[", "\\]", "", "(?![\\](])"),
    isTag: (name) => isNameOrCompany(name) || (isCapital(name) && /^(?:first|last|email)$/i.test(name))
  },
  { tags: pattern("<<", ">>"), isTag: (name) => /^(?:name|company|first|last|email)$/i.test(name) },
  { tags: pattern("«", "»"), isTag: never },
  // `<name>` is an argument of a command, or an element that is closed somewhere.
  {
    tags: pattern("(?<!<)<", ">", "", "(?!>)"),
    isTag: (name, _tag, text) => isCapital(name) && !text.includes(`</${name}>`)
  },
  {
    tags: pattern("[$#]?\\{", "\\}", APART_BEFORE, "(?![\\p{L}\\p{N}_}])"),
    isTag: (name) => /^(?:name|company|first|last|email|title|city)$/i.test(name)
  },
  {
    tags: pattern("(?<![\\p{L}\\p{N}%])%", "%", "", "(?![\\p{L}\\p{N}%])"),
    isTag: (_name, tag) => tag === tag.toUpperCase()
  },
  {
    tags: /(?<![\p{L}\p{N}_#~^@|$-])([#~^@|$]{1,2}|__|-)([\p{L}][\p{L}\p{N}_.]{1,40})\1(?![\p{L}\p{N}_#~^@|$-])/gu,
    isTag: never
  },
  { tags: /(?<![\p{L}\p{N}_$\\])\$([\p{L}][\p{L}\p{N}_]{1,40})(?![\p{L}\p{N}_$([\]]| ?=|->|;)/gu, isTag: never }
]

/** Braces in code: what is imported, a doc comment's type, sets and conditions. */
const CODE_BEFORE = /(?:\b(?:import|export|const|let|var)|@\w+) ?$/u
const TYPES =
  /^(?:string|number|boolean|bool|int|integer|float|double|char|object|array|null|undefined|void|any|unknown|true|false|none|str|list|dict)(?:\[\])?$/i
const CHOICE = /(?<![\p{L}\p{N}_$\\])\{([^{}\n]{0,300}\|[^{}\n]{0,300})\}/gu

const isChoice = (inside: string): boolean => {
  if (/["=;<>\\∈()[\]]/u.test(inside)) return false
  const options = inside.split("|").map((option) => option.trim())
  return options.some((option) => /\p{L}/u.test(option)) && !options.every((option) => TYPES.test(option))
}

/** Brackets of other widths are meant as the ordinary ones. One character for one. */
const WIDE = /[｛｝［］％＜＞｜＊＃]/gu
const narrow = (text: string): string => text.replace(WIDE, (sign) => sign.normalize("NFKC"))

/** Code is meant as it stands: between backticks, or in a fenced block. */
const CODE = /```[\s\S]*?```|`[^`\n]{1,300}`/gu

const remedyOf = (variable: string | null | undefined): string =>
  variable === undefined
    ? "write a variable such as {{first_name}}, or the words themselves"
    : variable === null
      ? "write the words themselves"
      : `write {{${variable}}}, or {{${variable}|…}} with a fallback`

interface Found extends ForeignTag {
  readonly at: number
}

/** Every tag in a template's own text, each once, in order; at most `TAGS_MAX`. Texts without brackets need no look. */
export const foreignTagsIn = (given: string): ReadonlyArray<ForeignTag> => {
  const text = narrow(given).replace(CODE, (code) => " ".repeat(code.length))
  if (!/[[{<«%*|#~^@$_-]/u.test(text)) return []
  const found: Array<Found> = []
  const add = (at: number, tag: string, remedy: string) => {
    if (!found.some((one) => one.at < at + tag.length && at < one.at + one.tag.length)) found.push({ at, tag, remedy })
  }
  for (const tags of CERTAIN) {
    for (const match of text.matchAll(tags)) {
      const name = match[0].replace(/[^\p{L}\p{N}_. ]/gu, "").trim()
      add(match.index, match[0], remedyOf(mergeFieldOf(name)?.variable))
    }
  }
  for (const { isTag, tags } of BRACKETS) {
    for (const match of text.matchAll(tags)) {
      const [tag] = match
      const name = (match[2] ?? match[1] ?? "").trim()
      const field = mergeFieldOf(name)
      if (field === null || CODE_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index))) continue
      if (field.isSure || isTag(name, tag, text)) add(match.index, tag, remedyOf(field.variable))
    }
  }
  for (const match of text.matchAll(CHOICE)) {
    const isCode = CODE_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index))
    if (!isCode && isChoice(match[1] ?? ""))
      add(match.index, match[0], "give the step `variants` instead of a choice of words")
  }
  const once = new Map(found.toSorted((a, b) => a.at - b.at).map(({ remedy, tag }) => [tag, { tag, remedy }]))
  return [...once.values()]
    .slice(0, TAGS_MAX)
    .map(({ remedy, tag }) => ({ tag: tag.replaceAll(VARIABLE_MARK, "…").slice(0, TAG_CHARS_SHOWN), remedy }))
}

/** Filters of template languages, as they stand after the bar. */
const FILTER =
  /^(?:default(?:_if_none)?|fallback|capitalize|upcase|downcase|uppercase|lowercase|upper|lower|title|titlecase|titleize|strip|trim|escape|truncate(?:words)?|replace|append|prepend|date)\b ?(?:[:(=]|\||$)/iu
const QUOTED = /^(["'“”‘’«„])(.*)["'“”‘’»]$/su

/** What is wrong with a variable's fallback. Null: nothing. */
export const fallbackMistake = (name: string, fallback: string): string | null => {
  const [, , inner] = QUOTED.exec(fallback) ?? []
  if (inner !== undefined) return `its quotation marks would be sent too; write {{${name}|${inner.trim()}}}`
  const [, words] = /^(?:default(?:_if_none)?|fallback) ?[:(=] ?["'“”‘’]?([^"'“”‘’()|]*)/iu.exec(fallback) ?? []
  if (words !== undefined) return `the text stands directly after the bar; write {{${name}|${words.trim() || "there"}}}`
  if (FILTER.test(fallback))
    return `filters are not known here; only a fallback stands after the bar: {{${name}|there}}`
  if (fallback.startsWith("|")) return `one bar is enough; write {{${name}|${fallback.replace(/^\|\s*/, "")}}}`
  return null
}
