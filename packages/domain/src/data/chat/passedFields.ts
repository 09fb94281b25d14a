import type { Json, JsonObject } from "../../kernel/canonical.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { isObject } from "./json.js"
import { isContainer, isWithheld, liftsLimit } from "./withheldFields.js"

/** What every upstream gets, whatever its `fields` name; beside it the output limit. */
const ALWAYS: ReadonlySet<string> = new Set(["messages", "n"])

/**
 * The fields that reach an upstream. `allowed`: those that its configuration names; null: all that aren't withheld. None of
 * them lifts the output limit, nor does a member of what holds a vendor's own fields.
 */
export const passedFields = (fields: JsonObject, allowed: ReadonlySet<string> | null, limit: number): JsonObject => {
  const passes = ([name, value]: readonly [string, unknown], isAllowed: boolean): boolean =>
    (allowed === null ? !isWithheld(name) : isAllowed) && !liftsLimit(name, value, limit)
  return Object.fromEntries(
    Object.entries(fields)
      .filter((field) => passes(field, ALWAYS.has(field[0]) || allowed?.has(field[0]) === true))
      .map(([name, value]) =>
        isContainer(name) && isObject(value)
          ? [name, Object.fromEntries(Object.entries(value).filter((member) => passes(member, true)))]
          : [name, value]
      )
  )
}

/** Tools that the client runs. An upstream runs the others itself, and charges the operator for them. */
const CLIENT_TOOLS: ReadonlySet<Json | undefined> = new Set(["function", "custom", undefined])

/** How a tool that names no type shows that it is such a one. */
const DESCRIBED = ["function", "custom", "name"]

/** The members of a tool that are objects. Any other switches on a tool of the upstream, as `google_search` does. */
const OF_A_TOOL: ReadonlySet<string> = new Set([
  "function",
  "custom",
  "parameters",
  "input_schema",
  "format",
  "cache_control",
  "annotations",
  "metadata",
  "extra_content"
])

const isClientTool = (tool: JsonObject): boolean =>
  CLIENT_TOOLS.has(tool["type"]) &&
  (tool["type"] !== undefined || DESCRIBED.some((name) => tool[name] !== undefined)) &&
  Object.entries(tool).every(([name, value]) => !isObject(value) || OF_A_TOOL.has(name))

const listIssues = (tools: Json | undefined): ReadonlyArray<Issue> =>
  (Array.isArray(tools) ? (tools as ReadonlyArray<Json>) : []).flatMap((tool, index) =>
    isObject(tool) && !isClientTool(tool)
      ? [{ path: `tools.${index}.type`, message: "must be function or custom: upstreams run no tools here" }]
      : []
  )

/** Where a request names tools that the upstream would run. */
export const toolIssues = ({ tools }: JsonObject): ReadonlyArray<Issue> =>
  isObject(tools) ? [{ path: "tools", message: "must be a list" }] : listIssues(tools)
