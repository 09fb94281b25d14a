import type { ProviderFailureReason } from "../../sources/ports/Source.js"

type Reasons<A> = ReadonlyArray<readonly [ProviderFailureReason, ReadonlyArray<A>]>

const tableOf = <A>(reasons: Reasons<A>): ReadonlyMap<A, ProviderFailureReason> =>
  new Map(reasons.flatMap(([reason, those]) => those.map((one) => [one, reason] as const)))

const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** 498: Groq's capacity. 499: a proxy's own client left it. Of 451 nobody knows whether it is for us or for a text. */
const STATUSES = tableOf<number>([
  ["invalid", [400, 413, 422]],
  ["rate_limited", [429]],
  ["transient", [408, 409, 421, 423, 424, 425, 449, 451, 498, 499]]
])

/**
 * The others of 3xx and 4xx are about how the upstream was asked, which only the operator can change: the address, the method,
 * the credential, the account. The rest may pass.
 */
export const reasonOfStatus = (status: number): ProviderFailureReason =>
  STATUSES.get(status) ?? (status >= 300 && status < 500 ? "account" : "transient")

/** Codes and types that mean the same whatever status they come with, as each vendor's documentation lists them. */
export const CERTAIN: ReadonlyMap<string, ProviderFailureReason> = tableOf<string>([
  [
    "account",
    [
      // OpenAI, and Azure's of the same meaning.
      "insufficient_quota credit_balance_exhausted organization_usage_limit_exceeded organization_spend_limit_exceeded " +
        "project_spend_limit_exceeded billing_not_active billing_hard_limit_reached account_deactivated invalid_api_key " +
        "model_not_found unsupported_country_region_territory deploymentnotfound operationnotsupported",
      // Anthropic.
      "authentication_error permission_error billing_error",
      // Google: reasons of ErrorInfo.
      "api_key_invalid api_key_service_blocked service_disabled billing_disabled consumer_suspended consumer_invalid",
      // Groq.
      "organization_restricted model_decommissioned model_terms_required model_permission_blocked_org " +
        "model_permission_blocked_project permissions_error",
      // Mistral.
      "invalid_model",
      // LiteLLM: ProxyErrorTypes.
      "budget_exceeded expired_key auth_error token_not_found_in_db key_model_access_denied team_model_access_denied " +
        "user_model_access_denied org_model_access_denied",
      // Moonshot.
      "invalid_authentication_error incorrect_api_key_error exceeded_current_quota_error permission_denied_error " +
        "resource_not_found_error",
      // Together, and the models of GitHub and Azure.
      "model_not_available unknown_model unavailable_model no_model_name",
      // watsonx.
      "token_quota_reached authentication_token_expired authentication_token_not_valid",
      // Amazon.
      "accessdeniedexception resourcenotfoundexception unrecognizedclientexception expiredtokenexception",
      // Alibaba's Model Studio.
      "arrearage accessdenied accessdenied.unpurchased workspace.accessdenied model.accessdenied modelnotfound " +
        "model_not_supported workspacenotfound invalidapikey invalid_api-key allocationquota.freetieronly",
      // What several write.
      "authenticationerror permission_denied unauthenticated unauthorized"
    ].flatMap(words)
  ],
  [
    "invalid",
    words(
      "content_filter content_policy_violation moderation_blocked data_inspection_failed datainspectionfailed " +
        "context_length_exceeded exceed_context_size_error string_above_max_length unsupported_parameter"
    )
  ]
])

/** Kinds of errors, which some upstreams give in place of a status. */
export const KINDS: ReadonlyMap<string, ProviderFailureReason> = tableOf<string>([
  [
    "invalid",
    words(
      "invalid_request_error invalid_request invalid_argument bad_request badrequesterror bad_request_error invalid_prompt " +
        "out_of_range request_too_large validation_error unprocessable_entity unsupported_value validationexception"
    )
  ],
  ["account", words("forbidden not_found_error not_found failed_precondition")],
  [
    "rate_limited",
    words(
      "rate_limit_error rate_limit_exceeded ratelimiterror rate_limit_reached_error engine_overloaded_error " +
        "too_many_requests too_many_requests_error resource_exhausted throttlingexception servicequotaexceededexception"
    )
  ],
  [
    "transient",
    words("server_error api_error overloaded_error internal unavailable timeout internal_error internal_server_error")
  ]
])

/** MiniMax's numbers, which only its own member `base_resp` holds: elsewhere the same ones mean something else. */
export const BASE_CODES: ReadonlyMap<number, ProviderFailureReason> = tableOf<number>([
  ["account", [1004, 1008, 2049, 2056]],
  ["invalid", [1026, 1027, 1042, 2013]],
  ["rate_limited", [1002, 1039, 1041, 2045]]
])

/** Whether a name is one of an error, ours to know or by its own words. */
export const isErrorName = (name: unknown): boolean =>
  typeof name === "string" &&
  (/error|exception|fail/i.test(name) || CERTAIN.has(name.toLowerCase()) || KINDS.has(name.toLowerCase()))
