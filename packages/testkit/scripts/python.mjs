/**
 * Writes a client in Python from the service's OpenAPI document: one file, the standard library alone, with and without asyncio.
 * `npm run python [-- FOLDER]` makes it from the verbs; `--from FILE` from a document that a service gave.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Failure, root, say } from "./host.mjs"

const FOLDER = ".outbound/python"
const RUNTIME = "packages/testkit/scripts/python/runtime.py"

const KEYWORDS = new Set([
  "and",
  "as",
  "class",
  "def",
  "from",
  "global",
  "if",
  "import",
  "in",
  "is",
  "lambda",
  "not",
  "or",
  "pass",
  "with"
])

const text = (value) => JSON.stringify(value)

/** Types as Python's own annotations say them. */
const makeTypes = (schemas) => {
  const resolved = (schema) =>
    schema.$ref === undefined ? schema : resolved(schemas[schema.$ref.split("/").at(-1)] ?? {})
  const of = (given) => {
    const schema = resolved(given)
    const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
    if (values?.every((one) => typeof one === "string")) return `Literal[${values.map(text).join(", ")}]`
    const kinds = schema.anyOf ?? schema.oneOf
    if (kinds !== undefined && schema.properties === undefined) return [...new Set(kinds.map(of))].join(" | ")
    const types = [schema.type ?? "any"].flat()
    const names = types.map((type) => {
      if (type === "string") return "str"
      if (type === "integer") return "int"
      if (type === "number") return "float"
      if (type === "boolean") return "bool"
      if (type === "null") return "None"
      if (type === "array") return `list[${of(schema.items ?? {})}]`
      return type === "object" ? "dict[str, Any]" : "Any"
    })
    return [...new Set(names)].join(" | ")
  }
  return { of, resolved }
}

const words = (description) => (description ?? "").replaceAll("\\", "\\\\").replaceAll('"""', "'''").trim()

const methodOf = (operation, { method, path }, types) => {
  const header = (name) =>
    (operation.parameters ?? []).find((one) => one.in === "header" && one.name.toLowerCase() === name)
  const params = (operation.parameters ?? []).filter((one) => one.in === "path" || one.in === "query")
  const body = operation.requestBody?.content?.["application/json"]?.schema
  const shape = body === undefined ? { properties: {}, required: [] } : types.resolved(body)
  const inPath = new Set(params.filter((one) => one.in === "path").map(({ name }) => name))
  const members = [
    ...params.map((one) => ({
      name: one.name,
      schema: one.schema ?? {},
      required: one.required === true,
      description: one.description
    })),
    ...Object.entries(shape.properties ?? {}).map(([name, schema]) => ({
      name,
      schema,
      required: (shape.required ?? []).includes(name),
      description: schema.description
    }))
  ].sort((a, b) => Number(b.required) - Number(a.required))
  const safe = (name) => (KEYWORDS.has(name) ? `${name}_` : name)
  const signature = members.map(({ name, required, schema }) =>
    required ? `${safe(name)}: ${types.of(schema)}` : `${safe(name)}: ${types.of(schema)} | Unset = UNSET`
  )
  const takesKey = header("idempotency-key") !== undefined
  const own = takesKey ? ["idempotency_key: str | None = None", "run_id: str | None = None"] : []
  const all = [...signature, ...own]
  const given = `{${members.map(({ name }) => `${text(name)}: ${safe(name)}`).join(", ")}}`
  const docs = members
    .filter(({ description }) => description)
    .map(({ description, name }) => `        ${name}: ${words(description)}`)
  const call = `${text(method.toUpperCase())}, ${text(path)}, ${given}, ${inPath.size === 0 ? "()" : `(${[...inPath].map((name) => `${text(name)},`).join(" ")})`}, ${takesKey ? "idempotency_key, run_id, True" : "None, None, False"}`
  return {
    name: operation.operationId,
    all,
    call,
    docs: [words(operation.summary), "", words(operation.description), ...(docs.length === 0 ? [] : ["", ...docs])]
  }
}

const written = ({ all, call, docs, name }, isAsync) =>
  [
    `    ${isAsync ? "async def" : "def"} ${name}(self${all.length === 0 ? "" : `, *, ${all.join(", ")}`}) -> Answer:`,
    `        """${docs.join("\n").trimEnd()}\n        """`,
    isAsync ? `        return await self._call(${call})` : `        return self._call(${call})`
  ].join("\n")

/** The module's text, of an OpenAPI document and of what every client needs. */
export const pythonOf = (document, runtime) => {
  const types = makeTypes(document.components.schemas)
  const shapes = new Set()
  /** A second address of the same call has the same body. */
  const isFirst = ({ requestBody }) => {
    const shape = requestBody?.content?.["application/json"]?.schema?.$ref
    return shape === undefined || (!shapes.has(shape) && shapes.add(shape))
  }
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => isFirst(operation))
      .map(([method, operation]) => methodOf(operation, { method, path }, types))
  )
  const [before, after] = runtime.split("# <verbs>\n")
  const classOf = (name, base, isAsync) =>
    `class ${name}(${base}):\n    """Every verb as a method. Credits are decimal texts; times are RFC 3339 in UTC."""\n\n${methods.map((one) => written(one, isAsync)).join("\n\n")}\n`
  return `${before}${classOf("Outbound", "_Client", false)}\n\n${classOf("AsyncOutbound", "_AsyncClient", true)}${after ?? ""}`
}

export const python = async (args) => {
  const at = args.indexOf("--from")
  const from = at < 0 ? undefined : args[at + 1]
  if (at >= 0 && from === undefined) throw new Failure("--from needs a file.", "Give it the service's /openapi.json.")
  const [folder = FOLDER] = at < 0 ? args : args.toSpliced(at, 2)
  const load = (path) => import(pathToFileURL(join(root, path)).href)
  let document
  if (from === undefined) {
    const { openApiDocument } = await load("packages/host-http/dist/src/openapi/Document.js")
    const { verbList } = await load("packages/domain/dist/src/verbs/verbs.js")
    document = openApiDocument(verbList, "http://localhost:8080")
  } else document = JSON.parse(readFileSync(from, "utf8"))
  const into = resolve(root, folder)
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, "outbound.py"), pythonOf(document, readFileSync(join(root, RUNTIME), "utf8")))
  say(`The client is ${join(into, "outbound.py")}.`)
}
