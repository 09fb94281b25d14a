/** What the loop asks of each kind of data, and what the stand-ins must have come to. */
import { Foreseen } from "../Foreseen.js"
import { LIE } from "./model.js"
import { ALL, CITY, COMPANIES, COUNTRY } from "./world.js"

// oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON: each question names what it reads
type Json = any

/** The rows of the README's table that these questions show, by their names there. */
export type Row =
  | "find people and companies"
  | "check a company's website"
  | "intent signals"
  | "company briefs, profiles, technologies"
  | "posts"
  | "funding rounds"
  | "chat completions"

export interface Question {
  readonly row: Row
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** One line about a good answer; fails where it is another. */
  readonly shows: (result: Json) => string
}

export class WrongAnswer extends Foreseen {}

const expected = (holds: boolean, what: string): void => {
  if (!holds) throw new WrongAnswer(`An answer differs from the stand-ins: ${what}`)
}

const { forge, labs, works } = COMPANIES

const domainsIn = ({ companies }: Json): ReadonlyArray<string> =>
  companies.map((one: Json): string => one.company_domain)

/** One kind of signal of a company; its summary and where it stands. */
const signal = (kind: string, domain: string, words: string): Question => ({
  row: kind === "funding" ? "funding rounds" : "intent signals",
  path: "/v1/find_intent",
  body: { company_domains: [domain], signals: [kind], within_days: 60 },
  shows: ({ signals }) => {
    const [first] = signals
    expected(signals.length === 1 && first.summary.includes(words), `${kind} of ${domain}: ${JSON.stringify(signals)}`)
    return `${kind} at ${domain}: ${first.summary} (${first.evidence_url})`
  }
})

export const QUESTIONS: ReadonlyArray<Question> = [
  {
    row: "find people and companies",
    path: "/v1/find_companies",
    body: { mode: "local", locations: [`${CITY}, ${COUNTRY}`], categories: ["hardware store"], limit: 10 },
    shows: (result) => {
      expected(domainsIn(result).length === 3, `places: ${domainsIn(result).join(", ")}`)
      return `published places: ${domainsIn(result).join(", ")}`
    }
  },
  {
    row: "find people and companies",
    path: "/v1/find_companies",
    body: { hiring: { titles: ["sales engineer"] }, limit: 10 },
    shows: (result) => {
      expected(domainsIn(result).join() === forge.domain, `hiring: ${domainsIn(result).join(", ")}`)
      return `hiring a sales engineer: ${domainsIn(result).join(", ")}`
    }
  },
  signal("hiring", forge.domain, "Sales Engineer"),
  signal("hiring", works.domain, "Welder"),
  signal("news", forge.domain, "second hall"),
  signal("news", labs.domain, "seed funding"),
  signal("job_change", forge.domain, "officers"),
  signal("funding", forge.domain, "$2,500,000"),
  {
    row: "intent signals",
    path: "/v1/find_intent",
    body: { company_domains: [labs.domain], signals: ["hiring"] },
    shows: ({ domain_status: [status], signals }) => {
      expected(signals.length === 0 && status.charge.paid_checks === 0, `hiring of ${labs.domain}`)
      return `hiring at ${labs.domain}: no board found, nothing charged`
    }
  },
  {
    row: "company briefs, profiles, technologies",
    path: "/v1/enrich_company",
    body: { company_domain: forge.domain, brief: { depth: "fast" } },
    shows: ({ brief }) => {
      expected(brief.status === "hit" && !brief.text.includes(LIE), `brief: ${JSON.stringify(brief)}`)
      return `brief: ${brief.text}`
    }
  },
  {
    row: "company briefs, profiles, technologies",
    path: "/v1/enrich_company",
    body: { company_domain: forge.domain, datasets: ["profile", "technologies", "funding"] },
    shows: ({ datasets: { funding, profile, technologies } }) => {
      const names = technologies.data?.map(({ name }: Json) => name) ?? []
      expected(profile.data?.founded_year === 1998, `profile: ${JSON.stringify(profile)}`)
      expected(names.includes("WordPress"), `technologies: ${JSON.stringify(technologies)}`)
      expected(funding.data?.rounds[0]?.amount_usd === 2_500_000, `funding: ${JSON.stringify(funding)}`)
      return `profile: ${profile.data.name}, founded ${profile.data.founded_year}; technologies: ${names.join(", ")}`
    }
  },
  {
    row: "check a company's website",
    path: "/v1/check_companies",
    body: { question: "Does the company offer dealers a discount?", company_domains: ALL.map(({ domain }) => domain) },
    shows: ({ companies }) => {
      const yes = companies.filter(({ answer }: Json) => answer === "yes")
      expected(yes.length === 1 && yes[0].company_domain === forge.domain, `checks: ${JSON.stringify(companies)}`)
      return `discount for dealers: ${yes[0].company_domain} ("${yes[0].excerpt}")`
    }
  },
  {
    row: "posts",
    path: "/v1/find_posts",
    body: { scope: { type: "keyword", query: "anvil" }, platforms: ["youtube"], limit: 5 },
    shows: ({ posts }) => {
      expected(posts.length === 1, `posts: ${JSON.stringify(posts)}`)
      return `${posts[0].author.name}: ${posts[0].text.split("\n")[0]} (${posts[0].url})`
    }
  },
  {
    row: "chat completions",
    path: "/v1/llm/chat",
    body: { model: "own-model", messages: [{ role: "user", content: "Say hello." }], max_tokens: 100 },
    shows: ({ choices }) => {
      expected(typeof choices[0]?.message.content === "string", `chat: ${JSON.stringify(choices)}`)
      return `a completion of ${choices[0].message.content.length} characters`
    }
  }
]
