import type { ContentFlag } from "../../verbs/Replies.js"
import { fold } from "./phrases.js"

const AGENT = new RegExp(
  [
    "(?:ignore|disregard|forget|override|bypass) (?:\\w+ ){0,4}(?:previous|prior|above|earlier|preceding|existing|your|all)(?: \\w+){0,3} (?:instruction|prompt|rule|guideline|direction|polic|context)\\w*",
    "(?:dear |hey |hi |hello |attention,? |note to |to the |message (?:for|to) (?:the )?)(?:ai|llm|gpt|chatgpt|claude|gemini|copilot|assistant|language model|(?:ai |email |automated )(?:agent|assistant|bot))\\b",
    "(?:if you are|as) an? (?:ai|llm|language model|(?:ai |automated |virtual )(?:agent|assistant|system|model))\\b",
    "\\b(?:system prompt|system message|developer message|prompt injection|jailbreak|new instructions?:|updated instructions?:|system override|tool call|function call)\\b",
    "(?:<\\|?|\\[|###? ?|\\[?/?)(?:system|inst|im_start|im_end|assistant|instructions?|information)(?:\\|?>|\\]|:)",
    "you (?:are now|must now|will now|are an? (?:ai|helpful|assistant))\\b",
    "(?:reveal|print|show|output|repeat|send|forward|exfiltrate)(?: \\w+){0,4} (?:system prompt|api[- _]?keys?|access tokens?|credentials?|passwords?|secret keys?|your instructions)",
    "(?:call|invoke|use|run|execute) (?:the )?[`'\"]?\\w+[_ ]?\\w*[`'\"]? (?:tool|function|api)\\b",
    "ignorier\\w* (?:\\w+ ){0,4}(?:anweisung|vorgabe|regel)\\w*|(?:an (?:die|den) )(?:ki|assistent\\w*|sprachmodell)\\b|als (?:ki|sprachmodell)\\b",
    "ignore[zr]? (?:\\w+ ){0,4}(?:instruction|consigne)\\w*|en tant qu'?(?:ia|assistant)\\b",
    "ignor\\w+ (?:\\w+ ){0,4}(?:instruc|istruzion)\\w+|como (?:una? )?(?:ia|asistente|assistente)\\b|in quanto (?:ia|assistente)\\b",
    "negeer (?:\\w+ ){0,4}(?:instructie|opdracht|regel)\\w*|(?:zignoruj|pomin) (?:\\w+ ){0,4}(?:instrukcj|polece)\\w*|ignorera (?:\\w+ ){0,4}(?:instruktion|anvisning)\\w*"
  ].join("|"),
  "u"
)

/** Tag characters, controls of direction, and runs of characters without width; a single joiner is ordinary. */
const HIDDEN =
  /[\u{E0000}-\u{E007F}]|[\u202A-\u202E\u2066-\u2069]|[\u200B\u2060\u2062-\u2064\uFEFF]{2,}|(?<=[a-z])[\u200B\u2060\u00AD\uFEFF](?=[a-z])/iu

/** A host that is shown, and where it leads: `[shown](target)`, `shown <target>`. */
const SHOWN =
  /\[?\b(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,18})(?:\/[^\s\]<>()]{0,200})?\]? ?[(<]\s*https?:\/\/([^\s/<>():]{1,253})/giu

/** A host with letters of two scripts, or in Punycode. */
const FOREIGN =
  /https?:\/\/(?:[^\s/@]{0,100}@|[^\s/]{0,100}(?:xn--|(?:[a-z]{1,63}[\u0370-\u03FF\u0400-\u04FF]|[\u0370-\u03FF\u0400-\u04FF][a-z])))/iu

/** The last two labels: enough to see that two hosts belong together. */
const ownerOf = (host: string): string => host.toLowerCase().split(".").slice(-2).join(".")

const isLookAlike = (text: string): boolean =>
  FOREIGN.test(text) ||
  [...text.matchAll(SHOWN)].some(([, shown, target]) => ownerOf(shown ?? "") !== ownerOf(target ?? ""))

/** What a program that reads this text should know. A flag warns; a text without one isn't safe for that. */
export const contentFlags = (text: string): ReadonlyArray<ContentFlag> => [
  ...(AGENT.test(fold(text.replace(/[\u200B-\u200D\u2060\u00AD\uFEFF]/g, "")))
    ? (["addresses_an_agent"] as const)
    : []),
  ...(HIDDEN.test(text) ? (["hidden_text"] as const) : []),
  ...(isLookAlike(text) ? (["look_alike_link"] as const) : [])
]
