import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { withoutAddress } from "../../kernel/people/addresses.js"
import { isContact } from "../../kernel/people/subjects.js"

/** The person to erase, as stored data names them. */
export interface Person {
  /** Normalised. */
  readonly email: string
  /** Of contacts that were revealed with this address. */
  readonly fingerprints: ReadonlySet<string>
}

/** Replaces the fingerprint of an erased contact. */
export const ERASED_FINGERPRINT = "erased"

/** What replaces each personal field. Results still match their schemas. */
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
  body_html: null,
  value: null
}

/** Fields that say whom an object is about. */
const ABOUT = ["email", "to_email", "from_email"] as const

type Members = Readonly<Record<string, unknown>>

const isAddress = (email: string, value: unknown): boolean => typeof value === "string" && usableEmail(value) === email

/** Whether a value is a contact that shows this address. */
export const isContactOf = (email: string, value: object): value is { readonly fingerprint: string } =>
  isContact(value) && isAddress(email, value.work_email)

const isTheirContact = (person: Person, value: object): boolean =>
  isContact(value) && (person.fingerprints.has(value.fingerprint) || isContactOf(person.email, value))

const isAbout = ({ email }: Person, members: Members): boolean => ABOUT.some((name) => isAddress(email, members[name]))

/** Whether an object is about them: their contact, or a message to or from them. */
export const isTheirs = (person: Person, value: object): boolean =>
  isTheirContact(person, value) || isAbout(person, value as Members)

/** Whether the value is about them, or something in it is. */
const concerns = (person: Person, value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (isTheirs(person, value)) return true
  return Object.values(value).some((member) => concerns(person, member))
}

const blankContact = (contact: Members): Members => ({
  ...Object.fromEntries(Object.keys(contact).map((name) => [name, null])),
  fingerprint: ERASED_FINGERPRINT
})

/** Replaces the address everywhere in a JSON value. */
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
 * Removes the person from a JSON value. Contacts lose all fields; messages to or from them lose their text; elsewhere
 * only the address is replaced. Everything else stays.
 */
const makeBlank = (person: Person): ((value: unknown) => unknown) => {
  const strike = withoutAddress(person.email)

  const blankMembers = (members: Members): Members => {
    const isAboutThem = isAbout(person, members)
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        isAboutThem && Object.hasOwn(BLANKS, name) && value !== null ? BLANKS[name] : blank(value)
      ])
    )
  }

  const blank = (value: unknown): unknown => {
    if (typeof value === "string") return strike(value)
    if (Array.isArray(value)) return value.map(blank)
    if (typeof value !== "object" || value === null) return value
    if (isTheirContact(person, value)) return blankContact(value as Members)
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

/** The JSON text without the person; null if it doesn't name them. */
export const blankJson = (person: Person): ((text: string) => string | null) => rewritten(makeBlank(person))

/**
 * A list's row without the person. If it is about them, the cells that were uploaded with it and the file's name go too, because
 * any of them may tell who they are; its line stays. Of other people's rows only the address goes.
 */
export const blankRowJson = (person: Person): ((text: string) => string | null) => {
  const blank = makeBlank(person)
  const strike = makeStrike(person.email)
  return rewritten((row) => {
    const { uploaded, ...rest } = row as Members
    const isKept = typeof uploaded !== "object" || uploaded === null || !concerns(person, rest)
    return {
      ...(blank(rest) as Members),
      uploaded: isKept ? strike(uploaded) : { ...uploaded, file: null, cells: null }
    }
  })
}

/** Someone else's JSON text without the address; null if it doesn't contain it. */
export const strikeJson = ({ email }: Person): ((text: string) => string | null) => rewritten(makeStrike(email))
