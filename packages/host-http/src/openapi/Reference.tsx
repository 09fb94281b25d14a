import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"
import type { OpenApiDocument } from "./Document.js"
import type { Operation } from "./Operation.js"
import type { ResponseObject } from "./Responses.js"
import { count } from "../web/Words.js"
import { type Described, type Match, operationsOf, QUERY_CHARS_MAX } from "./searching.js"
import { parameterRows, type Row, rowsOf, successOf, titleOfAlternative } from "./Members.js"

export const DOCS_PATH = "/docs"

/** The address of a call's own page. */
const verbPath = (name: string): string => `${DOCS_PATH}/${name}`

/** Text with code in backticks. */
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
        <a href={verbPath(operation.operationId)}>
          <code>
            {props.method.toUpperCase()} {props.path}
          </code>
        </a>
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

/** Searches the calls; without scripts. */
const Search = (props: { readonly query: string }) => (
  <form class="filters" method="get" action={DOCS_PATH} role="search">
    <p class="field">
      <label for="q">Search calls and fields</label>
      <input id="q" name="q" type="search" value={props.query} maxLength={QUERY_CHARS_MAX} />
    </p>
    <button type="submit">Search</button>
  </form>
)

/** One call at an address of its own. */
export const verbPage = ({ method, operation, path }: Described, document: OpenApiDocument): Reply =>
  page(
    200,
    `${operation.operationId}, API reference`,
    <main id="main">
      <h1>{operation.operationId}</h1>
      <p>
        <a href={DOCS_PATH}>All calls</a> · <a href={`${DOCS_PATH}/reference/${operation.operationId}.md`}>as text</a>
      </p>
      <Verb method={method} path={path} of={operation} document={document} />
    </main>
  )

/** The calls that were searched for, with the fields that have one of the words. */
export const foundPage = (query: string, found: ReadonlyArray<Match>): Reply =>
  page(
    200,
    "Search, API reference",
    <main id="main">
      <h1>API reference</h1>
      <p>
        <a href={DOCS_PATH}>All calls</a>
      </p>
      <Search query={query} />
      <p role="status">{count(found.length, "call has", "calls have")} all of these words.</p>
      <ul class="list">
        {found.map(({ fields, operation }) => (
          <li class="card" key={operation.operationId}>
            <a href={verbPath(operation.operationId)}>{operation.operationId}</a>
            <p>{operation.summary}</p>
            {fields.length === 0 ? null : (
              <p class="soft">
                {fields.map(({ name }, index) => (
                  <span key={name}>
                    {index === 0 ? "" : ", "}
                    <code>{name}</code>
                  </span>
                ))}
              </p>
            )}
          </li>
        ))}
      </ul>
    </main>
  )

/** The reference as a page, made from the OpenAPI document. */
export const referencePage = (document: OpenApiDocument): Reply => {
  const operations = operationsOf(document)
  return page(
    200,
    "API reference",
    <main id="main">
      <h1>API reference</h1>
      <p class="lead">
        Version {document.info.version}. For machines: <a href="/openapi.json">openapi.json</a>,{" "}
        <a href="/llms.txt">llms.txt</a>. <a href="/docs/README.md">All pages</a> as text.
      </p>
      <Search query="" />
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
