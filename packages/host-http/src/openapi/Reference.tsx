import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"
import type { OpenApiDocument } from "./Document.js"
import type { Operation } from "./Operation.js"
import type { ResponseObject } from "./Responses.js"
import { type JsonSchema, SCHEMAS } from "@outbound/domain/verbs/JsonSchema.js"

/** Deeper members are left to the document itself. */
const DEPTH_MAX = 4

interface Row {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

const resolve = (schema: JsonSchema, document: OpenApiDocument): JsonSchema => {
  if (schema.$ref === undefined) return schema
  const { $ref: _, ...beside } = schema
  return { ...document.components.schemas[schema.$ref.slice(SCHEMAS.length)], ...beside }
}

const typeOf = (schema: JsonSchema, document: OpenApiDocument): string => {
  const plain = resolve(schema, document)
  if (plain.items !== undefined) return `list of ${typeOf(plain.items, document)}`
  if (plain.anyOf !== undefined && plain.type === undefined) {
    return plain.anyOf.map((member) => typeOf(member, document)).join(" or ")
  }
  const type = typeof plain.type === "string" ? plain.type : (plain.type?.join(" or ") ?? "any")
  return plain["format"] === undefined ? type : `${type} (${String(plain["format"])})`
}

/** "1 to 120 characters", "at least 1 item", "at most 50 members". */
const range = (min: unknown, max: unknown, unit: string): string => {
  if (min === undefined && max === undefined) return ""
  const words = min === undefined ? `at most ${String(max)}` : max === undefined ? `at least ${String(min)}` : ""
  const number = words === "" ? `${String(min)} to ${String(max)}` : words
  return unit === "" ? number : `${number} ${unit}`
}

const limitsOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const value = (keyword: string) => schema[keyword]
  const more = value("exclusiveMinimum")
  return [
    more === undefined ? "" : `more than ${String(more)}`,
    range(value("minimum"), value("maximum"), ""),
    range(value("minLength"), value("maxLength"), "characters"),
    range(value("minItems"), value("maxItems"), "items"),
    range(undefined, value("maxProperties"), "members"),
    value("default") === undefined ? "" : `default \`${JSON.stringify(value("default"))}\``,
    schema.const === undefined ? "" : `always \`${JSON.stringify(schema.const)}\``
  ].filter((words) => words !== "")
}

const sentence = (words: string): string => (words === "" ? "" : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`)

const aboutOf = (schema: JsonSchema, document: OpenApiDocument): string => {
  const plain = resolve(schema, document)
  const values = (plain.enum ?? plain.items?.enum ?? []).map((value) => `\`${String(value)}\``).join(", ")
  return [plain.description ?? "", values === "" ? "" : `One of ${values}.`, sentence(limitsOf(plain).join(", "))]
    .filter((part) => part !== "")
    .join(" ")
}

/** An object's members, those of its members below them by their full name. */
const rowsOf = (schema: JsonSchema, document: OpenApiDocument, prefix = "", depth = 1): ReadonlyArray<Row> => {
  const plain = resolve(schema, document)
  return Object.entries(plain.properties ?? {}).flatMap(([name, member]): ReadonlyArray<Row> => {
    const resolved = resolve(member, document)
    const inner = resolved.items === undefined ? resolved : resolve(resolved.items, document)
    const full = `${prefix}${name}`
    const row = {
      name: full,
      type: typeOf(member, document),
      isRequired: plain.required?.includes(name) ?? false,
      about: aboutOf(member, document)
    }
    const below = resolved.items === undefined ? `${full}.` : `${full}[].`
    return depth >= DEPTH_MAX ? [row] : [row, ...rowsOf(inner, document, below, depth + 1)]
  })
}

/** Text in which `…` stands for code. */
const Prose = (props: { readonly text: string }) => (
  <>{props.text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
)

const Rows = (props: { readonly title: string; readonly rows: ReadonlyArray<Row>; readonly showRequired: boolean }) =>
  props.rows.length === 0 ? null : (
    <>
      <h3>{props.title}</h3>
      <ul class="fields">
        {props.rows.map((row) => (
          <li key={row.name}>
            <code>{row.name}</code>{" "}
            <span class="soft">
              {row.type}
              {row.isRequired && props.showRequired ? ", required" : ""}
            </span>
            {row.about === "" ? null : (
              <div>
                <Prose text={row.about} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )

const parameterRows = (operation: Operation, document: OpenApiDocument): ReadonlyArray<Row> =>
  operation.parameters.flatMap((parameter) => {
    const {
      description,
      in: place,
      name,
      required,
      schema
    } = parameter as {
      readonly name?: string
      readonly in?: string
      readonly required?: boolean
      readonly description?: string
      readonly schema?: JsonSchema
    }
    if (name === undefined || schema === undefined) return []
    const about = aboutOf({ ...schema, ...(description === undefined ? {} : { description }) }, document)
    return [{ name, type: `${typeOf(schema, document)}, ${place ?? ""}`, isRequired: required ?? false, about }]
  })

const successOf = (operation: Operation): JsonSchema => {
  const response = operation.responses["200"] as ResponseObject
  const { schema } = response.content["application/json"]
  return schema.properties?.["result"] ?? schema
}

const titleOfAlternative = (schema: JsonSchema): string => {
  const status = schema.properties?.["status"]?.const
  if (status !== undefined) return `Result with status ${String(status)}`
  return schema.properties?.["dry_run"]?.const === true ? "Result of a dry run" : "Result"
}

const failureWords = (operation: Operation, document: OpenApiDocument): ReadonlyArray<readonly [string, string]> =>
  Object.entries(operation.responses).flatMap(([status, response]) => {
    if (status === "200") return []
    const shared = document.components["responses"] as Readonly<Record<string, ResponseObject>>
    const found = "$ref" in response ? shared[response.$ref.split("/").at(-1) ?? ""] : response
    return [[status, found?.description ?? ""] as const]
  })

const Verb = (props: {
  readonly method: string
  readonly path: string
  readonly of: Operation
  readonly document: OpenApiDocument
}) => {
  const { document, of: operation } = props
  const body = operation.requestBody?.content["application/json"]
  const result = successOf(operation)
  return (
    <section class="card verb" id={operation.operationId} aria-labelledby={`${operation.operationId}-title`}>
      <h2 id={`${operation.operationId}-title`}>
        <code>
          {props.method.toUpperCase()} {props.path}
        </code>
      </h2>
      <p>{operation.summary}</p>
      {operation.description.split("\n\n").map((paragraph) => (
        <p class="soft" key={paragraph}>
          <Prose text={paragraph} />
        </p>
      ))}
      <Rows title="Parameters" rows={parameterRows(operation, document)} showRequired />
      {body === undefined ? null : <Rows title="Body" rows={rowsOf(body.schema, document)} showRequired />}
      {body?.example === undefined ? null : (
        <pre tabIndex={0} aria-label="Example body">
          <code>{JSON.stringify(body.example, null, 2)}</code>
        </pre>
      )}
      {(result.oneOf ?? [result]).map((one) => (
        <Rows
          key={titleOfAlternative(one)}
          title={titleOfAlternative(one)}
          rows={rowsOf(one, document)}
          showRequired={false}
        />
      ))}
      <h3>Errors</h3>
      <dl class="facts">
        {failureWords(operation, document).map(([status, codes]) => (
          <>
            <dt>{status}</dt>
            <dd>
              <Prose text={codes} />
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}

/** The reference, made from the document: one source, two forms. */
export const referencePage = (document: OpenApiDocument): Reply => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation }))
  )
  return page(
    200,
    "API reference",
    <main id="main">
      <h1>API reference</h1>
      <p class="lead">
        Version {document.info.version}. For machines: <a href="/openapi.json">openapi.json</a>.
      </p>
      <p>
        <Prose text={String(document.info["description"])} />
      </p>
      <pre tabIndex={0} aria-label="Example call">
        <code>{`curl ${document.servers[0]?.url ?? ""}/v1/me -H "Authorization: Bearer $API_KEY"`}</code>
      </pre>
      {document.tags.map(({ description, name }) => (
        <nav key={name} aria-label={description}>
          <h2>{description}</h2>
          <ul class="toc">
            {operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map(({ operation }) => (
                <li key={operation.operationId}>
                  <a href={`#${operation.operationId}`}>{operation.operationId}</a>
                </li>
              ))}
          </ul>
        </nav>
      ))}
      <h2>The calls</h2>
      {operations.map(({ method, operation, path }) => (
        <Verb key={operation.operationId} method={method} path={path} of={operation} document={document} />
      ))}
    </main>
  )
}
