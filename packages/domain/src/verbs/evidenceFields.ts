import { Schema } from "effect"
import { EVIDENCE_MARKS } from "../kernel/sequences/evidence.js"
import { Count, text, Uuid, wordy } from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"

export const EXCERPT_CHARS_MAX = 500
const URL_CHARS_MAX = 2048

/** Names that stand for themselves; every other value is a custom one. */
const NAMES: ReadonlySet<string> = new Set(["first_name", "last_name", "company_name"])
const CUSTOM = "custom."

const isPageAddress = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const { hostname, password, protocol, username } = new URL(value)
  return (protocol === "https:" || protocol === "http:") && hostname !== "" && username === "" && password === ""
}

const DAY_OR_TIME = /^(\d{4}-\d{2})-(\d{2})(?:[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/

/** `Date.parse` reads February 30 as March 2. */
const isDayOrTime = (value: string): boolean => {
  const [, month, day] = DAY_OR_TIME.exec(value) ?? []
  return (
    month !== undefined &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(`${month}-01T00:00:00Z`).getUTCMonth() === new Date(`${month}-${day}T00:00:00Z`).getUTCMonth()
  )
}

const has = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && (value as Readonly<Record<string, unknown>>)[name] !== undefined

const sourceIssues = (evidence: unknown): ReadonlyArray<Schema.FilterIssue> => {
  const given = ["request_id", "url"].filter((name) => has(evidence, name))
  if (given.length === 1) return []
  return given.length === 0
    ? [{ path: ["request_id"], issue: "is required, unless there is a url" }]
    : [{ path: ["url"], issue: "must be absent beside a request_id" }]
}

export const EvidenceField = Schema.Struct({
  request_id: Schema.optional(Uuid).annotate({
    description: "A data call of this workspace that returned the excerpt, made with an Idempotency-Key."
  }),
  url: Schema.optional(
    text(1, URL_CHARS_MAX).check(
      Schema.makeFilter(isPageAddress, {
        message: "must be the http or https address of a page, without a user name or password",
        jsonSchema: { format: "uri" }
      })
    )
  ).annotate({ description: "A public page on which the excerpt stands. Instead of `request_id`." }),
  excerpt: wordy(1, EXCERPT_CHARS_MAX).annotate({
    description: "The words that say it, as they stand there. “…” stands for words left out."
  }),
  observed_at: Schema.String.check(
    Schema.makeFilter(isDayOrTime, { message: "must be a day, such as 2026-01-02, or an RFC 3339 timestamp" })
  ).annotate({ description: "When it was seen: a day or a time.", examples: ["2026-01-02"] })
})
  .check(Schema.makeFilter(sourceIssues, { [STABLE_FILTER]: true, jsonSchema: {} }))
  .annotate({
    identifier: "Evidence",
    description: "Either a `request_id` or a `url`, and the words that stand there."
  })
export type EvidenceField = typeof EvidenceField.Type

/** The variable that evidence is of, as templates name it; a custom value may go by its bare name. */
export const evidenceVariable = (name: string): string =>
  NAMES.has(name) || name.startsWith(CUSTOM) ? name : `${CUSTOM}${name}`

/** Evidence is of a value that the recipient has. */
export const evidenceIssues = (recipient: unknown): ReadonlyArray<Schema.FilterIssue> => {
  if (typeof recipient !== "object" || recipient === null) return []
  const { custom, evidence } = recipient as { readonly custom?: unknown; readonly evidence?: unknown }
  if (typeof evidence !== "object" || evidence === null) return []
  return Object.keys(evidence).flatMap((name) => {
    const variable = evidenceVariable(name)
    const isThere = variable.startsWith(CUSTOM)
      ? typeof custom === "object" && custom !== null && Object.hasOwn(custom, variable.slice(CUSTOM.length))
      : has(recipient, variable)
    return isThere
      ? []
      : [
          {
            path: ["evidence", name],
            issue: "must name a value of this recipient: first_name, last_name, company_name or custom.<name>"
          }
        ]
  })
}

export const EvidenceFields = Schema.Record(Schema.String, EvidenceField).annotate({
  description:
    "Where values come from, by variable (`first_name`, `custom.trigger`). The service looks whether the words stand there, whether they say what the value says, and how old they are.",
  examples: [
    {
      "custom.trigger": {
        url: "https://acme.example/news/series-b",
        excerpt: "Acme raised a Series B of $12 million",
        observed_at: "2026-01-02"
      }
    }
  ]
})

/** How many merged values have which mark. */
export const EvidenceCounts = Schema.optional(
  Schema.Struct(
    Object.fromEntries(EVIDENCE_MARKS.map((mark) => [mark, Count])) as Record<
      (typeof EVIDENCE_MARKS)[number],
      typeof Count
    >
  ).annotate({
    identifier: "EvidenceCounts"
  })
).annotate({
  description:
    "How many values that the messages use are proven by their evidence, and how many are not. Absent: nobody gave evidence, and the workspace does not ask for it."
})
