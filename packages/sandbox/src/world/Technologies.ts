import type { Company } from "./Companies.js"
import { hash, share } from "./Hash.js"
import { fold } from "./Text.js"

export interface Technology {
  readonly name: string
  readonly category: string
  /** The share of companies of middling size that use it. */
  readonly popularity: number
}

/** By category, each with its popularity. An indented line goes on with the category before it. */
const TABLE = `
CRM: Salesforce 0.18, HubSpot 0.22, Pipedrive 0.07, Zoho CRM 0.05, Microsoft Dynamics 365 0.06
marketing: Mailchimp 0.2, Marketo 0.05, ActiveCampaign 0.05, Google Analytics 0.6, Google Tag Manager 0.5, Hotjar
  0.15, Klaviyo 0.05
sales: Outreach 0.05, Salesloft 0.04, Gong 0.05, Calendly 0.14
support: Zendesk 0.14, Intercom 0.09, Freshdesk 0.06
finance: Stripe 0.16, QuickBooks 0.14, NetSuite 0.05, SAP 0.08, Xero 0.06
human resources: Workday 0.05, BambooHR 0.06, Personio 0.05, Greenhouse 0.06, Lever 0.04
infrastructure: Amazon Web Services 0.3, Microsoft Azure 0.2, Google Cloud 0.12, Cloudflare 0.32, Kubernetes 0.1,
  Docker 0.14, Terraform 0.07
data: Snowflake 0.07, PostgreSQL 0.16, MongoDB 0.1, Tableau 0.08, Databricks 0.04, Segment 0.05
web: WordPress 0.34, Shopify 0.08, React 0.3, Webflow 0.06
collaboration: Slack 0.3, Microsoft 365 0.5, Google Workspace 0.36, Notion 0.12, Atlassian Jira 0.2, Asana 0.08`

/** What companies of this world use. */
export const TECHNOLOGIES: ReadonlyArray<Technology> = TABLE.trim()
  .replaceAll(/\n +/g, " ")
  .split("\n")
  .flatMap((row) => {
    const [category = "", listed = ""] = row.split(": ")
    return listed.split(", ").map((one) => {
      const at = one.lastIndexOf(" ")
      return { name: one.slice(0, at), category, popularity: Number(one.slice(at)) }
    })
  })

const WHAT_USES = 0x81
const WHAT_SURE = 0x82
const LOW_CONFIDENCE_SHARE = 0.15

const sizeFactor = (headcount: number): number => (headcount < 10 ? 0.5 : headcount > 500 ? 1.5 : 1)

const keyOf = (company: Company, technology: number): number => company.index * TECHNOLOGIES.length + technology

export interface UsedTechnology {
  readonly technology: Technology
  readonly confidence: "high" | "low"
  /** 0 to 1; higher where the confidence is. */
  readonly score: number
  /** Stable: one per company and technology. */
  readonly key: number
}

/** What a company uses, of these technologies (indexes into the list); all of them where none are named. */
export const technologiesOf = (
  seed: number,
  company: Company,
  among: ReadonlyArray<number> = TECHNOLOGIES.map((_, index) => index)
): ReadonlyArray<UsedTechnology> =>
  among.flatMap((index) => {
    const technology = TECHNOLOGIES[index]
    const key = keyOf(company, index)
    if (technology === undefined) return []
    if (share(hash(seed, WHAT_USES, key)) >= technology.popularity * sizeFactor(company.headcount)) return []
    const drawn = share(hash(seed, WHAT_SURE, key))
    const isLow = drawn < LOW_CONFIDENCE_SHARE
    const score = isLow ? 0.2 + 2 * drawn : 0.7 + 0.3 * drawn
    return [{ technology, confidence: isLow ? "low" : "high", score: Math.round(score * 100) / 100, key }]
  })

const asWords = (text: string): string => ` ${fold(text)} `

/** The technologies that a phrase names, word by word: "Azure" is "Microsoft Azure". */
export const technologiesNamed = (phrase: string): ReadonlyArray<number> =>
  TECHNOLOGIES.flatMap(({ name }, index) => (asWords(name).includes(asWords(phrase)) ? [index] : []))
