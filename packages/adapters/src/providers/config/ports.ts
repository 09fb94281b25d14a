import type { VendorPort } from "../Vendor.js"

/** The ports that the configuration lists sources for, and the tools that use them. `sending` is a single name. */
export const LISTED_PORTS = {
  lead_source: ["find_leads"],
  premium_lead_source: ["find_leads"],
  company_source: ["find_companies"],
  company_dataset_source: ["enrich_company"],
  brief_writer: ["enrich_company"],
  intent_source: ["find_intent"],
  post_source: ["find_posts"],
  contact_enricher: ["enrich"],
  mobile_finder: ["enrich"],
  email_verifier: ["verify_email"],
  site_reader: ["check_companies"]
} as const satisfies Readonly<Record<Exclude<VendorPort, "sending">, ReadonlyArray<string>>>

export type ListedPort = keyof typeof LISTED_PORTS
export type AnyPort = ListedPort | "sending"

export const LISTED_PORT_NAMES = Object.keys(LISTED_PORTS) as ReadonlyArray<ListedPort>

/** Sources with a reserved name that need no vendor entry. */
export const BUILT_IN = {
  directory: {
    title: "The workspace's own people and companies",
    serves: ["lead_source", "company_source", "contact_enricher"]
  },
  open_directory: { title: "Companies and places of published files", serves: ["company_source"] },
  prober: { title: "Our own verifier, by DNS and SMTP", serves: ["email_verifier"] }
} as const satisfies Readonly<Record<string, { readonly title: string; readonly serves: ReadonlyArray<ListedPort> }>>

export type BuiltInName = keyof typeof BUILT_IN

export const isBuiltIn = (name: string): name is BuiltInName => Object.hasOwn(BUILT_IN, name)
