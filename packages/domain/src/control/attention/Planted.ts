import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import { ownValue, variablesIn } from "../../kernel/sequences/template.js"

/** What is wrong with a planted message: a text that no person would have typed for somebody. */
export const FAULTS = ["unfilled", "null", "missing", "entity", "mojibake"] as const
export type Fault = (typeof FAULTS)[number]

const TEXTS: Readonly<Record<Fault, (variable: string) => string>> = {
  unfilled: (variable) => `[[${variable}]]`,
  null: () => "null",
  missing: () => "#N/A",
  entity: () => "O&amp;#39;Neill &amp;amp; Co",
  mojibake: () => "MÃ¼ller"
}

/**
 * A message with a fault, shown among real ones to measure attention. It is no lead and can't become one: it has no
 * address and no hash of one, and whatever sends takes a lead. What it borrows from a real person is only shown.
 */
export interface Planted {
  readonly kind: "planted"
  readonly fault: Fault
  /** The variable whose value is replaced. */
  readonly variable: string
  readonly text: string
  /** The shown person whose other values stand around it. */
  readonly borrowed: string
}

/** Plants a fault into a copy of what a person is shown. Null: there is nothing to plant it into, or it says so anyway. */
export const plant = (
  fault: Fault,
  sequence: ReadonlyArray<SequenceStep>,
  person: Recipient & { readonly shownId: string }
): Planted | null => {
  const names = [...new Set(variablesIn(sequence).map(({ name }) => name))].filter((name) => name !== "email")
  const variable = names[(FAULTS.indexOf(fault) + person.email.length) % Math.max(1, names.length)]
  if (variable === undefined) return null
  const text = TEXTS[fault](variable)
  const isThere = names.some((name) => ownValue(person, name)?.includes(text) === true)
  return isThere ? null : { kind: "planted", fault, variable, text, borrowed: person.shownId }
}

const CUSTOM = "custom."
const FIELDS: Readonly<Record<string, "companyName" | "firstName" | "lastName">> = {
  first_name: "firstName",
  last_name: "lastName",
  company_name: "companyName"
}

/** The values around which a planted message is shown. For pages only. */
export const shownWith = <P extends Recipient>({ text, variable }: Planted, person: P): P => {
  const field = FIELDS[variable]
  if (field !== undefined) return { ...person, [field]: text }
  return { ...person, custom: { ...person.custom, [variable.slice(CUSTOM.length)]: text } }
}
