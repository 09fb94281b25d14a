import { isWordForNothing } from "../text/nothing.js"
import { withoutEntities } from "../text/entities.js"
import { looksLikeField, type MergeField, mergeFieldOf } from "./mergeFields.js"

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

/** Written around any name, these are never a person's text. */
const CERTAIN: ReadonlyArray<RegExp> = [
  /(?<![\p{L}\p{N}*])\*\|[\p{L}_][^*\n]{1,100}\|\*|\|\*[\p{L}_][\p{L}\p{N}_]{1,60}\*\|/gu,
  /%%=?[\p{L}_](?:[\p{L}\p{N}_ .()-]{0,60}[\p{L}\p{N}_)])?=?%%|%%=[^%\n]{1,200}=%%|%%\[[^%\n]{1,300}\]%%/gu,
  /\{%[-=]? ?[\p{L}][^{}%\n]{0,200}%\}|\[% ?[\p{L}][^[\]%\n]{0,200}%\]/gu,
  /<%[=-]? ?[\p{L}@][^<>%\n]{0,200}%>|<\?(?:=|php\b)[^<>\n]{1,200}\?>|<#(?:if|list|assign)\b[^<>\n]{0,200}>/gu,
  /\{[!$]\$?[\p{L}_][^{}\n]{1,200}\}|(?<!\\)[$#%@]\{[!(]?[\p{L}_][^{}\n]{1,100}\}/gu,
  /\$\p{L}[\p{L}\p{N}_]{1,40}\([^()$\n]{1,80}\)\$|\{(?:spin|variation|endspin)\}|#(?:if|elseif|set|foreach) ?\(\$[^()\n]{1,100}\)|%\([\p{L}_][\p{L}\p{N}_]{1,60}\)[sd]/gu
]

interface Bracket {
  readonly tags: RegExp
  /** Whether a name that may also be an ordinary word is a tag here. */
  readonly isTag: (name: string, field: MergeField | null, tag: string, text: string) => boolean
}

const never = (): boolean => false
const isNameOrCompany = (name: string): boolean => /^(?:name|company)$/i.test(name)
const isCapital = (name: string): boolean => /^\p{Lu}/u.test(name)
const isWord = (name: string): boolean => /^(?:name|company|first|last|email|title|city|unsubscribe)$/i.test(name)

/** What stands between brackets; signs, quotes, a path and a fallback may be around the name. */
const within = (open: string, close: string, others: string, before = "", after = ""): RegExp =>
  new RegExp(`${before}${open}([^${others}\\n\uFFFC]{1,120})${close}${after}`, "gu")

/** A name between two signs alike. */
const NAME = "\\p{L}[\\p{L}\\p{N}_.:-]{1,60}"

/** What a writer means to look up for each person: `[Industry]`, `[Name of company]`. */
const OF_A_PERSON =
  /^(?:first|last|email|industry|city|state|country|title|position|role|department|date|day|time|topic|competitor|prospect|recipient|name of .+)$/i

const BRACKETS: ReadonlyArray<Bracket> = [
  {
    tags: within("\\[\\[", "\\]\\]", "[\\]"),
    isTag: (name) => name.split(APART).some((part) => mergeFieldOf(part.trim()) !== null)
  },
  // `[text](address)` is a link's text.
  {
    tags: within("(?<!\\[)\\[", "\\]", "[\\]", "", "(?![\\](])"),
    isTag: (name, field) =>
      isNameOrCompany(name) ||
      (isCapital(name) && OF_A_PERSON.test(name)) ||
      / names?$/i.test(name) ||
      (field?.isForeign ?? false)
  },
  { tags: within("<<", ">>", "<>"), isTag: isWord },
  { tags: within("«", "»", "«»"), isTag: never },
  { tags: within("‹", "›", "‹›"), isTag: isWord },
  { tags: within("\\(\\(", "\\)\\)", "()"), isTag: isWord },
  // `<name>` is an argument of a command, or an element that is closed somewhere.
  {
    tags: within("(?<!<)<", ">", "<>=@/", "", "(?!>)"),
    isTag: (name, field, _tag, text) => field !== null && isCapital(name) && !text.includes(`</${name}>`)
  },
  // Inside a path, a call or a longer word, braces are code.
  {
    tags: within("[*&^]?\\{", "\\}\\*?", "{}", "(?<![\\p{sc=Latin}\\p{N}_$#/\\\\.{])", "(?![\\p{sc=Latin}\\p{N}_])"),
    isTag: (name, field) => isWord(name) || (field?.isForeign ?? false) || looksLikeField(name)
  },
  {
    tags: /(?<![\p{L}\p{N}%])%([\p{L}][^%\n\uFFFC]{1,60})%(?![\p{L}\p{N}%])/gu,
    isTag: (name, field, tag) =>
      (field !== null && (field.isForeign || tag === tag.toUpperCase())) || /^(?:signature|unsubscribe)$/i.test(name)
  },
  { tags: /(?<![\p{L}\p{N}$])\$(\p{L}[\p{L}\p{N}_. -]{1,40})\$(?![\p{L}\p{N}$])/gu, isTag: never },
  { tags: /(?<![\p{L}\p{N}@])@(\p{L}[\p{L}\p{N}_. -]{1,40})\|?@(?![\p{L}\p{N}@])/gu, isTag: never },
  {
    tags: new RegExp(`(?<![\\p{L}\\p{N}_#~^@|$+-])([#~^@|$+]{1,2}|__?|-)(${NAME})\\1(?![\\p{L}\\p{N}_#~^@|$+-])`, "gu"),
    isTag: (name, field, tag) => (tag.startsWith("-") && isWord(name)) || (tag.startsWith("$$") && field !== null)
  },
  // A sign before it alone.
  {
    tags: /(?<![\p{L}\p{N}_$\\/.])(?:\$!?|@\(?|[!%])(\p{L}[\p{L}\p{N}_.-]{1,60})(?![\p{L}\p{N}_$([\]%]| ?=|->|>|;)/gu,
    isTag: never
  },
  { tags: /(?<![\p{L}\p{N}_)])\((\p{L}[\p{L}\p{N}_]{1,60})\)/gu, isTag: never }
]

/** What no name of a field has: signs, quotes, calls, and what separates a name from its fallback. */
const APART = /[^\p{L}\p{M}\p{N}_.'’ -]+|\bOR\b/u

/** A key of JSON is no tag. */
const JSON_KEY = /["']\s*:/u

/** `name,fallback=there`: what has a fallback is a field, whatever it is called. */
const WITH_FALLBACK = /^([\p{L}_][\p{L}\p{N}_ ]{0,40})[,|;:] ?(?:fallback|default)\b/iu

/** The field that brackets hold, however it is dressed there; null: none. */
const fieldIn = (inside: string): { readonly field: MergeField; readonly name: string } | null => {
  if (JSON_KEY.test(inside)) return null
  const [, named] = WITH_FALLBACK.exec(inside) ?? []
  const withFallback = named === undefined ? null : mergeFieldOf(named)
  if (named !== undefined && withFallback !== null) return { field: withFallback, name: named }
  for (const part of [inside, ...inside.split(APART)]) {
    const name = part.trim().replace(/^[.'’-]+|[.'’-]+$/gu, "")
    const field = mergeFieldOf(name)
    if (field !== null && field.isSure) return { field, name }
  }
  return null
}

/** Braces in code: what is imported, a doc comment's type, sets and conditions. */
const CODE_BEFORE = /(?:\b(?:import|export|const|let|var)|@\w+) ?$/u
const TYPES =
  /^(?:string|number|boolean|bool|int|integer|float|double|char|object|array|null|undefined|void|any|unknown|true|false|none|str|list|dict)(?:\[\])?$/i
const CHOICE = /(?<![\p{L}\p{N}_$\\])\{([^{}\n]{0,300}\|[^{}\n]{0,300})\}/gu

/** `{Hi|Hello}`, and not `{First Name|there}`. */
const isChoice = (inside: string, tag: string): boolean => {
  if (!tag.startsWith("{") || !inside.includes("|") || /["=;<>\\∈()[\]]/u.test(inside)) return false
  const options = inside.split("|").map((option) => option.trim())
  const [first = ""] = options
  const variable = /^\S*$|^\p{Lu}/u.test(first) ? mergeFieldOf(first)?.variable : undefined
  if (typeof variable === "string" && !variable.startsWith("custom.") && options.length < 3) return false
  return options.some((option) => /\p{L}/u.test(option)) && !options.every((option) => TYPES.test(option))
}

/** Brackets of other widths are meant as the ordinary ones. One character for one. */
const WIDE = /[｛｝［］％＜＞｜＊＃]/gu
const narrow = (text: string): string => text.replace(WIDE, (sign) => sign.normalize("NFKC"))

/** Code is meant as it stands: between backticks, or in a fenced block. */
const CODE = /```[\s\S]*?```|`[^`\n]{1,300}`/gu

export const withoutCode = (text: string): string => text.replace(CODE, "")

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
  // Some programs put a backslash before each bracket, or an entity in its place.
  const text = narrow(withoutEntities(given).replace(/\\(?=[{}[\]])/g, "")).replace(CODE, (code) =>
    " ".repeat(code.length)
  )
  if (!/[[{<«‹(%*|#~^@$_+!-]/u.test(text)) return []
  const found: Array<Found> = []
  const add = (at: number, tag: string, remedy: string) => {
    if (!found.some((one) => one.at < at + tag.length && at < one.at + one.tag.length)) found.push({ at, tag, remedy })
  }
  for (const tags of CERTAIN) {
    for (const match of text.matchAll(tags)) {
      add(match.index, match[0], remedyOf(fieldIn(match[0].replace(/^\W+|\W+$/gu, ""))?.field.variable))
    }
  }
  for (const { isTag, tags } of BRACKETS) {
    for (const match of text.matchAll(tags)) {
      const [tag] = match
      const inside = (match[2] ?? match[1] ?? "").trim()
      if (CODE_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index))) continue
      if (isChoice(inside, tag)) continue
      const sure = fieldIn(inside)
      const field = sure?.field ?? mergeFieldOf(inside)
      if (sure !== null || isTag(inside, field, tag, text)) add(match.index, tag, remedyOf(field?.variable))
    }
  }
  for (const match of text.matchAll(CHOICE)) {
    const isCode = CODE_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index))
    if (!isCode && isChoice(match[1] ?? "", match[0]))
      add(match.index, match[0], "give the step `variants` instead of a choice of words")
  }
  const once = new Map(found.toSorted((a, b) => a.at - b.at).map(({ remedy, tag }) => [tag, { tag, remedy }]))
  return [...once.values()]
    .slice(0, TAGS_MAX)
    .map(({ remedy, tag }) => ({ tag: tag.replaceAll(VARIABLE_MARK, "…").slice(0, TAG_CHARS_SHOWN), remedy }))
}

/** The filters that Liquid, Django, Jinja and Twig document. None of them is what a person is called. */
const FILTERS = new Set(
  [
    "abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape escape_once first",
    "floor join last lstrip map minus modulo newline_to_br plus prepend remove remove_first remove_last replace",
    "replace_first replace_last reverse round rstrip size slice sort sort_natural split strip strip_html strip_newlines sum",
    "times truncate truncatewords uniq upcase url_decode url_encode where add addslashes capfirst center cut",
    "default_if_none dictsort dictsortreversed divisibleby escapejs escapeseq filesizeformat floatformat force_escape",
    "get_digit iriencode json_script length length_is linebreaks linebreaksbr linenumbers ljust lower make_list",
    "phone2numeric pluralize pprint random rjust safe safeseq slugify stringformat striptags time timesince timeuntil",
    "title truncatechars truncatechars_html truncatewords_html unordered_list upper urlencode urlize urlizetrunc wordcount",
    "wordwrap yesno attr batch count d e float forceescape format groupby indent int items list max min reject rejectattr",
    "select selectattr string tojson trim unique xmlattr column convert_encoding country_name currency_name",
    "currency_symbol data_uri date_modify filter find format_currency format_date format_datetime format_number format_time",
    "html_to_markdown inky_to_html inline_css invoke json_encode keys language_name locale_name markdown_to_html merge nl2br",
    "number_format plural raw reduce shuffle singular slug spaceless timezone_name u"
  ].flatMap((line) => line.split(" "))
)

/** Of them, and of systems' own, those that are no words of a sentence. */
const SURE_FILTER =
  /^(?:capitali[sz]e|upcase|downcase|uppercase|lowercase|upper|lower|title_?case|titleize|proper(?:_?case)?|init_?cap|uc(?:first|words)|trim|json|lookup)$/iu

/** `strip_html`, `toUpperCase`, `company_name`. */
const OF_CODE = /^(?:[a-z]+(?:_[a-z\d]+)+|[a-z]+[A-Z]\w*)$/u

/** A filter with what it is given: `truncate: 10`, `or: "there"`, `ifempty('there')`, `default there`. */
const WITH_GIVEN = /^[\p{L}_]{1,30} ?[:=(] ?(?:["'“”‘’„‚]|\d)|^[\p{L}_]{1,30} ["'“„‘][^"'“”‘’]{0,100}["'”’]$/iu

const QUOTED = /^(["'“”‘’«„‚‹`])(.*)["'“”‘’»›`]$/su

const isOfNames = (name: string): boolean => !name.startsWith("custom.")

const isFilter = (name: string, text: string): boolean =>
  SURE_FILTER.test(text) ||
  OF_CODE.test(text) ||
  WITH_GIVEN.test(text) ||
  (isOfNames(name) && FILTERS.has(text.toLowerCase()))

/** What is wrong with a variable's fallback. Null: nothing. */
export const fallbackMistake = (name: string, fallback: string): string | null => {
  const [, , inner] = QUOTED.exec(fallback) ?? []
  if (inner !== undefined) return `its quotation marks would be sent too; write {{${name}|${inner.trim()}}}`
  const [, words] = /^(?:default(?:_if_none)?|fallback)\b ?[:(=]? ?["'“”‘’]?([^"'“”‘’()|]*)/iu.exec(fallback) ?? []
  if (words !== undefined && (isOfNames(name) || /^fallback|^\w+ ?[:(="'“‘]/iu.test(fallback)))
    return `the text stands directly after the bar; write {{${name}|${words.trim() || "there"}}}`
  const parts = fallback.split("|").map((part) => part.trim())
  if (fallback.startsWith("|") || fallback.endsWith("|"))
    return `one bar is enough; write {{${name}|${parts.filter((part) => part !== "").join(" ")}}}`
  if (isFilter(name, fallback) || (parts.length > 1 && isFilter(name, parts.at(-1) ?? "")))
    return `filters and variables are not known there; only a fallback's text stands after the bar: {{${name}|there}}`
  if (parts.length > 1) return `a fallback is one text; write {{${name}|${parts[0] ?? ""}}}`
  const field = mergeFieldOf(fallback)
  if (isOfNames(name) && field !== null && field.isSure && field.variable?.startsWith("custom.") === false)
    return `it is a field's name, and would be sent as it stands; write {{${name}|there}}, or {{${name}|}} for nothing`
  if (
    isOfNames(name) &&
    (isWordForNothing(fallback.toLowerCase(), true) ||
      fallback === "email" ||
      fallback.toLowerCase() === "your fallback")
  )
    return `it would be sent as it stands; write {{${name}|there}}, or {{${name}|}} for nothing`
  return null
}

/** Markup of pages. Messages are plain text, so that people would read it. */
const MARKUP =
  /<(?:!--|!DOCTYPE\b|\/?(?:html|head|body|p|br|div|span|table|tbody|tr|td|th|a|img|font|style|center|ul|ol|li|h[1-6]|t)(?=[\s>/]))[^<>]{0,300}>/iu
const ENTITY = /&(?:[a-z][a-z\d]{1,30}|#\d{1,7}|#x[\da-f]{1,6});/giu

/** Markup and entities in a template's own text, as they stand there; null: there are none. */
export const markupIn = (given: string): string | null => {
  const text = withoutCode(given)
  const entity = (text.match(ENTITY) ?? []).find((one) => withoutEntities(one) !== one)
  return MARKUP.exec(text)?.[0].slice(0, TAG_CHARS_SHOWN) ?? entity ?? null
}
