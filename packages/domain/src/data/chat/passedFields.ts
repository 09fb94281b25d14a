import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { isObject } from "./json.js"

/** They name another model, provider or address than the configured one. */
const ELSEWHERE =
  "models model_list fallbacks context_window_fallbacks content_policy_fallbacks deployment_id provider " +
  "custom_llm_provider route preset transforms plugins api_base api_key api_version base_url extra_headers " +
  "extra_query extra_body mock_response"

/** They are paid beside the tokens, or change their price. */
const DEARER = "service_tier speed web_search_options search_parameters enable_search data_sources"

/** They keep the chat in the operator's account. */
const KEEPING = "store"

/**
 * Fields that reach no upstream, unless its `fields` name them. With them a caller could choose what the operator pays
 * for, or where the chat goes (decision 0048).
 */
export const WITHHELD: ReadonlySet<string> = new Set([ELSEWHERE, DEARER, KEEPING].flatMap((names) => names.split(" ")))

/** What every upstream gets, whatever its `fields` name; beside it the output limit. */
const ALWAYS: ReadonlySet<string> = new Set(["messages", "n"])

/** The fields that reach an upstream. `allowed`: those that its configuration names; null: all that aren't withheld. */
export const passedFields = (fields: JsonObject, allowed: ReadonlySet<string> | null): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) =>
      allowed === null ? !WITHHELD.has(name) : ALWAYS.has(name) || allowed.has(name)
    )
  )

/** Tools that the client runs. An upstream runs the others itself, and charges the operator for them. */
const CLIENT_TOOLS: ReadonlySet<Json | undefined> = new Set(["function", "custom", undefined])

/** Where a request names tools that the upstream would run. */
export const toolIssues = ({ tools }: JsonObject): ReadonlyArray<Issue> =>
  (Array.isArray(tools) ? (tools as ReadonlyArray<Json>) : []).flatMap((tool, index) =>
    isObject(tool) && !CLIENT_TOOLS.has(tool["type"])
      ? [{ path: `tools.${index}.type`, message: "must be function or custom: upstreams run no tools here" }]
      : []
  )
