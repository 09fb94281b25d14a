/** The first half of the loop, served by the workspace's own lists and our own verifier. */
import { randomBytes } from "node:crypto"
import { basename } from "node:path"
import type { Agent } from "../Agent.js"
import { Unfinished } from "../loop.js"
import { operator, OperatorFailed, type OperatorOptions } from "../Operator.js"
import { cost, count, listed, say, step } from "../Progress.js"
import type { Search } from "./Criteria.js"

const LEADS = 5
const COMPANIES = 3
const REVEALED = 3
const MISTAKES_SHOWN_MAX = 10

interface Mistake {
  readonly line: number
  readonly column: string | null
  readonly what: string
  readonly mend: string
  readonly left_out: "row" | "cell"
}

const mistakeWords = ({ column, left_out, line, mend, what }: Mistake): string =>
  `line ${line}${column === null ? "" : `, ${column}`}: ${what}; ` +
  `${left_out === "row" ? "row skipped" : "cell skipped"}. ${mend}`

/** A list of which no row can be used ends the command badly, and its report is there all the same. */
const reportOf = async (run: ReturnType<typeof operator>): ReturnType<typeof operator> => {
  try {
    return await run
  } catch (error) {
    if (error instanceof OperatorFailed && error.out.trim().startsWith("{")) return JSON.parse(error.out)
    throw error
  }
}

/** Takes a list over into the workspace. Every row of it is accounted for. */
export const importList = async (path: string, workspaceId: string, options: OperatorOptions): Promise<void> => {
  step(`Import ${basename(path)} (outbound directory import)`)
  const report = await reportOf(
    operator(["directory", "import", "--workspace", workspaceId, "--ignore-unknown", path], {
      ...options,
      onProgress: say
    })
  )
  const { added, ignored_columns: ignored, known, mistakes, mistakes_listed, rows, unusable, updated } = report
  say(
    `${count(rows, "row", "rows")} of ${report.kind}: ${added} added, ${updated} updated, ` +
      `${known} have nothing new, ${unusable} are invalid.`
  )
  if (ignored.length > 0) say(`Ignored columns: ${ignored.join(", ")}.`)
  listed(mistakes_listed.map(mistakeWords).slice(0, MISTAKES_SHOWN_MAX), MISTAKES_SHOWN_MAX)
  if (mistakes > MISTAKES_SHOWN_MAX) say(`  and ${mistakes - MISTAKES_SHOWN_MAX} more`)
  if (added + updated + known + unusable !== rows) {
    throw new Unfinished(`${rows - added - updated - known - unusable} rows are unaccounted for.`)
  }
  if (unusable === rows) throw new Unfinished("No row is valid.")
}

export interface Lead {
  readonly full_name: string | null
  readonly title: string | null
  readonly company_name: string | null
  readonly company_domain: string | null
  readonly social_url: string | null
  readonly location: string | null
}

interface Company {
  readonly company_domain: string
  readonly company_name: string | null
  readonly industry?: string | null
  readonly city?: string | null
  readonly country?: string | null
}

const shown = (...facts: ReadonlyArray<string | null>): string => facts.filter((fact) => fact !== null).join(", ")

export const findLeads = async (
  agent: Agent,
  { body, words }: Search,
  why = "most frequent in the lists"
): Promise<ReadonlyArray<Lead>> => {
  step("Find leads (POST /v1/find_leads)")
  say(`Search: ${words} (${why}).`)
  const request = { ...body, limit: LEADS }
  const plan = await agent.act("/v1/find_leads", { ...request, dry_run: true })
  say(`Dry run: at most ${plan.result.plan.credits_estimate} credits.`)
  const found = await agent.act("/v1/find_leads", request)
  const leads: ReadonlyArray<Lead> = found.result.leads
  say(`${found.result.total_found} found, ${leads.length} returned:`)
  listed(
    leads.map(({ company_name, full_name, location, title }) => shown(full_name, title, company_name, location)),
    LEADS
  )
  cost(found.charged, found.available)
  if (leads.length === 0) throw new Unfinished("No lead of the lists was found.")
  return leads
}

export const findCompanies = async (agent: Agent, search: Search): Promise<void> => {
  step("Find companies (POST /v1/find_companies)")
  say(`Search: ${search.words} (most frequent in the lists).`)
  const { available, charged, result } = await agent.act("/v1/find_companies", { ...search.body, limit: COMPANIES })
  listed(
    (result.companies as ReadonlyArray<Company>).map(({ city, company_domain, company_name, country, industry }) =>
      shown(company_name, company_domain, industry ?? null, city ?? null, country ?? null)
    ),
    COMPANIES
  )
  cost(charged, available)
  if (result.companies.length === 0) throw new Unfinished("No company of the lists was found.")
}

const personOf = ({ company_domain, full_name, social_url }: Lead) =>
  full_name !== null && company_domain !== null
    ? { full_name, company_domain }
    : social_url === null
      ? null
      : { social_url }

/** Reveals a few work addresses. */
export const reveal = async (agent: Agent, leads: ReadonlyArray<Lead>): Promise<ReadonlyArray<string>> => {
  step("Reveal work emails (POST /v1/enrich)")
  const revealed: Array<string> = []
  for (const lead of leads) {
    if (revealed.length === REVEALED) break
    const person = personOf(lead)
    if (person === null) {
      say(`${shown(lead.full_name, lead.title)}: skipped, too little is known.`)
      continue
    }
    const { available, charged, result } = await agent.act("/v1/enrich", { person, want: ["work_email"] })
    const email: string | null = result.contact?.work_email ?? null
    say(`${shown(lead.full_name ?? lead.social_url)}: ${result.outcome}${email === null ? "" : ` ${email}`}`)
    cost(charged, available)
    if (email !== null) revealed.push(email)
  }
  return revealed
}

export interface Wanted {
  readonly email: string
  /** Why it is asked, where nobody revealed it. */
  readonly why: string | null
}

/** An address that nobody has, at a domain of somebody. */
export const nobodyAt = (domain: string): string => `nobody.${randomBytes(4).toString("hex")}@${domain}`

/** Verifies addresses; what each came to. */
export const verify = async (agent: Agent, wanted: ReadonlyArray<Wanted>): Promise<ReadonlyMap<string, string>> => {
  step("Verify the emails (POST /v1/verify_email)")
  if (wanted.length === 0) say("No email to verify.")
  const statuses = new Map<string, string>()
  for (const { email, why } of wanted) {
    const { available, charged, result } = await agent.act("/v1/verify_email", { email })
    say(`${email}${why === null ? "" : ` (${why})`}: ${result.status}`)
    cost(charged, available)
    statuses.set(email, result.status)
  }
  return statuses
}
