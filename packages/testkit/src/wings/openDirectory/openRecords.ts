/** Records as publishers write them. */

/** A place of Overture Maps, as a line of its JSON. */
export const place = (
  ref: string,
  over: {
    readonly name?: string
    readonly site?: string | null
    readonly category?: string
    readonly city?: string | null
    readonly region?: string
    readonly country?: string
    readonly confidence?: number
    readonly dataset?: string
    readonly status?: string
  } = {}
) => ({
  id: ref,
  version: 1,
  names: { primary: over.name ?? `Place ${ref}`, common: null, rules: null },
  categories: { primary: over.category ?? "bakery", alternate: null },
  confidence: over.confidence ?? 0.9,
  websites: over.site === null ? null : [over.site ?? `https://www.place-${ref}.com/berlin`],
  socials: null,
  phones: null,
  addresses: [
    {
      freeform: "Main Street 1",
      locality: over.city === undefined ? "Berlin" : over.city,
      postcode: "10115",
      region: over.region ?? "DE-BE",
      country: over.country ?? "DE"
    }
  ],
  sources: [
    {
      property: "",
      dataset: over.dataset ?? "meta",
      record_id: ref,
      update_time: "2026-10-14T00:00:00.000Z",
      confidence: over.confidence ?? 0.9
    }
  ],
  operating_status: over.status ?? "open"
})

/** A unit of Enhetsregisteret, as an element of its JSON. */
export const unit = (
  ref: string,
  over: {
    readonly name?: string
    readonly site?: string | null
    readonly employees?: number
    readonly code?: string
    readonly line?: string
    readonly form?: string
    readonly town?: string
    readonly isBankrupt?: boolean
  } = {}
) => ({
  organisasjonsnummer: ref,
  navn: over.name ?? `ENHET ${ref} AS`,
  organisasjonsform: { kode: over.form ?? "AS", beskrivelse: "Aksjeselskap" },
  ...(over.site === null ? {} : { hjemmeside: over.site ?? `www.unit-${ref}.no` }),
  registreringsdatoEnhetsregisteret: "2001-02-03",
  stiftelsesdato: "1999-05-06",
  ...(over.employees === undefined ? {} : { antallAnsatte: over.employees }),
  naeringskode1: { kode: over.code ?? "62.100", beskrivelse: over.line ?? "Programmeringstjenester" },
  forretningsadresse: {
    land: "Norge",
    landkode: "NO",
    postnummer: "0150",
    poststed: over.town ?? "OSLO",
    adresse: ["Storgata 1"],
    kommune: "OSLO",
    kommunenummer: "0301"
  },
  konkurs: over.isBankrupt ?? false,
  underAvvikling: false,
  underTvangsavviklingEllerTvangsopplosning: false
})

/** A company of PRH's YTJ. */
export const finnish = (
  ref: string,
  over: { readonly name?: string; readonly site?: string; readonly form?: string } = {}
) => ({
  businessId: { value: ref, registrationDate: "1978-03-15", source: "3" },
  names: [
    { name: "Ennen Oy", type: "1", registrationDate: "1978-03-15", endDate: "2001-01-01", version: 2, source: "1" },
    { name: over.name ?? `Yhtiö ${ref} Oy`, type: "1", registrationDate: "2001-01-01", version: 1, source: "1" }
  ],
  mainBusinessLine: {
    type: "62010",
    typeCodeSet: "TOIMI3",
    registrationDate: "2007-12-31",
    source: "2",
    descriptions: [
      { languageCode: "1", description: "Ohjelmistojen suunnittelu ja valmistus" },
      { languageCode: "3", description: "Software development" }
    ]
  },
  website: { url: over.site ?? `www.yhtio-${ref}.fi`, registrationDate: "2010-01-01", source: "0" },
  companyForms: [{ type: over.form ?? "16", version: 1, registrationDate: "1978-03-15", source: "1" }],
  companySituations: [],
  addresses: [
    {
      type: 1,
      street: "Mannerheimintie",
      postCode: "00100",
      buildingNumber: "1",
      country: null,
      postOffices: [
        { languageCode: "1", city: "HELSINKI", municipalityCode: "091" },
        { languageCode: "2", city: "HELSINGFORS", municipalityCode: "091" }
      ]
    }
  ],
  tradeRegisterStatus: "1",
  status: "2",
  registrationDate: "1978-03-15",
  lastModified: "2026-09-30 12:00:00"
})

/** The columns of Companies House's file that matter here, as it writes its heading: some with a space before them. */
export const BRITISH_HEADING = [
  "CompanyName",
  " CompanyNumber",
  "RegAddress.PostTown",
  "RegAddress.County",
  "RegAddress.Country",
  "CompanyCategory",
  "CompanyStatus",
  "IncorporationDate",
  "SICCode.SicText_1"
] as const

/** A company of Companies House, by the names of its columns. */
export const british = (
  ref: string,
  over: { readonly name?: string; readonly town?: string; readonly status?: string; readonly line?: string } = {}
) => ({
  CompanyName: over.name ?? `COMPANY ${ref} LIMITED`,
  CompanyNumber: ref,
  "RegAddress.PostTown": over.town ?? "LEEDS",
  "RegAddress.County": "WEST YORKSHIRE",
  "RegAddress.Country": "ENGLAND",
  CompanyCategory: "Private Limited Company",
  CompanyStatus: over.status ?? "Active",
  IncorporationDate: "04/05/2012",
  "SICCode.SicText_1": over.line ?? "62012 - Business and domestic software development"
})
