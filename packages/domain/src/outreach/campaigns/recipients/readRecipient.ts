import { Option } from "effect"
import { emailFlaw, usableEmail } from "../../../kernel/people/EmailAddress.js"
import { givenValue } from "../../../kernel/people/givenValues.js"
import { mailRefusal, REFUSAL_WORDS } from "../../../kernel/people/mailRefusals.js"
import type { ValueEvidence } from "../../../kernel/sequences/evidence.js"
import type { Recipient } from "../../../kernel/sequences/Sequence.js"
import { ownValue } from "../../../kernel/sequences/template.js"
import {
  CUSTOM_VALUE_CHARS_MAX,
  EMAIL_CHARS_MAX,
  NAME_CHARS_MAX,
  type RecipientField
} from "../../../verbs/campaignFields.js"
import { type EvidenceField, evidenceVariable } from "../../../verbs/evidenceFields.js"
import { cut } from "../../../kernel/text/cut.js"

/** What is wrong with a recipient's value. */
export const PROBLEMS = ["missing", "placeholder", "too_long", "unusable_address", "opted_out", "bounced"] as const
export type Problem = (typeof PROBLEMS)[number]

/** Why a recipient can't be written to, by the value that has to be mended. */
export interface Fault {
  /** As recipients name it: `email`, `first_name`, `custom.city`. */
  readonly field: string
  readonly problem: Problem
  /** As given, cut; null: nothing was. */
  readonly value: string | null
  /** A sentence without its subject: "is empty, and the messages have no fallback for it". */
  readonly message: string
}

/** Longest part of a value that a fault shows. */
export const FAULT_VALUE_CHARS_MAX = 200

const shown = (value: string): string => cut(value, FAULT_VALUE_CHARS_MAX)

/** A recipient as they were read. */
export interface Read {
  readonly recipient: Recipient
  readonly faults: ReadonlyArray<Fault>
  /** What stood in a value's place and is none, by field. */
  readonly placeholders: ReadonlyMap<string, string>
}

const tooLong = (field: string, value: string, charsMax: number): Fault => ({
  field,
  problem: "too_long",
  value: shown(value),
  message: `has more than ${charsMax} characters`
})

/** Before the "@", what a program left in an address's place: `{{email}}`, `%EMAIL%`, `*|EMAIL|*`, a formula that failed. */
const UNFILLED = /^\s*(?:\{\{?[^{}@]+\}\}?|%[\w-]+%|\*\|[^@]+\|\*|#(?:n\/a|ref!|value!|name\?))@/i

const addressFault = (given: string): Fault =>
  given.trim() === ""
    ? { field: "email", problem: "missing", value: null, message: "is empty" }
    : given.length > EMAIL_CHARS_MAX
      ? tooLong("email", given, EMAIL_CHARS_MAX)
      : {
          field: "email",
          problem: "unusable_address",
          value: shown(given),
          message: emailFlaw(given) ?? "has a tag or a formula in it that nobody filled in"
        }

/** What the row itself says against mailing the person, as a CRM's or mail system's export does. */
const refusalFaults = (custom: RecipientField["custom"]): ReadonlyArray<Fault> => {
  const found = mailRefusal(Object.entries(custom ?? {}).map(([name, value]) => [name, value ?? ""] as const))
  return found === null
    ? []
    : [
        {
          field: `custom.${found.heading}`,
          problem: found.word,
          value: shown(found.value),
          message: REFUSAL_WORDS[found.word]
        }
      ]
}

/** What among these says that the person said no. */
export const optOutIn = (faults: ReadonlyArray<Fault>): Option.Option<Fault> =>
  Option.fromNullishOr(faults.find(({ problem }) => problem === "opted_out"))

/** Whether a row says so of its person, or that mail to them came back: then no other row brings them. */
export const isRefused = ({ faults }: Read): boolean =>
  Option.isSome(optOutIn(faults)) || faults.some(({ problem }) => problem === "bounced")

/** A caller's evidence, before anybody looked. */
const evidenceOf = (given: Readonly<Record<string, EvidenceField>> | undefined): ReadonlyArray<ValueEvidence> =>
  Object.entries(given ?? {}).map(([name, { excerpt, observed_at, request_id, url }]) => ({
    variable: evidenceVariable(name),
    requestId: request_id?.toLowerCase() ?? null,
    url: url ?? null,
    excerpt,
    seenAt: observed_at,
    finding: null
  }))

/** Reads a recipient's members. Without a usable address `recipient.email` is what was given. */
export const readRecipient = (field: RecipientField): Read => {
  const faults: Array<Fault> = []
  const placeholders = new Map<string, string>()
  const valueOf = (name: string, given: string | null | undefined, charsMax: number): string | null => {
    const { placeholder, value } = givenValue(name, given)
    if (placeholder !== null) placeholders.set(name, placeholder)
    if (value !== null && value.length > charsMax && [...value].length > charsMax) {
      faults.push(tooLong(name, value, charsMax))
    }
    return value
  }
  const given = field.email ?? ""
  const email = given.length > EMAIL_CHARS_MAX || UNFILLED.test(given) ? null : usableEmail(given)
  if (email === null) faults.push(addressFault(given))
  const values: Recipient = {
    email: email ?? given.trim().toLowerCase(),
    firstName: valueOf("first_name", field.first_name, NAME_CHARS_MAX),
    lastName: valueOf("last_name", field.last_name, NAME_CHARS_MAX),
    companyName: valueOf("company_name", field.company_name, NAME_CHARS_MAX),
    custom: Object.fromEntries(
      Object.entries(field.custom ?? {}).flatMap(([name, text]) => {
        if (name.trim() === "") return []
        const value = valueOf(`custom.${name}`, text, CUSTOM_VALUE_CHARS_MAX)
        return value === null ? [] : [[name, value]]
      })
    )
  }
  faults.push(...refusalFaults(field.custom))
  // Of a value that is none, nothing has to be proven.
  const evidence = evidenceOf(field.evidence).filter(({ variable }) => ownValue(values, variable) !== null)
  const recipient: Recipient = evidence.length === 0 ? values : { ...values, evidence }
  return { recipient, faults, placeholders }
}

/** The values that the messages need and the recipient lacks. */
export const missingFaults = (
  { placeholders, recipient }: Read,
  required: ReadonlyArray<string>
): ReadonlyArray<Fault> =>
  required.flatMap((field): ReadonlyArray<Fault> => {
    if (ownValue(recipient, field) !== null) return []
    const placeholder = placeholders.get(field)
    return [
      placeholder === undefined
        ? {
            field,
            problem: "missing",
            value: null,
            message: "is empty, and the messages have no fallback for it"
          }
        : {
            field,
            problem: "placeholder",
            value: shown(placeholder),
            message: "stands for no value, and the messages have no fallback for it"
          }
    ]
  })
