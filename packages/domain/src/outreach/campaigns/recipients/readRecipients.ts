import { Option } from "effect"
import type { ValueEvidence } from "../../../kernel/sequences/evidence.js"
import type { Recipient, SequenceStep } from "../../../kernel/sequences/Sequence.js"
import { ownValue, requiredVariables } from "../../../kernel/sequences/template.js"
import type { RecipientField } from "../../../verbs/campaignFields.js"
import { type Fault, isRefused, missingFaults, optOutIn, type Read, readRecipient } from "./readRecipient.js"

/** A recipient who can't be written to. */
export interface Invalid {
  /** The normalised address, or what was given for one. */
  readonly email: string
  /** Where the call names them, from 0. */
  readonly index: number
  /** At least one. */
  readonly faults: ReadonlyArray<Fault>
  readonly given: RecipientField
}

export interface ReadRecipients {
  /** One per address. */
  readonly usable: ReadonlyArray<Recipient>
  readonly invalid: ReadonlyArray<Invalid>
}

interface Row extends Read {
  readonly index: number
  readonly given: RecipientField
  /** How many of the values that the messages need it has, and how many in all. */
  readonly needed: number
  readonly all: number
}

const countOf = ({ companyName, custom, firstName, lastName }: Recipient): number =>
  [firstName, lastName, companyName].filter((value) => value !== null).length + Object.keys(custom).length

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null || one.toLowerCase() === other.toLowerCase()

/** Names stand in one row: of two people behind one address, nobody gets the first name of one and the last of the other. */
const namesOf = (to: Recipient, from: Recipient): Pick<Recipient, "firstName" | "lastName"> =>
  isSame(to.firstName, from.firstName) && isSame(to.lastName, from.lastName)
    ? { firstName: to.firstName ?? from.firstName, lastName: to.lastName ?? from.lastName }
    : { firstName: to.firstName, lastName: to.lastName }

const filledFrom = (to: Recipient, from: Recipient): Recipient => ({
  email: to.email,
  ...namesOf(to, from),
  companyName: to.companyName ?? from.companyName,
  custom: { ...from.custom, ...to.custom }
})

/** The row with the most of what the messages need, then with the most values, then the first. */
const best = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => b.needed - a.needed || b.all - a.all || a.index - b.index)

/** The evidence of each value, from the row that the value is from. */
const evidenceFor = (merged: Recipient, rows: ReadonlyArray<Row>): Pick<Recipient, "evidence"> => {
  const found = new Map<string, ValueEvidence>()
  for (const { recipient } of rows) {
    for (const one of recipient.evidence ?? []) {
      const isTheirs = ownValue(recipient, one.variable) === ownValue(merged, one.variable)
      if (isTheirs && !found.has(one.variable)) found.set(one.variable, one)
    }
  }
  return found.size === 0 ? {} : { evidence: [...found.values()] }
}

/** What is wrong with an address's rows together; empty: the merged recipient can be written to. */
const merged = (rows: ReadonlyArray<Row>, required: ReadonlyArray<string>): Row => {
  // One row that says no is enough, and a no counts before a bounce.
  const optedOut = rows.filter(({ faults }) => Option.isSome(optOutIn(faults)))
  const refused = optedOut.length > 0 ? optedOut : rows.filter(isRefused)
  const whole = rows.filter((row) => row.faults.length === 0)
  const [first, ...others] = best(refused.length > 0 ? refused : whole.length > 0 ? whole : rows) as [
    Row,
    ...Array<Row>
  ]
  if (first.faults.length > 0) return first
  const recipient = others.reduce((to, { recipient: from }) => filledFrom(to, from), first.recipient)
  const read = { ...first, recipient: { ...recipient, ...evidenceFor(recipient, [first, ...others]) } }
  return { ...read, faults: missingFaults(read, required) }
}

/**
 * Reads recipients as a caller gave them. Rows with the same address are one recipient: the most complete row, with what
 * it lacks from the others. Duplicates aren't counted (contract: campaigns, recipients).
 */
export const readRecipients = (
  fields: ReadonlyArray<RecipientField>,
  sequence: ReadonlyArray<SequenceStep>
): ReadRecipients => {
  const required = requiredVariables(sequence)
  const byAddress = new Map<string, Array<Row>>()
  for (const [index, given] of fields.entries()) {
    const read = readRecipient(given)
    const { recipient } = read
    const needed = required.filter((name) => ownValue(recipient, name) !== null).length
    const row: Row = { ...read, index, given, needed, all: countOf(recipient) }
    // Rows without any address are as many people.
    const key = recipient.email === "" ? `#${index}` : recipient.email
    const rows = byAddress.get(key)
    if (rows === undefined) byAddress.set(key, [row])
    else rows.push(row)
  }
  const usable: Array<Recipient> = []
  const invalid: Array<Invalid> = []
  for (const rows of byAddress.values()) {
    const { faults, given, index, recipient } = merged(rows, required)
    if (faults.length === 0) usable.push(recipient)
    else invalid.push({ email: recipient.email, index, faults, given })
  }
  return { usable, invalid }
}
