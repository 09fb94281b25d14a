import { Schema } from "effect"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { CompanyDomain } from "../kernel/people/Domain.js"
import { EnrichPerson, Wants } from "./Enrich.js"
import { BudgetCredits, Count, Cursor, DryRun, integerInput, Route, text, Uuid } from "./fields.js"
import { INTENT_SIGNALS_MAX, IntentSignalKind } from "./FindIntent.js"
import {
  EMAIL_LOOKUP_PRICE,
  inWords,
  MOBILE_SEARCH_PRICE,
  QUIET_PRICE,
  SIGNALS_PRICE,
  VERIFY_EMAIL_PRICE
} from "./prices.js"
import { OperationStatus } from "./Reads.js"
import { DATA_CALL, defineVerb, READ_HINTS, READS } from "./Verb.js"

/** Most rows of a list. */
export const LIST_ROWS_MAX = 10_000

/** Most rows of a page, and how many without `limit`. */
export const RESULTS_PAGE_MAX = 500
export const RESULTS_PAGE_DEFAULT = 100

/** What becomes of a list is read with get_operation and get_operation_results. */
const accepted = <const Kind extends string>(kind: Kind) =>
  Schema.Struct({
    operation_id: Uuid.annotate({ description: "For get_operation, get_operation_results and cancel_operation." }),
    kind: Schema.Literal(kind),
    status: Schema.Literal("queued"),
    total: Count.annotate({ description: "How many rows the list has." })
  })

/** A list's part of a dry run. */
const ListWould = Schema.Struct({
  total: Count,
  maximum_credits: CreditsFromWire,
  budget_credits: Schema.NullOr(CreditsFromWire)
}).annotate({ identifier: "ListWould" })

const RULES =
  "Returns 202 with an `operation_id` at once. Reserves the most that the list can cost, or `budget_credits`, once. Each row is charged when it ends; a row that the reservation no longer covers fails with `insufficient_credits`. Read rows with `get_operation_results`; `cancel_operation` cancels those that have not begun."

const common = {
  mode: "act",
  scope: "data:read",
  idempotency: "required",
  planVersion: 3,
  would: ListWould,
  accepts: true,
  errors: ["tool_unavailable"]
} as const

const ceilings = { budget_credits: Schema.optional(BudgetCredits), dry_run: Schema.optional(DryRun) }

export const VerifyEmails = defineVerb({
  ...common,
  name: "verify_emails",
  result: accepted("verify_emails"),
  route: { method: "POST", path: "/v1/verify_emails" },
  summary: "Check a list of email addresses.",
  description: `Costs ${inWords(VERIFY_EMAIL_PRICE)} credit a row, as \`verify_email\`. ${RULES}`,
  request: Schema.Struct({
    emails: Schema.Array(text(3, 320))
      .check(Schema.isMinLength(1), Schema.isMaxLength(LIST_ROWS_MAX))
      .annotate({ description: "The addresses to check, a row each.", examples: [["valid@magic.test"]] }),
    ...ceilings
  }),
  tool: { title: "Verify a list of email addresses", destructive: false, idempotent: false, openWorld: true }
})

export const EnrichPeople = defineVerb({
  ...common,
  name: "enrich_people",
  result: accepted("enrich_people"),
  route: { method: "POST", path: "/v1/enrich_people" },
  summary: "Reveal work emails and mobile numbers of a list of people.",
  description: `Costs as \`enrich\`: ${inWords(EMAIL_LOOKUP_PRICE)} credits a row that is found, and ${inWords(MOBILE_SEARCH_PRICE)} for a mobile number. ${RULES}`,
  request: Schema.Struct({
    people: Schema.Array(EnrichPerson)
      .check(Schema.isMinLength(1), Schema.isMaxLength(LIST_ROWS_MAX))
      .annotate({ description: "The people, a row each, as `person` of `enrich`." }),
    want: Schema.optional(Wants),
    route: Schema.optional(Route),
    ...ceilings
  }).annotate({ examples: [{ people: [{ full_name: "Ada Lovelace", company_domain: "acme.example" }] }] }),
  tool: { title: "Reveal a list of people", destructive: false, idempotent: false, openWorld: true }
})

export const FindIntentOfList = defineVerb({
  ...common,
  name: "find_intent_of_list",
  result: accepted("find_intent_of_list"),
  route: { method: "POST", path: "/v1/find_intent_of_list" },
  summary: "Check a list of companies for buying signals.",
  description: `Costs as \`find_intent\`: ${inWords(SIGNALS_PRICE)} credits a company with signals, ${inWords(QUIET_PRICE)} without. ${RULES}`,
  request: Schema.Struct({
    company_domains: Schema.Array(CompanyDomain)
      .check(Schema.isMinLength(1), Schema.isMaxLength(LIST_ROWS_MAX))
      .annotate({ description: "Domains or URLs, a row each.", examples: [["hiring-1.test", "quiet-1.test"]] }),
    signals: Schema.optional(Schema.Array(IntentSignalKind).check(Schema.isMaxLength(INTENT_SIGNALS_MAX))),
    ...ceilings
  }),
  tool: { title: "Buying signals of a list of companies", destructive: false, idempotent: false, openWorld: true }
})

/** The refusal of a row, as the single call's. */
const RowError = Schema.StructWithRest(
  Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    request_id: Schema.optional(Schema.String),
    details: Schema.optional(Schema.Record(Schema.String, Schema.Unknown))
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** How a row of a list ended. One under way is pending. */
export const ROW_STATUSES = ["pending", "done", "failed", "cancelled"] as const

export const GetOperationResults = defineVerb({
  name: "get_operation_results",
  route: { method: "GET", path: "/v1/operations/:operation_id/results" },
  summary: "Read the rows of a list, in the order asked.",
  description:
    "Free, with any key. `result` is that of the single call, `error` its refusal. Both are null once the rows are older than 30 days. Operations that are no lists have no rows.",
  ...READS,
  scope: null,
  request: Schema.Struct({
    operation_id: Uuid,
    limit: Schema.optional(integerInput(1, RESULTS_PAGE_MAX, RESULTS_PAGE_DEFAULT)),
    cursor: Schema.optional(Cursor)
  }),
  result: Schema.Struct({
    rows: Schema.Array(
      Schema.Struct({
        index: Count,
        status: Schema.Literals(ROW_STATUSES),
        credits_charged: CreditsFromWire,
        result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
        error: Schema.NullOr(RowError)
      })
    ),
    next_cursor: Schema.NullOr(Schema.String)
  }),
  errors: ["not_found"],
  tool: { title: "Rows of a list", ...READ_HINTS }
})

export const CancelOperation = defineVerb({
  name: "cancel_operation",
  route: { method: "POST", path: "/v1/operations/:operation_id/cancel" },
  summary: "Cancel the rows of a list that have not begun.",
  description:
    "Free. Their reservation is free again; rows under way still end and are charged. Only for lists: other operations are refused with `invalid_request`. A list that has ended stays as it is.",
  ...DATA_CALL,
  request: Schema.Struct({ operation_id: Uuid }),
  result: Schema.Struct({
    operation_id: Uuid,
    status: OperationStatus,
    rows_cancelled: Count.annotate({ description: "Rows that had not begun, and never will." })
  }),
  errors: ["not_found"],
  tool: { title: "Cancel a list", destructive: true, idempotent: true, openWorld: false }
})
