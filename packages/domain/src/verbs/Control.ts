import { Schema } from "effect"
import { Scope } from "./Policy.js"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { Count, STABLE_FILTER, text, Timestamp, Uuid } from "./fields.js"
import { defineVerb } from "./Verb.js"

/** The members of a policy that a key may tighten on another. */
export const POLICY_MEMBERS = ["monthly_spend_cap", "scopes", "autonomous_external_actions"] as const

/** More than there are scopes: a list that repeats itself is no harm. */
const SCOPES_MAX = 50

export const UpdateKey = defineVerb({
  name: "update_key",
  route: { method: "PATCH", path: "/v1/keys/:key_id" },
  summary: "Tighten another key: lower its cap, drop scopes, turn its autonomy off.",
  description:
    "Free. What is left out stays. All members or none: a request that loosens any of them changes nothing, is answered `owner_required`, and waits as a change request for an owner to decide in the console. `monthly_spend_cap: null` takes the cap away, and so loosens. No key changes its own policy.",
  mode: "act",
  scope: "control:manage",
  idempotency: "required",
  planVersion: 1,
  request: Schema.Struct({
    key_id: Uuid,
    monthly_spend_cap: Schema.optional(
      Schema.NullOr(CreditsFromWire).annotations({ description: "Credits per calendar month (UTC); null: no cap." })
    ),
    scopes: Schema.optional(
      Schema.Array(Scope)
        .pipe(Schema.maxItems(SCOPES_MAX))
        .annotations({ description: "All that it may do from now on." })
    ),
    autonomous_external_actions: Schema.optional(
      Schema.Boolean.annotations({ description: "Whether it may ask for approvals, and use them." })
    )
  })
    .pipe(
      Schema.filter(
        (request) =>
          POLICY_MEMBERS.some((name) => request[name] !== undefined)
            ? undefined
            : { path: [], message: `needs at least one of ${POLICY_MEMBERS.join(", ")}` },
        {
          [STABLE_FILTER]: true,
          jsonSchema: { allOf: [{ anyOf: POLICY_MEMBERS.map((name) => ({ required: [name] })) }] }
        }
      )
    )
    .annotations({
      examples: [{ key_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70", autonomous_external_actions: false }]
    }),
  result: Schema.Struct({
    key_id: Uuid,
    monthly_spend_cap: Schema.NullOr(CreditsFromWire),
    scopes: Schema.Array(Scope),
    autonomous_external_actions: Schema.Boolean,
    control_log_id: Uuid.annotations({ description: "The row of the control log that recorded it." })
  }),
  errors: ["not_found", "owner_required", "self_modification"],
  tool: null
})

export const Kill = defineVerb({
  name: "kill",
  route: { method: "POST", path: "/v1/kill" },
  summary: "Stop all sending of the workspace.",
  description:
    "Free. From the answer on nothing is sent, but for what may be leaving in the campaigns of `campaigns_unconfirmed`, whose pause is asked for until it is confirmed. Active campaigns are paused for good: they do not start again when a signed-in owner clears the suspension. Open approvals are cancelled. Keys are not revoked, and mail that the provider has accepted can't be recalled. A second kill is told what the first did.",
  mode: "act",
  scope: "control:manage",
  idempotency: "required",
  planVersion: 1,
  request: Schema.Struct({
    reason: text(1, 500).annotations({ description: "Why, for people to read." })
  }).annotations({ examples: [{ reason: "The wrong list was launched." }] }),
  result: Schema.Struct({
    status: Schema.Literal("suspended"),
    suspended_at: Timestamp,
    campaigns_paused: Count,
    campaigns_unconfirmed: Schema.Array(Uuid),
    approvals_cancelled: Count
  }),
  errors: [],
  tool: null
})
