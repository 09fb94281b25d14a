import { specTypeSchemas } from "@modelcontextprotocol/server"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"

/** Methods whose wrong parameters the library reports as an error of the server's own. */
const CHECKED = {
  initialize: specTypeSchemas.InitializeRequest,
  "tools/list": specTypeSchemas.ListToolsRequest,
  "prompts/list": specTypeSchemas.ListPromptsRequest,
  "prompts/get": specTypeSchemas.GetPromptRequest
} as const

const isChecked = (method: unknown): method is keyof typeof CHECKED =>
  typeof method === "string" && Object.hasOwn(CHECKED, method)

const stepOf = (step: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof step === "object" ? step.key : step)

/** What is wrong with a request's parameters, or null: JSON-RPC 2.0 §5.1 has a code for it. */
export const paramsFlaw = ({ method, params }: JsonObject): string | null => {
  if (!isChecked(method)) return null
  const checked = CHECKED[method]["~standard"].validate({ method, ...(params === undefined ? {} : { params }) })
  if (checked instanceof Promise || checked.issues === undefined) return null
  const mistakes = checked.issues.map(({ message, path = [] }) => `${path.map(stepOf).join(".")}: ${message}`)
  return `Invalid parameters. ${mistakes.join("; ")}`
}
