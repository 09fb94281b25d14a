import { addressIn, fieldsOf, type MailContent, valueOf, valuesOf } from "../mail/mail.js"

/**
 * How a message failed to reach a person.
 *
 * - `hard`: the address permanently doesn't exist.
 * - `soft`: it may work another time; counted.
 *
 * A refusal of the sender (5.7.x: policy, reputation, authentication) is soft: it says nothing about the person.
 */
export interface Bounce {
  readonly type: "hard" | "soft"
  /** The enhanced status code (RFC 3463). */
  readonly status: string
}

export interface Reported {
  readonly bounce: Bounce
  readonly recipient: string | null
}

const STATUS = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/

/** Texts that mean "no such person", for servers without a clear code. */
const UNKNOWN_PERSON =
  /user unknown|unknown user|no such (?:user|mailbox|recipient|person|address)|(?:mailbox|user|recipient|account|address)[^.\n]{0,60}(?:does not exist|doesn't exist|not found|unknown|no longer (?:exists|valid|available))|(?:recipient|address) (?:is )?rejected|(?:no|not a valid) mailbox|couldn't (?:find|be found)|wasn't found|(?:domain|host)[^.\n]{0,60}(?:does not exist|not found|couldn't be found)|unrouteable address|account (?:has been |is )?(?:disabled|closed|deleted)/i
const FULL =
  /(?:mailbox|inbox|quota|storage)[^.\n]{0,40}(?:full|exceeded|over)|over ?quota|out of storage|insufficient (?:system )?storage/i
const POLICY =
  /\b(?:spam|blacklist|blocklist|blocked|reputation|spamhaus|dmarc|dkim|spf|policy|unsolicited|not authenticated|relay(?:ing)? denied)\b/i
/** The server could not reach another one; this says nothing about the person. */
const UNREACHED = /\btime(?:d )?-?out\b|\bretry time\b|connection (?:refused|reset|timed)/i
const GENERIC = /^[45]\.(?:0\.0|5\.0|3\.0)$/

/** Codes of class 5 that another message, or a retry on another day, may survive. */
const PASSING = /^5\.(?:2\.[23]|3\.\d+|5\.\d+|4\.(?:[02356789]|1[04]|2\d|7)|6\.\d+)$/

const bounceOf = (status: string): Bounce => {
  const isHard = status.startsWith("5") && !status.startsWith("5.7.") && !PASSING.test(status)
  return { type: isHard ? "hard" : "soft", status }
}

/** The code implied by a server's text, if its own code says nothing. */
const statusOfWords = (words: string): string | null => {
  if (FULL.test(words)) return "5.2.2"
  if (UNKNOWN_PERSON.test(words)) return "5.1.1"
  if (POLICY.test(words)) return "5.7.1"
  return UNREACHED.test(words) ? "4.4.1" : null
}

/** The most specific status in a server's fields and text. */
const statusOf = (declared: string, words: string): string => {
  const code = STATUS.exec(declared)?.[0] ?? null
  if (code !== null && !GENERIC.test(code)) return code
  const said = STATUS.exec(words)?.[0] ?? null
  if (said !== null && !said.startsWith("2") && !GENERIC.test(said)) return said
  const passing = code?.startsWith("4") === true || (code === null && /\b4\d\d[ -]/.test(words))
  if (passing) return code ?? "4.0.0"
  return statusOfWords(words) ?? code ?? "5.0.0"
}

/** Most recipients of a report that we read; our messages have one. */
const RECIPIENTS_MAX = 20

/** Longest part of a report that we read. */
const REPORT_CHARS_MAX = 50_000

/**
 * The failure in a `message/delivery-status` part (RFC 3464); null: it reports none, but a delivery, a relay or a
 * delay.
 */
export const reportedBounce = (text: string): Reported | null => {
  const groups = text
    .slice(0, REPORT_CHARS_MAX)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter((fields) => fields.some(({ name }) => name === "final-recipient" || name === "original-recipient"))
    .slice(0, RECIPIENTS_MAX)
  const failed = groups.find((fields) => /^failed\b/i.test(valueOf(fields, "action")))
  if (failed === undefined) return null
  const recipients = ["original-recipient", "final-recipient"].flatMap((name) => valuesOf(failed, name))
  return {
    bounce: bounceOf(statusOf(valueOf(failed, "status"), valueOf(failed, "diagnostic-code"))),
    recipient: recipients.map(addressIn).find((found) => found !== null) ?? null
  }
}

/** Phrases by which servers without RFC 3464 report that they gave up. */
const GAVE_UP =
  /undeliver(?:able|ed)|delivery (?:status notification \(failure\)|has failed|failed|failure)|(?:mail|message) (?:delivery )?(?:failed|failure|could not be delivered)|returned (?:mail|to sender)|failure notice|couldn't be delivered|could not be delivered|wasn't able to deliver|unable to deliver|permanent (?:fatal )?error|nicht zugestellt|unzustellbar|non remis|no se pudo entregar|non [èe] stato possibile recapitare/i
const STILL_TRYING =
  /delay(?:ed)?\b|will (?:keep|continue) (?:trying|to try)|warning: (?:message|could not send)|verz[öo]gert/i

/** How much of a plain report counts as the server's own text; below it quotes the message. */
const PLAIN_CHARS_MAX = 8_000
const BELOW = /^-{2,}.{0,20}(?:below this line|original message|returned message|copy of|this is a copy)/im

/** The failure that a mail server reports in plain text (qmail, exim, older servers); null: none. */
export const plainReport = ({ headers, subject, text }: MailContent): Reported | null => {
  const words = (text.split(BELOW, 1)[0] ?? "").slice(0, PLAIN_CHARS_MAX)
  const failed = valueOf(headers, "x-failed-recipients")
  if (failed === "" && STILL_TRYING.test(subject)) return null
  if (failed === "" && !GAVE_UP.test(`${subject}\n${words}`)) return null
  const named = failed === "" ? (/<([^<>\s]{1,320}@[^<>\s]{1,255})>:?/.exec(words)?.[1] ?? "") : failed
  return { bounce: bounceOf(statusOf("", words)), recipient: addressIn(named) }
}
