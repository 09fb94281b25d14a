import type { ProviderFailureReason } from "../../sources/ports/Source.js"

/** What an upstream said in words. */
export interface UpstreamWords {
  /** Fit to be shown; null: nothing. */
  readonly shown: string | null
  /** What they say plainly. */
  readonly names: ProviderFailureReason | null
  /** What they are about, where nothing else tells. */
  readonly suggests: ProviderFailureReason | null
}

const SAID_CHARS_MAX = 300

const CONTROL = /\p{Cc}+/gu

/** The text between two marks, which a page has once; null without them. */
const between = (page: string, lower: string, tag: string): string | null => {
  const opened = lower.indexOf(`<${tag}`)
  const from = opened < 0 ? -1 : lower.indexOf(">", opened)
  const until = from < 0 ? -1 : lower.indexOf(`</${tag}`, from)
  return until < 0 ? null : page.slice(from + 1, until)
}

/** A page's own name for what went wrong; nothing of the rest of it is for readers. */
const headOf = (page: string): string => {
  const lower = page.toLowerCase()
  const head = between(page, lower, "title") ?? between(page, lower, "h1") ?? ""
  return head
    .replaceAll(/<[^<>]{0,200}>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&nbsp;", " ")
}

const isPage = (text: string): boolean => /^\s{0,100}<(?:!doctype|html|head|body|\?xml|center|h1|title)/i.test(text)

/** One line of at most 300 characters, never cut within one. */
const short = (text: string): string => {
  const line = (isPage(text) ? headOf(text) : text.slice(0, 4 * SAID_CHARS_MAX)).replace(CONTROL, " ").trim()
  return /^[^]{0,299}[\ud800-\udbff]$/.test(line.slice(0, SAID_CHARS_MAX))
    ? line.slice(0, SAID_CHARS_MAX - 1)
    : line.slice(0, SAID_CHARS_MAX)
}

/** Words before what a sentence is about. */
const BEFORE =
  "(?:(?:error|the|your|an?|no|this|or|multiple|provided|supplied|incorrect|invalid|valid|missing|expired|unknown|wrong|bad|" +
  "please|pass|provide|supply|check|you|have|has|reached|exceeded|specified|current|api)[\\s:]{1,3}){0,8}"

/** What proves who the service is. */
const PROOF =
  "(?:api[ _-]?(?:key|token)s?|access[ _-]token|bearer token|subscription key|authentication|authori[sz]ation|credentials|" +
  "x-api-key)\\b"

/** What the service has at its upstream, and what became of it. */
const ACCOUNT =
  "(?:(?:credit|account) balance|account credits?|usage limits|budget has been|(?:api )?free tier|api versions?|" +
  "(?:account|organization|project|team|workspace|subscription) (?:\\S{1,100} )?(?:is|has|must|does|needs|was)\\b)"

/**
 * The service itself is refused: its key, its credit, its model's name. Only from the first word on, because what comes
 * later may repeat the caller's words, and a caller must not be able to say this.
 */
const OF_THE_SERVICE: ReadonlyArray<RegExp> = [
  new RegExp(`^${BEFORE}${PROOF}`, "i"),
  new RegExp(`^${BEFORE}${ACCOUNT}`, "i"),
  /^gemini api free tier is not available\b/i,
  /^you (?:did ?n[o']t|did not|must|need to) provide an? api[ _-]?key/i,
  /^unauthori[sz]ed\b/i,
  /^(?:insufficient|not enough|no remaining|out of) (?:account )?(?:balance|credits?|funds|quota)\b/i,
  /^(?:user |your )?location is not supported\b/i,
  /^(?:the )?model (?:[`'"]?[^\s`'"]{1,200}[`'"]? )?(?:does not exist|(?:is )?not found|(?:is )?not exist|has been (?:decommissioned|deprecated|retired)|is (?:blocked|no longer)\b)/i,
  /^(?:\{'error': '\/[\w/]{1,40}: )?invalid model(?: name)?\b(?! (?:parameter|setting|option|config))/i,
  /^[`'"]?[^\s`'"]{1,200}[`'"]? is not a valid model\b/i,
  /^(?:the )?(?:provided )?model identifier is invalid\b/i,
  /^invocation of model id \S{1,200} with on-demand throughput\b/i,
  /^(?:unknown|unavailable) model: /i,
  /^unable to access (?:[\w-]{1,40} )?model\b/i,
  /^no models? (?:is |are )?loaded\b/i
]

/** A place in the request stands before what is wrong with it: the caller named it. */
const OF_THE_REQUEST = /^(?!error\b|\{'error)[^\s:]{1,200}:(?:\s|$)/i

/** The prompt is too long, in the words of most servers. */
const TOO_LONG =
  /maximum context length|context (?:length|window|size)|prompt is too long|too many (?:input |prompt )?tokens|input is too long|(?:input|prompt) token count/i

export const wordsOf = (text: string): UpstreamWords => {
  const line = short(text)
  return {
    shown: line === "" ? null : line,
    names: !OF_THE_REQUEST.test(line) && OF_THE_SERVICE.some((words) => words.test(line)) ? "account" : null,
    suggests: TOO_LONG.test(line) ? "invalid" : null
  }
}
