import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { withoutAddress } from "../../kernel/people/addresses.js"
import { isContact } from "../../kernel/people/subjects.js"

/** Who is erased, as far as stored things name them. */
export interface Person {
  /** Normalised. */
  readonly email: string
  /** Of contacts that were revealed with this address. */
  readonly fingerprints: ReadonlySet<string>
}

/** Stands for the fingerprint of an erased contact. */
export const ERASED_FINGERPRINT = "erased"

/** What is left of members of something that is about the person. Results keep their schemas with it. */
const BLANKS: Readonly<Record<string, string | null>> = {
  email: "",
  to_email: "",
  first_name: null,
  last_name: null,
  name: null,
  company_name: null,
  subject: "",
  snippet: "",
  text: "",
  body_text: "",
  body_html: null
}

/** The members by which something is known to be about a person. */
const ABOUT = ["email", "to_email", "from_email"] as const

type Members = Readonly<Record<string, unknown>>

const isThem = (person: Person, value: unknown): boolean =>
  typeof value === "string" && usableEmail(value) === person.email

const blankContact = (contact: Members): Members => ({
  ...Object.fromEntries(Object.keys(contact).map((name) => [name, null])),
  fingerprint: ERASED_FINGERPRINT
})

/** A JSON value in which the address is struck out wherever it stands. */
const makeStrike = (email: string): ((value: unknown) => unknown) => {
  const strike = withoutAddress(email)
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return strike(value)
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]))
  }
  return visit
}

/**
 * A JSON value without the person: contacts lose every member, what is written to or by them its words, and wherever
 * else their address stands it is struck out. Everything that is not about them stays as it is.
 */
const makeBlank = (person: Person): ((value: unknown) => unknown) => {
  const strike = withoutAddress(person.email)

  const blankMembers = (members: Members): Members => {
    const isAbout = ABOUT.some((name) => isThem(person, members[name]))
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        isAbout && Object.hasOwn(BLANKS, name) && value !== null ? BLANKS[name] : blank(value)
      ])
    )
  }

  const blank = (value: unknown): unknown => {
    if (typeof value === "string") return strike(value)
    if (Array.isArray(value)) return value.map(blank)
    if (typeof value !== "object" || value === null) return value
    if (isContact(value) && (person.fingerprints.has(value.fingerprint) || isThem(person, value.work_email))) {
      return blankContact(value as unknown as Members)
    }
    return blankMembers(value as Members)
  }
  return blank
}

const rewritten =
  (rewrite: (value: unknown) => unknown) =>
  (text: string): string | null => {
    const before: unknown = JSON.parse(text)
    const after = JSON.stringify(rewrite(before))
    return after === JSON.stringify(before) ? null : after
  }

/** The JSON text without the person; null where it does not name them. */
export const blankJson = (person: Person): ((text: string) => string | null) => rewritten(makeBlank(person))

/** The JSON text of somebody else, without the address; null where it does not stand in it. */
export const strikeJson = ({ email }: Person): ((text: string) => string | null) => rewritten(makeStrike(email))
