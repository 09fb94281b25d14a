import { SIGNUP_CREDITS } from "@outbound/domain/control/NewWorkspace.js"
import { APPROVAL_MILLIS, PURCHASE_APPROVAL_MILLIS } from "@outbound/domain/calls/approvals/Approvals.js"
import { CHAT_PRICES } from "@outbound/domain/data/chat/price.js"
import { ENRICHMENT_CACHE_DAYS } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import { OUTCOME_DAYS } from "@outbound/domain/control/erasure/Retention.js"
import { TRAIL_EMAIL_MONTHS } from "@outbound/domain/kernel/trail/retention.js"
import { ISSUES_MAX, WIRE, WIRE_CODES } from "@outbound/domain/kernel/errors/Wire.js"
import {
  CAPABILITIES,
  DEFAULT_SCOPES,
  PREMIUM_ALLOWANCE_DEFAULT,
  RATE_PER_MINUTE_DEFAULT,
  SCOPES
} from "@outbound/domain/verbs/Policy.js"
import { OFFER_MILLIS } from "@outbound/domain/data/leads/Offers.js"
import { type Credits, format as formatCredits } from "@outbound/domain/kernel/money/Credits.js"
import { CONTACT_HISTORY_DAYS } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { TRAIL_KINDS, TRAIL_SOURCES } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { CHECK_COMPANIES_MAX } from "@outbound/domain/verbs/CheckCompanies.js"
import { RECIPIENTS_MAX, SEQUENCE_STEPS_MAX, WAIT_DAYS_MAX } from "@outbound/domain/verbs/campaignFields.js"
import { BUDGET_CREDITS_MAX } from "@outbound/domain/verbs/fields.js"
import { FIND_COMPANIES_LIMIT_MAX } from "@outbound/domain/verbs/FindCompanies.js"
import { INTENT_COMPANIES_MAX, WITHIN_DAYS_MAX } from "@outbound/domain/verbs/FindIntent.js"
import { FIND_LEADS_LIMIT_MAX } from "@outbound/domain/verbs/FindLeads.js"
import { FIND_POSTS_LIMIT_MAX } from "@outbound/domain/verbs/FindPosts.js"
import { TRAIL_PAGE_MAX } from "@outbound/domain/verbs/Reads.js"
import { REPLIES_PAGE_MAX } from "@outbound/domain/verbs/Replies.js"
import { REPLY_BODY_CHARS_MAX } from "@outbound/domain/verbs/ReplyToThread.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, expect, it } from "vitest"
import {
  BRIEF_PRICES,
  CHECK_COMPANIES_PRICE,
  COMPANIES_PRICE,
  DATASET_PRICE,
  DOMAIN_SETUP_PRICE,
  EMAIL_LOOKUP_PRICE,
  FIND_LEADS_PRICE,
  MAILBOX_UPKEEP_PRICE,
  MOBILE_SEARCH_PRICE,
  POST_PRICE,
  PREMIUM_LEAD_PRICE,
  QUIET_PRICE,
  SCOPED_BASE_PRICE,
  SIGNALS_PRICE,
  TECHNOLOGIES_PRICE,
  VERIFY_EMAIL_PRICE
} from "@outbound/domain/verbs/prices.js"
import { formatted } from "./formatted.js"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const CONTRACT = join(ROOT, "docs/contract/")

type Rows = ReadonlyArray<ReadonlyArray<string | number>>

const code = (text: string): string => `\`${text}\``
const codes = (texts: ReadonlyArray<string>): string => texts.map(code).join(", ")
const minutes = (millis: number): string => `${millis / 60_000} minutes`

const table = (head: ReadonlyArray<string>, rows: Rows): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const RETRY = { never: "", same_key: "same key", poll: "poll, never retry" } as const

const prices: ReadonlyArray<readonly [string, Credits]> = [
  ["`verify_email`: per address, unless `unknown`", VERIFY_EMAIL_PRICE],
  ["`enrich`: email lookup, on a hit", EMAIL_LOOKUP_PRICE],
  ["`enrich`: mobile search, on a hit", MOBILE_SEARCH_PRICE],
  ["`find_leads`: per lead", FIND_LEADS_PRICE],
  ["`find_leads`: per premium lead", PREMIUM_LEAD_PRICE],
  ["`find_companies`: per company of a technology search", TECHNOLOGIES_PRICE],
  ["`find_companies`: per company of any other search", COMPANIES_PRICE],
  ["`find_intent`: per company with signals", SIGNALS_PRICE],
  ["`find_intent`: per company without signals", QUIET_PRICE],
  ["`check_companies`: per company answered", CHECK_COMPANIES_PRICE],
  ["`enrich_company`: per dataset with data", DATASET_PRICE],
  ["`enrich_company`: brief, `fast`", BRIEF_PRICES.fast],
  ["`enrich_company`: brief, `deep`", BRIEF_PRICES.deep],
  ["`find_posts`: per post", POST_PRICE],
  ["`find_posts`: base of a profile", SCOPED_BASE_PRICE],
  ["`setup_sending`: per domain, once", DOMAIN_SETUP_PRICE],
  ["`setup_sending`: upkeep per mailbox and month", MAILBOX_UPKEEP_PRICE],
  ["`llm_chat`: per 1,000 tokens, `large`", CHAT_PRICES.large],
  ["`llm_chat`: per 1,000 tokens, `small`", CHAT_PRICES.small],
  ["`llm_chat`: per 1,000 tokens, `mini`", CHAT_PRICES.mini]
]

/** The generated parts, by the name in their mark. */
const PARTS: Readonly<Record<string, string>> = {
  errors: table(
    ["code", "status", "retry", "details"],
    WIRE_CODES.map((name) => [
      code(name),
      WIRE[name].status,
      RETRY[WIRE[name].retry],
      codes(Object.keys(WIRE[name].details.fields))
    ])
  ),
  prices: table(
    ["what", "credits"],
    [...prices.map(([what, price]) => [what, formatCredits(price)]), ["every other verb", "free"]]
  ),
  kinds: `The kinds are ${codes(TRAIL_KINDS)}. The sources are ${codes(TRAIL_SOURCES)}.`,
  scopes: table(
    ["scope", "gates", "a new key has it"],
    SCOPES.map((scope) => [
      code(scope),
      codes(verbList.flatMap((verb) => (verb.scope === scope ? [verb.name] : []))),
      DEFAULT_SCOPES.includes(scope) ? "yes" : "no"
    ])
  ),
  capabilities: `The capabilities are ${codes(CAPABILITIES)}.`,
  limits: table(
    ["limit", "value"],
    [
      ["credits of a new workspace", SIGNUP_CREDITS],
      ["requests per minute and key, unless an operator sets another rate", RATE_PER_MINUTE_DEFAULT],
      ["validation errors per response", ISSUES_MAX],
      ["`budget_credits`", BUDGET_CREDITS_MAX],
      ["premium allowance of a key, unless an operator or owner sets another", PREMIUM_ALLOWANCE_DEFAULT],
      ["an offer is valid for", minutes(OFFER_MILLIS)],
      ["an approval of a purchase is valid for", minutes(PURCHASE_APPROVAL_MILLIS)],
      ["any other approval is valid for", `${APPROVAL_MILLIS / 3_600_000} hours`],
      ["results of `find_leads`", FIND_LEADS_LIMIT_MAX],
      ["results of `find_companies`", FIND_COMPANIES_LIMIT_MAX],
      ["results of `find_posts`", FIND_POSTS_LIMIT_MAX],
      ["companies of `find_intent`", INTENT_COMPANIES_MAX],
      ["days of `find_intent.within_days`", WITHIN_DAYS_MAX],
      ["companies of `check_companies`", CHECK_COMPANIES_MAX],
      ["recipients of a campaign", RECIPIENTS_MAX],
      ["steps of a sequence", SEQUENCE_STEPS_MAX],
      ["`wait_days` of a step", WAIT_DAYS_MAX],
      ["characters of a reply's `body_text`", REPLY_BODY_CHARS_MAX],
      ["replies per page", REPLIES_PAGE_MAX],
      ["trail events per page", TRAIL_PAGE_MAX],
      ["days a contact is cached", ENRICHMENT_CACHE_DAYS],
      ["days a person is `capped` after a message", CONTACT_HISTORY_DAYS],
      ["days an outcome is stored, except of sending verbs", OUTCOME_DAYS],
      ["months an address stays in the trail", TRAIL_EMAIL_MONTHS]
    ]
  ),
  caps: table(
    ["cap", "default"],
    [
      ["messages per workspace and day", DEFAULT_CAPS.dailySends],
      ["messages per mailbox and day", DEFAULT_CAPS.mailboxDailySends],
      ["replies per workspace and day", DEFAULT_CAPS.dailyReplies],
      ["replies per mailbox and day", DEFAULT_CAPS.mailboxDailyReplies],
      ["refused people before the breaker acts", DEFAULT_CAPS.refusalsMin],
      ["refused people of a mailbox, in percent", DEFAULT_CAPS.mailboxRefusalsPercent],
      ["refused people at one organisation, in percent", DEFAULT_CAPS.receiverRefusalsPercent]
    ]
  )
}

const PART = /(<!-- (\w+): from the code -->\n)[\s\S]*?(<!-- end -->)/g

const pages = readdirSync(CONTRACT).filter((name) => name.endsWith(".md"))
const textOf = (page: string): string => readFileSync(join(CONTRACT, page), "utf8")

const sectionsOf = (page: string): ReadonlyArray<string> =>
  [...textOf(page).matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title.toLowerCase())

/** The sections that source files cite, such as `contract: approvals, binding`, each with the citing file. */
const citations = (): ReadonlyArray<readonly [file: string, page: string, section: string]> =>
  readdirSync(join(ROOT, "packages"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^[^/]+\/(?:src|test|system|bench)\/.*\.tsx?$/.test(file) && !file.endsWith("Contract.test.ts"))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, "packages", file), "utf8").replaceAll(/\n\s*(?:\*|\/\/) ?/g, " ")
      return [...text.matchAll(/\(contract: ([^()]+)\)/g)].flatMap(([, cited = ""]) =>
        cited.split(";").map((one) => {
          const [page = "", section = ""] = one.split(",").map((part) => part.trim())
          return [file, page, section] as const
        })
      )
    })

describe("docs/contract", () => {
  // Written anew by running this file with `--update`.
  it.each(pages)("%s says what the code says", async (page) => {
    const text = textOf(page).replaceAll(PART, (_, begin: string, name: string, end: string) => {
      assert.property(PARTS, name)
      return `${begin}\n${PARTS[name] ?? ""}\n\n${end}`
    })
    const file = join(CONTRACT, page)
    await expect(await formatted(text)).toMatchFileSnapshot(file)
  })

  it("holds every generated part once", () => {
    const marks = pages.flatMap((page) => [...textOf(page).matchAll(PART)].map(([, , name = ""]) => name))
    assert.sameMembers(marks, Object.keys(PARTS))
  })

  it("has every section that the code cites", () => {
    const sections = new Map(pages.map((page) => [page.replace(/\.md$/, ""), sectionsOf(page)]))
    const cited = citations()
    assert.isNotEmpty(cited)
    assert.deepStrictEqual(
      cited.filter(([, page, section]) => !(sections.get(page) ?? []).includes(section)),
      []
    )
  })

  it("is all that the code cites: no text from outside the repository", () => {
    const outside = readdirSync(join(ROOT, "packages"), { recursive: true, encoding: "utf8" })
      .filter((file) => /^[^/]+\/(?:src|test|system|bench)\/.*\.tsx?$/.test(file) && !file.endsWith("Contract.test.ts"))
      .filter((file) => /\b(?:interface|completions)\.md/.test(readFileSync(join(ROOT, "packages", file), "utf8")))
    assert.deepStrictEqual(outside, [])
  })
})
