import { WIRE, WIRE_CODES, type WireCode } from "@outbound/domain/kernel/errors/Wire.js"
import { allErrorsOf, type AnyVerb, routesOf } from "@outbound/domain/verbs/Verb.js"
import { type JsonSchema, SCHEMAS } from "@outbound/domain/verbs/JsonSchema.js"
import { Schema } from "effect"
import { type OpenApiDocument, openApiDocument } from "./Document.js"
import { parameterRows, type Row, rowsOf, successOf, titleOfAlternative } from "./Members.js"
import { pascal } from "./Responses.js"
import { openPath, type Operation, tagOf, TAGS } from "./Operation.js"

const BASE_URL = "http://localhost:8080"

const APPROVAL_WORDS = {
  none: "none",
  purchase: "a human approves the purchase in the console",
  launch: "a human approves the launch in the console",
  reply: "a human approves each reply in the console",
  leads: "for a launched campaign, a human approves the leads in the console; for a draft, no approval is needed"
} as const

const KEY_WORDS = {
  none: "takes no Idempotency-Key",
  optional:
    "an Idempotency-Key is optional; repeating it with the same body returns the first result and charges nothing",
  required: "an Idempotency-Key is required, except for a dry run",
  required_when_confirmed: "an Idempotency-Key is required with a `confirmation_token`"
} as const

const RETRY_WORDS = {
  never: "no",
  same_key: "with the same Idempotency-Key",
  poll: "no: poll the operation"
} as const

const row = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

const callOf = (verb: AnyVerb): string =>
  routesOf(verb)
    .map(({ method, path }) => `\`${method} ${openPath(path)}\``)
    .join(", ")

const facts = (verb: AnyVerb): string =>
  [
    `- REST: ${callOf(verb)}`,
    `- RPC: \`${verb.name}\` at \`/rpc\`${verb.streams ? ", not streaming" : ""}`,
    `- MCP: ${verb.tool === null ? "no tool" : `the tool \`${verb.name}\``}`,
    `- Charged: ${verb.mode === "read" ? "nothing" : "see above; `svc.credits_charged` is the exact charge"}`,
    `- Scope: ${verb.scope === null ? "any key of the workspace" : `\`${verb.scope}\``}`,
    `- Approval: ${APPROVAL_WORDS[verb.approval]}`,
    `- Idempotency: ${KEY_WORDS[verb.idempotency]}`,
    `- Dry run: ${verb.would === null ? "none" : "`dry_run: true` returns the plan and does nothing"}`
  ].join("\n")

const members = (title: string, rows: ReadonlyArray<Row>, showRequired: boolean): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        `### ${title}`,
        table(
          ["name", "type", "meaning"],
          rows.map(({ about, isRequired, name, type }) => [
            `\`${name}\``,
            isRequired && showRequired ? `${type}, required` : type,
            about
          ])
        )
      ]

const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const example = (verb: AnyVerb, operation: Operation, baseUrl: string): string => {
  const { method, path } = verb.route
  const at = openPath(path).replace(/\{\w+\}/g, "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70")
  const body = operation.requestBody?.content["application/json"].example
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${baseUrl}${at}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(verb.idempotency === "required" ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${shell(JSON.stringify(body))}`])
  ]
  return ["```sh", lines.join(" \\\n  "), "```"].join("\n")
}

const failures = (codes: ReadonlyArray<WireCode>): string =>
  table(
    ["code", "status", "again"],
    codes.map((code) => [`[\`${code}\`](errors.md#${code})`, String(WIRE[code].status), RETRY_WORDS[WIRE[code].retry]])
  )

const page = (verb: AnyVerb, document: OpenApiDocument): string => {
  const { method, path } = verb.route
  const operation = document.paths[openPath(path)]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${verb.name} is not in the document`)
  const body = operation.requestBody?.content["application/json"].schema
  const result = successOf(operation)
  return [
    `# ${verb.name}`,
    verb.summary,
    verb.description,
    facts(verb),
    "## Request",
    ...members("Path, query and headers", parameterRows(operation, document), true),
    ...(body === undefined ? [] : members("Body", rowsOf(body, document), true)),
    "### Example",
    example(verb, operation, document.servers[0]?.url ?? BASE_URL),
    "## Result",
    ...(result.oneOf ?? [result]).flatMap((one) => members(titleOfAlternative(one), rowsOf(one, document), false)),
    "## Errors",
    failures(WIRE_CODES.filter((code) => allErrorsOf(verb).includes(code)))
  ].join("\n\n")
}

/** Sample details, to show an error's message. */
const someDetails = (rows: ReadonlyArray<Row>, shape: JsonSchema): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    rows
      .filter(({ name }) => shape.required?.includes(name))
      .map(({ name }) => {
        const part = shape.properties?.[name] ?? {}
        const value =
          part.enum?.[0] ?? (part.type === "integer" ? 5 : part.$ref === undefined ? name.toUpperCase() : "12.5")
        return [name, value]
      })
  )

/** The message of an error code. */
const wordsOf = (code: WireCode, rows: ReadonlyArray<Row>, shape: JsonSchema): string => {
  const { details, message } = WIRE[code]
  const decode = Schema.decodeUnknownSync(details as Schema.Codec<unknown>)
  return (message as (details: unknown) => string)(decode(someDetails(rows, shape)))
}

const errorsPage = (verbs: ReadonlyArray<AnyVerb>, document: OpenApiDocument): string => {
  const used = WIRE_CODES.filter((code) => verbs.some((verb) => allErrorsOf(verb).includes(code)))
  const shapes = document.components.schemas
  return [
    "# Errors",
    'A failure is `{ "error": { "code", "message", "request_id", "details" } }`. Retry only the errors that say so.',
    ...used.flatMap((code) => {
      const part = shapes[`${pascal(code)}Error`]?.properties?.["details"] ?? {}
      const shape = shapes[part.$ref?.slice(SCHEMAS.length) ?? ""] ?? part
      const rows = rowsOf(shape, document)
      const said = [
        `> ${wordsOf(code, rows, shape)}`,
        `Status ${WIRE[code].status}. Retry: ${RETRY_WORDS[WIRE[code].retry]}.`
      ]
      const details =
        rows.length === 0
          ? []
          : [
              table(
                ["detail", "type", "meaning"],
                rows.map((one) => [`\`${one.name}\``, one.type, one.about])
              )
            ]
      return [`## ${code}`, ...said, ...details]
    })
  ].join("\n\n")
}

const indexPage = (verbs: ReadonlyArray<AnyVerb>): string =>
  [
    "# Reference",
    "One page per verb, for REST, RPC and MCP. See [http.md](../http.md) for what all calls share, and [errors.md](errors.md) for the errors.",
    "`packages/host-http/test/reference.test.ts` generates these pages from the verbs and checks them in every test run. After changing a verb, run it with `--update`.",
    ...TAGS.flatMap(({ description, name }) => [
      `## ${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      description,
      table(
        ["verb", "call", "what it does"],
        verbs
          .filter((verb) => tagOf(verb) === name)
          .map((verb) => [`[\`${verb.name}\`](${verb.name}.md)`, callOf(verb), verb.summary])
      )
    ])
  ].join("\n\n")

/** The reference's pages in Markdown, by file name: an index, the errors, and one per verb. */
export const verbPages = (verbs: ReadonlyArray<AnyVerb>, baseUrl = BASE_URL): ReadonlyMap<string, string> => {
  const document = openApiDocument(verbs, baseUrl)
  return new Map([
    ["README.md", indexPage(verbs)],
    ["errors.md", errorsPage(verbs, document)],
    ...verbs.map((verb) => [`${verb.name}.md`, page(verb, document)] as const)
  ])
}
