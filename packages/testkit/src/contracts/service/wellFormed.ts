import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"

/** An id that nothing has. */
export const ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

export const campaign = {
  name: "First",
  recipients: [{ email: "silent@magic.test" }],
  sequence: [{ subject: "Hello", body: "Hi" }]
}

/** A well-formed call of every verb, and the scope that gates it (contract: keys, scopes). */
export const CALLS: { readonly [Name in VerbName]?: readonly [scope: Scope | null, input: JsonObject] } = {
  find_leads: ["data:read", { audience: "anybody" }],
  find_companies: ["data:read", { hiring: { titles: ["magic-1"] }, technologies: ["magic-1"], limit: 1 }],
  find_intent: ["data:read", { company_domains: ["quiet-1.test"] }],
  find_posts: ["data:read", { scope: { type: "keyword", query: "magic-1" }, limit: 1 }],
  enrich: ["data:read", { person: { email: "miss@magic.test" } }],
  enrich_company: ["data:read", { company_domain: "hit-1.test", datasets: ["profile"] }],
  verify_email: ["data:read", { email: "unknown@magic.test" }],
  check_companies: ["data:read", { question: "Is there a free trial?", company_domains: ["unclear-1.test"] }],
  setup_sending: [
    "assets:purchase",
    { daily_sends: 1, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }
  ],
  create_campaign: ["campaign:write", campaign],
  add_leads: ["campaign:write", { campaign_id: ID, leads: [{ email: "silent@magic.test" }] }],
  launch_campaign: ["campaign:launch", { campaign_id: ID }],
  pause_campaign: ["campaign:write", { campaign_id: ID, reason: "a test" }],
  list_campaigns: ["data:read", {}],
  get_campaign: ["data:read", { campaign_id: ID }],
  list_leads: ["data:read", { campaign_id: ID }],
  forecast_campaign: ["data:read", { campaign_id: ID }],
  list_mailboxes: ["data:read", {}],
  get_sending_health: ["data:read", {}],
  list_saved_answers: ["data:read", {}],
  get_replies: ["data:read", {}],
  get_reply: ["data:read", { reply_id: ID }],
  reply_to_thread: ["reply:send", { reply_id: ID, body_text: "Gladly." }],
  set_lead_status: ["campaign:write", { campaign_lead_id: ID, status: "won" }],
  add_suppressions: ["campaign:write", { domains: ["customer.test"] }],
  get_me: [null, {}],
  get_usage: [null, {}],
  get_request: [null, { request_id: ID }],
  verify_emails: ["data:read", { emails: ["unknown@magic.test"] }],
  enrich_people: ["data:read", { people: [{ email: "miss@magic.test" }] }],
  find_intent_of_list: ["data:read", { company_domains: ["quiet-1.test"] }],
  get_operation: [null, { operation_id: ID }],
  get_operation_results: [null, { operation_id: ID }],
  cancel_operation: ["data:read", { operation_id: ID }],
  get_trail: ["trail:read", {}],
  update_key: ["control:manage", { key_id: ID, autonomous_external_actions: false }],
  kill: ["control:manage", { reason: "a test" }]
}

export const callEntries = Object.entries(CALLS) as ReadonlyArray<
  readonly [VerbName, readonly [Scope | null, JsonObject]]
>
