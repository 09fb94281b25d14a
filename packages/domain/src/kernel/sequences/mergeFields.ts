/** What the names of merge fields mean, in the spellings of many mail systems and people. */
import { PERSON_FIELDS } from "../text/personFields.js"

/** What a field's name asks for: a variable of ours, a custom value, or words that the writer has to put in. */
export interface MergeField {
  /** How it is written here; null: it is the sender's own, which no variable holds. */
  readonly variable: string | null
  /** Nobody writes this but as a field's name: `first_name`, "Company Name", `contact.city`. */
  readonly isSure: boolean
  /** A name of a person or a company in another language than English: "Vorname", "имя", "姓名". */
  readonly isForeign: boolean
}

const split = (text: string): ReadonlyArray<string> => text.split(",").map((word) => word.trim())

/** The words of a name: `contact.firstName`, `FIRST_NAME` and "First Name" are alike. */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .normalize("NFKD")
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/['’]s?\b/gu, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[\s._:-]+/u)
    .filter((word, index, all) => word !== "" && !(word === "here" && index === all.length - 1))

const coresOf = (text: string): ReadonlyArray<string> => split(text).map((name) => wordsOf(name).join(" "))

type Known = "first_name" | "last_name" | "company_name" | "email"

/** How mail systems name them. */
const SYSTEMS: Readonly<Record<Known, ReadonlyArray<string>>> = {
  first_name: coresOf(
    "first name, firstname, fname, f name, given name, givenname, forename, first, name, full name, fullname, display name, displayname, nickname"
  ),
  last_name: coresOf("last name, lastname, lname, l name, surname, family name, familyname, last"),
  company_name: coresOf(
    "company name, companyname, company, organization, organisation, organization name, organisation name, account name, business name, employer"
  ),
  email: coresOf("email, email address, emailaddress, e mail, e mail address")
}

/** How lists name them, by language. */
const LISTS: Readonly<Record<Known, ReadonlyArray<string>>> = {
  first_name: coresOf(`${PERSON_FIELDS.first_name}, ${PERSON_FIELDS.full_name}`),
  last_name: coresOf(PERSON_FIELDS.last_name),
  company_name: coresOf(PERSON_FIELDS.company_name),
  email: []
}

const known = (names: Readonly<Record<Known, ReadonlyArray<string>>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([variable, cores]) => cores.map((core) => [core, variable] as const)))

const OF_SYSTEMS = known(SYSTEMS)
const OF_LISTS = known(LISTS)

/** Words of lists that English sentences have too. */
const ENGLISH = new Set(
  split("contact, person, account, organization, organisation, employer, company, name, first, last, surname, forename")
)

const CUSTOM = new Set(
  split(
    "job title, jobtitle, title, position, role, city, state, country, region, location, phone, phone number, phonenumber, website, website url, industry, department, domain, company domain, company website, company size, linkedin, linkedin url, address, street, zip, zip code, postal code, link, url, calendar link, booking link, meeting link, date, day, time, topic, product, service, competitor, pain point, icebreaker, ice breaker, personalization, personalisation, first line, opening line, signature, unsubscribe, unsubscribe link, unsubscribe url"
  )
)

/** Single words that nobody writes in a sentence. */
const SURE_WORDS = new Set(
  coresOf(
    "firstname, fname, lname, lastname, givenname, fullname, displayname, companyname, emailaddress, jobtitle, phonenumber, icebreaker, vorname, nachname, prenom, voornaam, achternaam, efternamn, fornamn, firmenname, bedrijfsnaam"
  )
)

/** Whose field it is, as systems prefix it. */
const OWNERS = new Set(
  split(
    "contact, lead, recipient, recipients, prospect, subscriber, user, customer, client, person, account, merge, their"
  )
)
const SENDERS = new Set(split("your, my, sender, from"))
const ASKS = new Set(split("insert, enter, add"))

const ASKED_WORDS_MAX = 7

/** Words before a field's own name: of a path, a function or an object. */
const BEFORE_WORDS_MAX = 4

const customName = (core: string): string => `custom.${core.replaceAll(" ", "_")}`

const variableOf = (core: string): string | null =>
  OF_SYSTEMS.get(core) ?? (CUSTOM.has(core) ? customName(core) : (OF_LISTS.get(core) ?? null))

const isSureCore = (core: string): boolean => core.includes(" ") || SURE_WORDS.has(core)

/** The name at the end of a longer one: `attendee_first_name`, `Leads.First Name`, `getFirstName`. */
const atEnd = (all: ReadonlyArray<string>): MergeField | null => {
  for (let from = 1; from <= BEFORE_WORDS_MAX && from < all.length; from += 1) {
    const core = all.slice(from).join(" ")
    const variable = OF_SYSTEMS.get(core)
    if (variable !== undefined && variable !== "email" && isSureCore(core))
      return { variable, isSure: true, isForeign: false }
  }
  return null
}

/** What a name asks for, if it is one of a merge field; null: it is not known as one. */
export const mergeFieldOf = (name: string): MergeField | null => {
  const all = wordsOf(name)
  const [first = "", ...rest] = all
  if (ASKS.has(first) && rest.length > 0 && all.length <= ASKED_WORDS_MAX) {
    return { variable: null, isSure: true, isForeign: false }
  }
  const isOwned = OWNERS.has(first) && rest.length > 0
  const isSenders = SENDERS.has(first) && rest.length > 0
  const core = (isOwned || isSenders ? rest : all).join(" ")
  const variable = variableOf(core)
  if (variable === null) return isSenders ? null : atEnd(all)
  const isSure = isOwned || isSenders || isSureCore(core)
  const isForeign = OF_LISTS.has(core) && !OF_SYSTEMS.has(core) && !ENGLISH.has(core)
  return { variable: isSenders ? null : variable, isSure, isForeign }
}

/** A name of code, as nobody writes a word: `guest_name`, `order.name`, `candidateName`, `SALUTATION`. */
const IDENTIFIER =
  /^(?:\p{L}[\p{L}\p{N}]*(?:[_.]\p{L}[\p{L}\p{N}]*)+|\p{Ll}+\p{Lu}\p{Ll}[\p{L}\p{N}]*|\p{Lu}\p{Ll}+\p{Lu}\p{Ll}[\p{L}\p{N}]*|\p{Lu}{4,})$/u

/** Whether it is a field's name for its form, or for whom it names: `recipient`, `customer`. */
export const looksLikeField = (name: string): boolean => IDENTIFIER.test(name) || OWNERS.has(name.toLowerCase())
