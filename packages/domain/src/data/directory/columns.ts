import { Data, Result } from "effect"
import { PERSON_FIELDS } from "../../kernel/text/personFields.js"
import { EMAIL_HEADINGS, headingKey } from "../../kernel/tables/headings.js"
import type { DirectoryKind } from "./Records.js"

interface Column {
  /** Other names in lists. Case, spaces and punctuation don't matter. */
  readonly aliases: ReadonlyArray<string>
}

const column = (aliases = ""): Column => ({ aliases: aliases === "" ? [] : aliases.split(", ") })

export const PERSON_COLUMNS = {
  full_name: column(PERSON_FIELDS.full_name),
  first_name: column(PERSON_FIELDS.first_name),
  last_name: column(PERSON_FIELDS.last_name),
  title: column(
    "job title, position, role, headline, jobtitle, current title, organization title, function, berufsbezeichnung, jobtitel, stelle, stellenbezeichnung, funktion, beruf, poste, fonction, titre, intitulé du poste, cargo, puesto, título, qualifica, ruolo, posizione, função, functie, functietitel, befattning, stilling, stanowisko, pozice, unvan, должность, посада, 役職, 职位, 职务, 직책"
  ),
  company_name: column(PERSON_FIELDS.company_name),
  company_domain: column(
    "domain, company website, website, company url, organization domain, email domain, web, web page, website url, homepage, company homepage, webseite, internetseite, site web, site internet, site, sitio web, página web, sito, sito web, sítio, webbplats, hjemmeside, nettside, strona www, сайт, веб-сайт, ウェブサイト, 网站"
  ),
  headcount: column(
    "company headcount, employees, number of employees, company size, employee count, size, # employees, num employees, mitarbeiter, mitarbeiterzahl, anzahl mitarbeiter, effectif, nombre d'employés, empleados, número de empleados, dipendenti, numero di dipendenti, funcionários, número de funcionários, aantal medewerkers, anställda"
  ),
  industry: column(
    "company industry, sector, branche, industrie, secteur, secteur d'activité, sector, industria, settore, setor, bransch"
  ),
  city: column(
    "person city, town, mailing city, business city, ort, stadt, wohnort, ort geschäftlich, ville, ciudad, città, cidade, localidade, plaats, woonplaats, stad, miasto, město, şehir, город, місто, 都市, 城市"
  ),
  region: column(
    "state, province, county, person state, state region, mailing state, business state, mailing state province, bundesland, kanton, région, département, canton, provincia, región, regione, estado, provincie, län, województwo, регион, область"
  ),
  country: column(
    "person country, country name, country code, country or region, country region, mailing country, business country, business country region, land, land region, staat, pays, país, paese, nazione, maa, kraj, země, ország, țară, ülke, страна, країна, χώρα, 国, 国家"
  ),
  location: column("person location, address, geography"),
  email: { aliases: EMAIL_HEADINGS },
  email_status: column(
    "email verdict, email verification, verification status, work email status, email confidence, verification, email verification status, zerobounce status, neverbounce status"
  ),
  mobile_phone: column(
    "mobile, mobile number, phone, phone number, cell, cell phone, direct phone, mobile phone number, corporate phone, work direct phone, business phone, phone 1 value, mobile phone number 1, work phone, person phone work, telefon, telefonnummer, telefon geschäftlich, mobiltelefon, handy, handynummer, mobil, rufnummer, téléphone, numéro de téléphone, portable, téléphone mobile, mobile, teléfono, móvil, celular, número de teléfono, telefono, cellulare, numero di telefono, telefone, telemóvel, telefoon, telefoonnummer, mobiel, mobilnummer, puhelin, telefon komórkowy, телефон, мобильный, 電話, 电话, 手机, 전화번호"
  ),
  social_url: column(
    "linkedin, linkedin url, linkedin profile, profile url, person linkedin url, social, profile, url, linkedin profile url, linkedin link, profile link, li url, perfil de linkedin, profil linkedin, linkedin profil"
  ),
  observed_at: column("last seen, last updated, updated at, observed, as of, last verified")
} as const satisfies Readonly<Record<string, Column>>

export const COMPANY_COLUMNS = {
  domain: column(
    "company domain, website, url, company website, company url, homepage, web site, web, website url, web page, company homepage, webseite, internetseite, firmenwebseite, site web, site internet, sitio web, página web, sito, sito web, webbplats, hjemmeside, nettside, strona www, сайт, 网站"
  ),
  name: column(
    "company name, company, organization, organisation, account, account name, organization name, organisation name, firma, firmenname, unternehmen, société, entreprise, nom de l'entreprise, raison sociale, empresa, nombre de la empresa, azienda, ragione sociale, nome da empresa, bedrijf, bedrijfsnaam, företag, nazwa firmy, компания, 会社名, 公司名称"
  ),
  description: column(
    "about, summary, short description, company description, beschreibung, description courte, descripción, descrizione, descrição, omschrijving"
  ),
  specialties: column("specialities, keywords, products, tags, products and specialties"),
  social_url: column(
    "linkedin, linkedin url, company linkedin url, social, profile url, linkedin company page, linkedin profile url, profil linkedin"
  ),
  headcount: column(
    "employees, number of employees, company size, employee count, size, # employees, company headcount, num employees, mitarbeiter, mitarbeiterzahl, anzahl mitarbeiter, effectif, nombre d'employés, empleados, número de empleados, dipendenti, numero di dipendenti, funcionários, aantal medewerkers"
  ),
  industry: column(
    "company industry, sector, branche, industrie, secteur, secteur d'activité, industria, settore, setor"
  ),
  city: column(
    "company city, hq city, headquarters city, town, billing city, ort, stadt, sitz, ville, ciudad, città, cidade, plaats, stad, город"
  ),
  region: column(
    "state, province, county, company state, hq state, state region, billing state, bundesland, kanton, région, provincia, región, regione, estado, provincie"
  ),
  country: column(
    "company country, hq country, country name, country code, billing country, country region, land, land region, pays, país, paese, страна"
  ),
  location: column("headquarters, hq, hq location, address, company location"),
  founded_year: column("founded, year founded, founding year"),
  total_funding_usd: column("total funding, funding, total funding amount"),
  last_funding_round_date: column("last funding date, last raised at, latest funding date"),
  last_funding_round_amount_usd: column("last funding amount, last funding round amount, latest funding amount"),
  jobs_last_30_days: column("open jobs, job openings"),
  observed_at: column("last seen, last updated, updated at, observed, as of, last verified")
} as const satisfies Readonly<Record<string, Column>>

export type PersonColumn = keyof typeof PERSON_COLUMNS
export type CompanyColumn = keyof typeof COMPANY_COLUMNS

const COLUMNS: Readonly<Record<DirectoryKind, Readonly<Record<string, Column>>>> = {
  people: PERSON_COLUMNS,
  companies: COMPANY_COLUMNS
}

export const columnsOf = (kind: DirectoryKind): ReadonlyArray<string> => Object.keys(COLUMNS[kind])

const meaningsOf = (kind: DirectoryKind): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(COLUMNS[kind]).flatMap(([name, { aliases }]) =>
      [name, ...aliases].map((alias) => [headingKey(alias), name] as const)
    )
  )

const MEANINGS: Readonly<Record<DirectoryKind, ReadonlyMap<string, string>>> = {
  people: meaningsOf("people"),
  companies: meaningsOf("companies")
}

/** The column of a heading, or null. */
export const columnNamed = (kind: DirectoryKind, heading: string): string | null =>
  MEANINGS[kind].get(headingKey(heading)) ?? null

/** A list of people needs one of these sets to identify them. */
const IDENTIFYING: ReadonlyArray<ReadonlyArray<PersonColumn>> = [
  ["email"],
  ["social_url"],
  ["full_name", "company_domain"],
  ["full_name", "company_name"],
  ["first_name", "last_name", "company_domain"],
  ["first_name", "last_name", "company_name"]
]

const REQUIRED: Readonly<Record<DirectoryKind, string>> = {
  people: "an email, a social_url, or a full_name (or first_name and last_name) with a company_domain or company_name",
  companies: "a domain"
}

const isComplete = (kind: DirectoryKind, names: ReadonlySet<string>): boolean =>
  kind === "companies" ? names.has("domain") : IDENTIFYING.some((all) => all.every((name) => names.has(name)))

/** The headings can't be used. One sentence per mistake. */
export class ColumnMistakes extends Data.TaggedError("ColumnMistakes")<{ readonly mistakes: ReadonlyArray<string> }> {
  override get message(): string {
    return this.mistakes.join("\n")
  }
}

export interface RecognisedColumns {
  readonly kind: DirectoryKind
  /** The column of each heading. Null: ignored. */
  readonly columns: ReadonlyArray<string | null>
  /** The ignored headings. */
  readonly ignored: ReadonlyArray<string>
}

/** Columns that only people have. */
const PERSONAL: ReadonlyArray<PersonColumn> = ["email", "first_name", "last_name", "full_name", "title", "mobile_phone"]

const isPersonal = (heading: string): boolean => {
  const name = columnNamed("people", heading)
  return PERSONAL.some((one) => one === name) && columnNamed("companies", heading) === null
}

/** The kind of a list, by its headings. */
export const kindOf = (headings: ReadonlyArray<string>): DirectoryKind =>
  headings.some(isPersonal) ? "people" : "companies"

const named = (headings: ReadonlyArray<string>): string => headings.map((heading) => `"${heading}"`).join(", ")

const HEADINGS_SHOWN_MAX = 20

/**
 * The columns of the headings, or all mistakes: an unknown heading (unless ignored), two with the same meaning, or too
 * few to identify a row.
 */
export const recogniseColumns = (
  given: ReadonlyArray<string>,
  options: {
    readonly kind: DirectoryKind | null
    readonly ignoreUnknown: boolean
    /** What somebody said that columns hold, by place from 0. Further columns of that meaning are ignored. */
    readonly given?: ReadonlyMap<number, string>
  }
): Result.Result<RecognisedColumns, ColumnMistakes> => {
  const headings = given.map((heading) => heading.trim())
  const kind = options.kind ?? kindOf(headings)
  const { given: chosen = new Map<number, string>() } = options
  const said = new Set(chosen.values())
  const columns = headings.map((heading, at) => {
    const named_ = heading === "" ? null : columnNamed(kind, heading)
    return chosen.get(at) ?? (named_ !== null && said.has(named_) ? null : named_)
  })
  const names = new Set(columns.filter((name) => name !== null))
  const ignored = headings.filter((heading, at) => columns[at] === null && heading !== "")
  const unknown = ignored.filter((heading) => columnNamed(kind, heading) === null && !/^Column \d+$/.test(heading))
  const twice = [...names].filter((name) => columns.filter((one) => one === name).length > 1)
  const mistakes = [
    ...twice.map((name) => {
      const same = headings.filter((_, at) => columns[at] === name)
      return `The columns ${named(same)} all mean ${name}. Keep only one of them, or choose it with --column ${name}=HEADING or its number.`
    }),
    ...(isComplete(kind, names)
      ? []
      : [`The columns don't identify the ${kind}. A list of ${kind} needs ${REQUIRED[kind]}.`]),
    ...(unknown.length === 0 || options.ignoreUnknown
      ? []
      : [
          `Unknown columns in a list of ${kind}: ${named(unknown.slice(0, HEADINGS_SHOWN_MAX))}. Rename them to one of ` +
            `${columnsOf(kind).join(", ")}; or skip them with --ignore-unknown.`
        ])
  ]
  return mistakes.length > 0
    ? Result.fail(new ColumnMistakes({ mistakes }))
    : Result.succeed({ kind, columns, ignored })
}
