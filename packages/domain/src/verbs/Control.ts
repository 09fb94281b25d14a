import { Schema } from "effect"
import { Scope } from "./Policy.js"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { Count, text, Timestamp, Uuid } from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { ACTS, defineVerb } from "./Verb.js"

/** The members of a policy that one key may tighten on another. */
export const POLICY_MEMBERS = ["monthly_spend_cap", "scopes", "autonomous_external_actions"] as const

/** More than there are scopes; repeats are harmless. */
const SCOPES_MAX = 50

export const UpdateKey = defineVerb({
  name: "update_key",
  route: { method: "PATCH", path: "/v1/keys/:key_id" },
  summary: "Tighten another key: lower its cap, remove scopes, turn its autonomy off.",
  description:
    "Free. Fields left out stay unchanged. A request that loosens any field changes nothing: it fails with `owner_required` and becomes a change request for an owner to decide in the console. `monthly_spend_cap: null` removes the cap, which loosens. A key can't change its own policy.",
  ...ACTS,
  scope: "control:manage",
  request: Schema.Struct({
    key_id: Uuid,
    monthly_spend_cap: Schema.optional(
      Schema.NullOr(CreditsFromWire).annotate({ description: "Credits per calendar month (UTC). Null: no cap." })
    ),
    scopes: Schema.optional(
      Schema.Array(Scope)
        .check(Schema.isMaxLength(SCOPES_MAX))
        .annotate({ description: "The key's complete new list of scopes." })
    ),
    autonomous_external_actions: Schema.optional(
      Schema.Boolean.annotate({ description: "Whether the key can ask for and use approvals." })
    )
  })
    .check(
      Schema.makeFilter(
        (request) =>
          POLICY_MEMBERS.some((name) => request[name] !== undefined)
            ? undefined
            : { path: [], issue: `needs at least one of ${POLICY_MEMBERS.join(", ")}` },
        {
          [STABLE_FILTER]: true,
          jsonSchema: { allOf: [{ anyOf: POLICY_MEMBERS.map((name) => ({ required: [name] })) }] }
        }
      )
    )
    .annotate({
      examples: [{ key_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70", autonomous_external_actions: false }]
    }),
  result: Schema.Struct({
    key_id: Uuid,
    monthly_spend_cap: Schema.NullOr(CreditsFromWire),
    scopes: Schema.Array(Scope),
    autonomous_external_actions: Schema.Boolean,
    control_log_id: Uuid.annotate({ description: "The change's entry in the control log." })
  }),
  errors: ["not_found", "owner_required", "self_modification"],
  tool: null
})

export const Kill = defineVerb({
  name: "kill",
  route: { method: "POST", path: "/v1/kill" },
  summary: "Stop all sending in the workspace.",
  description:
    "Free. Nothing is sent after the answer, except possibly from the campaigns in `campaigns_unconfirmed`; the service repeats their pause until the provider confirms it. Active campaigns are paused permanently: they can't be resumed, even after an owner clears the suspension. Open approvals are cancelled. Keys are not revoked. Mail that a provider has accepted can't be recalled. A second kill returns the first one's result.",
  ...ACTS,
  scope: "control:manage",
  request: Schema.Struct({
    reason: text(1, 500).annotate({ description: "The reason, shown to people and agents." })
  }).annotate({ examples: [{ reason: "The wrong list was launched." }] }),
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
