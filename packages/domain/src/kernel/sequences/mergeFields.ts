/** What the names of merge fields mean, in the spellings of many mail systems and people. */

/** What a field's name asks for: a variable of ours, a custom value, or words that the writer has to put in. */
export interface MergeField {
  /** How it is written here; null: it is the sender's own, which no variable holds. */
  readonly variable: string | null
  /** Nobody writes this but as a field's name: `first_name`, "Company Name", `contact.city`. */
  readonly isSure: boolean
}

const words = (text: string): ReadonlyArray<string> => text.split(",").map((word) => word.trim())

const KNOWN: Readonly<Record<"first_name" | "last_name" | "company_name" | "email", ReadonlyArray<string>>> = {
  first_name: words(
    "first name, firstname, fname, f name, given name, givenname, forename, first, name, full name, fullname, display name, displayname, nickname, vorname, prenom, nombre, nome, voornaam, imie, fornamn, fornavn, etunimi"
  ),
  last_name: words(
    "last name, lastname, lname, l name, surname, family name, familyname, last, nachname, apellido, apellidos, cognome, sobrenome, achternaam, nazwisko, efternamn, etternavn, sukunimi, nom de famille"
  ),
  company_name: words(
    "company name, companyname, company, organization, organisation, organization name, organisation name, account name, business name, firma, firmenname, unternehmen, entreprise, societe, empresa, azienda, bedrijf, bedrijfsnaam, foretag, employer"
  ),
  email: words("email, email address, emailaddress, e mail, e mail address")
}

const CUSTOM = new Set(
  words(
    "job title, jobtitle, title, position, role, city, state, country, region, location, phone, phone number, phonenumber, website, website url, industry, department, domain, company domain, company website, company size, linkedin, linkedin url, address, street, zip, zip code, postal code, link, url, calendar link, booking link, meeting link, date, day, time, topic, product, service, competitor, pain point, icebreaker, ice breaker, personalization, personalisation, first line, opening line, signature, unsubscribe, unsubscribe link, unsubscribe url"
  )
)

/** Single words that nobody writes in a sentence. */
const SURE_WORDS = new Set(
  words(
    "firstname, fname, lname, lastname, givenname, fullname, displayname, companyname, emailaddress, jobtitle, phonenumber, icebreaker, vorname, nachname, prenom, voornaam, achternaam, efternamn, fornamn, firmenname, bedrijfsnaam"
  )
)

/** Whose field it is, as systems prefix it. */
const OWNERS = new Set(
  words("contact, lead, recipient, recipients, prospect, subscriber, user, customer, client, person, account, merge")
)
const SENDERS = new Set(words("your, my, sender, from"))
const ASKS = new Set(words("insert, enter, add"))

const ASKED_WORDS_MAX = 7

/** The words of a name: `contact.firstName`, `FIRST_NAME` and "First Name" are alike. */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .normalize("NFKD")
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/['’]s?\b/gu, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[\s._:-]+/u)
    .filter((word) => word !== "")

const customName = (core: string): string => `custom.${core.replaceAll(" ", "_")}`

const variableOf = (core: string): string | null => {
  for (const [variable, names] of Object.entries(KNOWN)) if (names.includes(core)) return variable
  return CUSTOM.has(core) ? customName(core) : null
}

/** What a name asks for, if it is one of a merge field; null: it is not known as one. */
export const mergeFieldOf = (name: string): MergeField | null => {
  const all = wordsOf(name)
  const [first = "", ...rest] = all
  if (ASKS.has(first) && rest.length > 0 && all.length <= ASKED_WORDS_MAX) return { variable: null, isSure: true }
  const isOwned = OWNERS.has(first) && rest.length > 0
  const isSenders = SENDERS.has(first) && rest.length > 0
  const core = (isOwned || isSenders ? rest : all).join(" ")
  const variable = variableOf(core)
  if (variable === null) return null
  const isSure = isOwned || isSenders || core.includes(" ") || SURE_WORDS.has(core)
  return { variable: isSenders ? null : variable, isSure }
}
