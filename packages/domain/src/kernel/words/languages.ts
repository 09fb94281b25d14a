/** The languages in which a recipient can be addressed: those in which replies are read. */
export const RECIPIENT_LANGUAGES = [
  "cs",
  "da",
  "de",
  "en",
  "es",
  "fi",
  "fr",
  "it",
  "nl",
  "no",
  "pl",
  "pt",
  "sv"
] as const
export type RecipientLanguage = (typeof RECIPIENT_LANGUAGES)[number]

/** The countries where most people read the language. A country with several has the one of most of its people. */
const COUNTRIES: Readonly<Record<Exclude<RecipientLanguage, "en">, string>> = {
  cs: "CZ",
  da: "DK FO GL",
  de: "AT CH DE LI",
  es: "AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE",
  fi: "AX FI",
  fr: "BL FR GF GP LU MC MF MQ NC PF PM RE TF WF YT",
  it: "IT SM VA",
  nl: "AW BE BQ CW NL SR SX",
  no: "BV NO SJ",
  pl: "PL",
  pt: "AO BR CV GW MZ PT ST",
  sv: "SE"
}

const BY_COUNTRY: ReadonlyMap<string, RecipientLanguage> = new Map(
  RECIPIENT_LANGUAGES.flatMap((language) =>
    language === "en" ? [] : COUNTRIES[language].split(" ").map((country) => [country, language] as const)
  )
)

/** The language of a country's people, of those that there are; English where none is known. */
export const languageOfCountry = (country: string | null): RecipientLanguage => BY_COUNTRY.get(country ?? "") ?? "en"

/** What the footer of a message says beside the sender's postal address. */
interface FooterWords {
  readonly unsubscribe: string
  /** Before the link to the page that says why they were written to, and their rights. */
  readonly why: string
}

export const FOOTER_WORDS: Readonly<Record<RecipientLanguage, FooterWords>> = {
  cs: { unsubscribe: "Odhlásit se", why: "Proč vám píšeme a jaká máte práva" },
  da: { unsubscribe: "Afmeld", why: "Hvorfor vi skriver til dig, og dine rettigheder" },
  de: { unsubscribe: "Abmelden", why: "Warum wir Ihnen schreiben, und Ihre Rechte" },
  en: { unsubscribe: "Unsubscribe", why: "Why we write to you, and your rights" },
  es: { unsubscribe: "Darse de baja", why: "Por qué le escribimos y sus derechos" },
  fi: { unsubscribe: "Peru viestit", why: "Miksi kirjoitamme sinulle, ja oikeutesi" },
  fr: { unsubscribe: "Se désinscrire", why: "Pourquoi nous vous écrivons, et vos droits" },
  it: { unsubscribe: "Annulla l’iscrizione", why: "Perché le scriviamo e i suoi diritti" },
  nl: { unsubscribe: "Afmelden", why: "Waarom wij u schrijven, en uw rechten" },
  no: { unsubscribe: "Meld deg av", why: "Hvorfor vi skriver til deg, og rettighetene dine" },
  pl: { unsubscribe: "Rezygnacja z wiadomości", why: "Dlaczego do Państwa piszemy i jakie mają Państwo prawa" },
  pt: { unsubscribe: "Cancelar subscrição", why: "Porque lhe escrevemos e os seus direitos" },
  sv: { unsubscribe: "Avregistrera dig", why: "Varför vi skriver till dig, och dina rättigheter" }
}
