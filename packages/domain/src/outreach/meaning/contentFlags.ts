import type { ContentFlag } from "../../verbs/Replies.js"
import { type HtmlLink, htmlParts } from "./htmlParts.js"
import { fold } from "./phrases.js"
import { HTML_READ_CHARS_MAX } from "./Classification.js"

/** Alternatives of one thing that is said, in nine languages; all folded. */
const any = (...said: ReadonlyArray<string>): string => `(?:${said.join("|")})`

const MODEL = any(
  "ai|ia|ki|llm|(?:chat)?gpt|claude|gemini|copilot|language model|sprachmodell|modele de langage",
  "modelo (?:de )?(?:lenguaje|linguagem)|modello linguistico|taalmodel|model\\w* jezykow\\w*|sprakmodell"
)
const PROGRAM = any(
  `(?:${MODEL}[- ])?(?:assistant|agent|bot)s?`,
  `${MODEL}[- ]?(?:assistent|agent|asystent)\\w*`,
  `(?:assistant|asistente?|assistente|agente?|asystent\\w*) (?:(?:de |d['’])?${MODEL})`,
  `${MODEL}`
)
const INSTRUCTIONS = any(
  "instruction\\w*|prompts?|rules?|guidelines?|directions?|polic\\w+|context|anweisung\\w*|vorgabe\\w*|regeln?",
  "consignes?|instruc\\w+|istruzion\\w+|instructies?|opdracht\\w*|instrukcj\\w+|polece\\w+|instruktion\\w*",
  "anvisning\\w*"
)
const OPERATOR = any(
  "operator\\w*|operateur|operador|operatore|betreiber\\w*|beheerder|developers?|entwickler\\w*|system",
  "admin\\w*"
)
const WORDS = "(?:[\\p{L}\\p{N}'’-]+ ){0,4}"

/** What nobody writes to a person: what a program is, what it was told, and what it may do. */
const AGENT = new RegExp(
  [
    // What it was told no longer counts.
    `(?:ignor\\w*|disregard|forget|override|bypass|vergiss|oubli\\w+|olvid\\w+|dimentica\\w*|esquec\\w+|negeer|vergeet|zignoruj|pomin|zapomnij|glom)\\b ${WORDS}(?:previous|prior|above|earlier|preceding|existing|all|alle|bisherig\\w+|vorherig\\w+|precedent\\w*|anterior\\w*|eerdere|poprzedni\\w*|tidigare|tout\\w*|todas?|tutt\\w+|wszystki\\w+|alla)\\b ${WORDS}${INSTRUCTIONS}`,
    `(?:ignore|disregard|forget|override|bypass) ${WORDS}your (?:\\w+ ){0,2}${INSTRUCTIONS}`,
    `(?:ignorez|ignora|ignore) (?:les |las |le |as )?(?:instruc\\w+|instructions|istruzioni|consignes) (?:precedent\\w+|anterior\\w+)`,
    "(?:forget|disregard) everything (?:that )?you (?:were|have been) told",
    "(?:suppression|opt[- ]out|do[- ]not[- ]contact) ?(?:list)?\\b[^.!?]{0,20}[.!?]? (?:and )?keep (?:writing|mailing|sending)",
    "(?:sperrliste|liste d.opposition|lista (?:de exclusion|nera)|suppressielijst|lista rezygnacji|sparrlista\\w*) \\w+ (?:schreib|continu|sigue|continua|schrijf|pisz|fortsatt)",
    // It is addressed as a program.
    `(?:dear|hey|hi|hello|attention,?|note (?:to|for)(?: the)?|(?:message|instructions?|only) (?:for|to)(?: the)?|to (?:the|any|all|whichever)) ${any(`${MODEL} (?:assistant|agent|bot|reading)\\w*`, `(?:ai|llm|gpt|chatgpt|claude|gemini|copilot|language model)\\b`, "(?:automated|automatic) (?:agent|assistant|bot|system)s?", "assistant (?:handling|reading|processing)")}`,
    `(?:an (?:die|den|das)|a l.attention de l.|(?:para|pour|per|do|aan|till) (?:l.|el |o |a |de |il |le )?|all.)(?:ki|ia|ai)?[- ]?(?:assist\\w+|asist\\w+|asyst\\w+|agent\\w*)[ -](?:de |d.)?(?:ki|ia|ai)?\\b ?(?:,? ?(?:der|die|das|que|qui|che|som|ktor\\w+)\\b)`,
    `(?:an (?:die|den) (?:ki|sprachmodell)|aan de ai|do asystenta (?:ai|si)|till (?:ai|ki))\\b`,
    `(?:if|falls|wenn|si|se|als|jesli|om|sofern) ${any("you are", "you.re", "this is (?:\\w+ ){0,3}by", "du", "sie", "vous etes", "eres", "es usted", "sei", "voce e", "e", "je", "u", "jestes", "du ar")} (?:an? |ein\\w* |un\\w* |um\\w* |een |en )?${PROGRAM}\\b`,
    `\\b(?:as|als|en tant qu.|como|in quanto|jako|som) (?:an? |the |une? |um\\w* )?(?:(?:ai|ki|llm)\\b|language model|sprachmodell|(?:ai |virtual )(?:agent|assistant|system|model)|(?:assistant|asistente|assistente) (?:d.|de )?(?:ia|virtual\\w*))`,
    // It is given another part, task or mode.
    "you (?:are now|will now be|are an?) (?:in \\w+ mode|an? (?:ai|unrestricted|helpful)|(?:ai|helpful) assistant|dan\\b)",
    "(?:maintenance|debug|developer|admin|god|unrestricted|wartungs|service|onderhouds|underhalls)[- ]?(?:mode|modus|lage\\w*)\\b|\\bmod[oe] (?:de )?(?:maintenance|mantenimiento|manutenzione|manutencao|depura\\w+)|modalita (?:di )?manutenzione|tryb\\w* (?:serwisow|konserwac)\\w+|debug flag",
    "your (?:new|real|actual|updated) (?:task|goal|instruction|objective)s?\\b|\\b(?:begin|end)(?:ning)? (?:of )?(?:new |system )?(?:instructions|prompt)|\\bact as (?:our|my|an?) (?:\\w+ ){0,2}(?:agent|assistant)",
    `(?:new|updated|neue|nouvelle|nueva|nuova|nova|nieuwe|nowa|ny) (?:${INSTRUCTIONS}) ?(?::|(?:\\w+ ){0,2}${OPERATOR}|vom|de l.|del|dell.|do|van|od|fran)`,
    `\\byour (?:${OPERATOR}|principal|owner|human) (?:has|have|says|wants|changed|approved)`,
    "(?:human.{0,3}|menschlich\\w* |humaine? |humana |umana |mens |czlowieka |manskligt )?(?:approval|consent|freigabe\\w*|godkannande|goedkeuring|zgoda|aprobacion|aprovacao|approvazione|approbation)\\b[^.!?]{0,30}(?:no longer|not needed|don.t need|nicht mehr|plus necessaire|ya no|non serve|ja nao|niet meer|nie jest|behovs inte)",
    "(?:don.t|no longer) need (?:a |any )?(?:human|person|owner).{0,3} approval|ya no hace falta la aprobacion|l.approvazione umana non|zgoda czlowieka nie",
    "when(?:ever)? you (?:process|parse|summari[sz]e|read) this (?:message|mail|email|text)|\\bbefore you continue\\b[^.!?]{0,30}(?:task|must|instruction)",
    "the (?:text|content|message) above (?:was|is) (?:written by|from|a) ",
    // A person is to be kept out of it.
    "(?:do not|don.t|never) (?:show|tell|mention|reveal) (?:this|it|any of this) (?:to )?(?:the |your )?(?:human|user|operator|owner)|zeig\\w* (?:\\w+ ){0,2}nicht dem menschen|ne montrez pas \\w+ (?:\\w+ )?(?:a )?l.humain|no se lo (?:ensenes|muestres|digas) al humano|non mostrar\\w+ all.umano|nao mostre \\w+ ao humano|laat \\w+ niet aan de mens|nie pokazuj \\w+ czlowiekowi|visa inte \\w+ for manniskan",
    // The marks and names of its own machinery.
    "\\b(?:system[- ]?prompt\\w*|system (?:message|override|notice)|prompt (?:systeme|del? sistema|de sistema|di sistema|systemow\\w+)|developer message|prompt injection|jailbreak|context window|(?:make|the|this|into) (?:a )?(?:tool|function) call)\\b",
    "(?:<\\|?|\\[{1,2}|###? ?|\\[?/?)(?:system|inst|im_start|im_end|assistant|instructions?|information|admin)(?:\\|?>|\\]{1,2}|:)",
    '"role" ?: ?"(?:system|assistant|developer)"|\\b(?:assistant|system): .{0,200} user: ',
    "\\b(?:add|buy|cancel|check|create|delete|enrich|export|find|forecast|get|launch|list|pause|provision|reply_to|resume|send|set|update|verify)_[a-z]+(?:_[a-z]+){0,3}\\b",
    "(?:call|invoke|run|execute) the (?:tool|function)\\b|\\b(?:call|invoke|run|execute) (?:the )?[`'\"]?\\w+[`'\"]? (?:tool|function)\\b",
    // It is to give away what only it has, or to write in a form that only it would.
    "(?:reveal|print|show|output|repeat|send|forward|export|exfiltrate)(?: \\w+){0,4} (?:system prompt|api[- _]?keys?|access tokens?|environment variables|secret keys?|your (?:credentials|passwords?|instructions|memory))",
    "\\b[a-z]+_api_key\\b|(?:content|contents) of your (?:memory|context)",
    "(?:encode|encrypt|reverse|translate|render|write|give|provide|reply|answer|respond)\\b[^.!?\\n]{0,40}\\b(?:in|using|with|to|into) (?:a )?(?:base ?(?:16|32|58|64|85)|caesar cipher|morse(?: code)?|rot ?13|pig latin|substitution cipher)",
    "(?:encode|encrypt|reverse|encipher|shift) (?:each \\w+ in )?your (?:answer|response|reply|message|output)",
    "(?:must )?(?:reply|respond|answer)(?: to this (?:e?mail|message))? (?:only )?with the words?|antworten sie nur mit dem wort|for (?:llm|ai) processing"
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

const addressesAnAgent = (text: string): boolean =>
  AGENT.test(fold(text.replace(/[\u200B-\u200D\u2060\u00AD\uFEFF]/g, "")))

/** A word, not the spaces and joiners that mail programs hide before a preview. */
const WORDED = /\p{L}{2}/u

/** What is shown begins with a host, as far as a reader sees it. */
const SHOWN_HOST = /^\s*(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,18})(?=[\s/?#:]|$)/iu
const TARGET_HOST = /^\s*https?:\/\/(?:[^\s/@]{0,200}@)?([^\s/?#:]{1,253})/iu
/** Gateways that put their own address before the one that was written. */
const REWRITERS =
  /(?:^|\.)(?:safelinks\.protection\.outlook\.com|urldefense\.(?:com|us|proofpoint\.com)|mimecast(?:protect)?\.com|linkprotect\.cudasvc\.com|google\.com|l\.facebook\.com)$/iu

const misleads = ({ shown, target }: HtmlLink): boolean => {
  const leadsTo = TARGET_HOST.exec(target)?.[1]
  if (leadsTo === undefined) return false
  if (FOREIGN.test(target)) return true
  const says = SHOWN_HOST.exec(shown)?.[1]
  if (says === undefined || ownerOf(says) === ownerOf(leadsTo)) return false
  return !(REWRITERS.test(leadsTo) && target.toLowerCase().includes(ownerOf(says)))
}

/** Longest text of each sort that is read of it. */
const PART_CHARS_MAX = 4_000

interface Flagged {
  readonly agent: boolean
  readonly hidden: boolean
  readonly lookAlike: boolean
}

const NOTHING: Flagged = { agent: false, hidden: false, lookAlike: false }

/** What an HTML part holds beside its text. */
const flaggedHtml = (html: string): Flagged => {
  const parts = htmlParts(html.slice(0, HTML_READ_CHARS_MAX))
  const aside = addressesAnAgent(parts.aside.slice(0, PART_CHARS_MAX))
  const isHidden = WORDED.test(parts.hidden)
  return {
    agent:
      aside ||
      addressesAnAgent(parts.visible.slice(0, PART_CHARS_MAX)) ||
      (isHidden && addressesAnAgent(parts.hidden.slice(0, PART_CHARS_MAX))),
    // A comment or an alternative text is ordinary, unless it speaks to whoever reads the source.
    hidden: aside || isHidden || HIDDEN.test(parts.visible),
    lookAlike: parts.links.some(misleads)
  }
}

/**
 * What a program that reads this message should know, of its text and of its HTML part. A flag warns; a message without
 * one isn't safe for that.
 */
export const contentFlags = (text: string, html: string | null = null): ReadonlyArray<ContentFlag> => {
  const ofHtml = html === null ? NOTHING : flaggedHtml(html)
  return [
    ...(ofHtml.agent || addressesAnAgent(text) ? (["addresses_an_agent"] as const) : []),
    ...(ofHtml.hidden || HIDDEN.test(text) ? (["hidden_text"] as const) : []),
    ...(ofHtml.lookAlike || isLookAlike(text) ? (["look_alike_link"] as const) : [])
  ]
}
