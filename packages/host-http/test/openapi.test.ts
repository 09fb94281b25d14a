import { Validator } from "@seriousme/openapi-schema-validator"
import { assert, describe, it } from "@effect/vitest"
import { ALL_ISSUES, issuesOf } from "@outbound/domain/calls/issues.js"
import { encodeError, refuse, statusOf, WIRE, WIRE_CODES } from "@outbound/domain/kernel/errors/Wire.js"
import { allErrorsOf, type AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { LlmChat } from "@outbound/domain/verbs/LlmChat.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { Arbitrary, Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { isShape, openApiDocument, shapeText } from "../src/openapi/Document.js"
import type { Operation } from "../src/openapi/Operation.js"
import type { ResponseObject } from "../src/openapi/Responses.js"
import { type JsonSchema, SCHEMAS } from "@outbound/domain/verbs/JsonSchema.js"
import { mutated, valuesOf } from "./support/FromJsonSchema.js"

const document = openApiDocument(verbList, "https://outbound.test")
const definitions = document.components.schemas

const operationOf = (verb: AnyVerb): Operation =>
  document.paths[verb.route.path.replace(/:(\w+)/g, "{$1}")]![verb.route.method.toLowerCase()]!

const bodyOf = (verb: AnyVerb): JsonSchema | undefined => {
  const schema = operationOf(verb).requestBody?.content["application/json"].schema
  return schema?.$ref === undefined ? schema : definitions[schema.$ref.split("/").at(-1)!]
}

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
const ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const validator = (schema: JsonSchema) => ajv.compile({ ...schema, components: { schemas: definitions } })

/** Rules between fields, or of the world, that a schema cannot say. Each stands in a description. */
const RULES =
  /needs a name and company_domain|is not a domain or URL|is not an email address|must be an IANA time zone|whose public holidays are known|must stand alone|must not exceed max|must be greater than start_hour|is required for the first step|contains a \{\{ without a variable|must be absent from a step with variants|must be 0 for the first step|must not exceed the most credits|must be a URL|needs one of hiring|can't be combined with|is accepted only with mode|is required with mode|must be a city with its country|must not be blank|must contain a word|must include|is required, because the url|is required with a handle|is required without a url|does not match the url|must name a value of this recipient|is required, unless there is a url|must be absent beside a request_id|must be a day, such as|must be the http or https address/

/** What the path of a call with a body says, beside the body. */
const withPath = (verb: AnyVerb, body: unknown): unknown => {
  const names = [...verb.route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body)
  return isObject ? { ...body, ...Object.fromEntries(names.map((name) => [name, ID])) } : body
}

const decodeIssues = (verb: AnyVerb, value: unknown): ReadonlyArray<string> =>
  Result.match(Schema.decodeUnknownResult(verb.request, ALL_ISSUES)(value), {
    onSuccess: () => [],
    onFailure: (error) => issuesOf(error).map(({ message, path }) => `${path}: ${message}`)
  })

/** A name as generators write it: in PascalCase, camelCase or snake_case, it is the same without case and marks. */
const normal = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase()

/** What generators call the parts of an operation. */
const PARTS = [
  "",
  "Request",
  "Response",
  "Params",
  "PathParams",
  "QueryParams",
  "HeaderParams",
  "Error",
  "Errors",
  "Data"
]

describe("the document", () => {
  it("has no null among the values of an enumeration, which generators take for a text", () => {
    const odd: Array<string> = []
    const look = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return
      for (const [name, part] of Object.entries(value)) {
        if (name === "enum" && Array.isArray(part) && part.some((one) => typeof one !== "string" || one === "")) {
          odd.push(path)
        }
        look(part, `${path}/${name}`)
      }
    }
    look(document, "")
    assert.deepStrictEqual(odd, [])
  })

  it("has each name once, however a generator spells it, among all components and operations", () => {
    const named = Object.entries(document.components).flatMap(([kind, components]) =>
      Object.keys(components as object).map((name) => [normal(name), `${kind} ${name}`] as const)
    )
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => [normal(operationId), `operation ${operationId}`] as const)
    )
    const all = [...named, ...operations]
    const twice = all.filter(([name], index) => all.findIndex(([other]) => other === name) !== index)
    assert.deepStrictEqual(twice, [])

    const taken = new Set(named.map(([name]) => name))
    const derived = operations.flatMap(([name]) => PARTS.map((part) => normal(`${name}${part}`)))
    // The body of this operation is this very schema.
    assert.deepStrictEqual(
      derived.filter((name) => taken.has(name)),
      ["llmchatrequest"]
    )
  })

  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    assert.deepStrictEqual(result, { valid: true })
    assert.deepStrictEqual([document.openapi, document.info.version], ["3.1.0", "1.1.0"])
    assert.deepStrictEqual(document.security, [{ bearer: [] }])
  })

  it("names every verb, once, and every reference in it leads somewhere", () => {
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId)
    )
    assert.sameMembers(
      names,
      verbList.flatMap(({ aliases, name }) => [name, ...aliases.map(({ path }) => `${name}_${path.split("/").at(-1)}`)])
    )
    for (const [, reference = ""] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
      const target = reference
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
      assert.isDefined(target, reference)
    }
  })

  it("gives every shape that stands in it twice a name, and writes it out once", () => {
    const places = new Map<string, Array<string>>()
    const look = (value: unknown, at: string, isWithin: boolean): void => {
      if (typeof value !== "object" || value === null) return
      const schema = value as JsonSchema
      if (isWithin && isShape(schema)) places.set(shapeText(schema), [...(places.get(shapeText(schema)) ?? []), at])
      for (const [key, part] of Object.entries(schema)) {
        const isData = ["example", "examples", "const", "enum", "default"].includes(key) && !at.endsWith("/properties")
        if (!isData) look(part, `${at}/${key}`, isWithin || key === "schema" || at === "/components")
      }
    }
    look({ paths: document.paths, components: { schemas: definitions } }, "", false)
    look({ responses: document.components["responses"] }, "", false)
    assert.isAbove(places.size, 100)
    assert.deepStrictEqual(
      [...places.values()].filter((twice) => twice.length > 1),
      []
    )
  })

  it("gives no example that its schema refuses", () => {
    const wrong: Array<string> = []
    let examples = 0
    const check = (schema: JsonSchema, example: unknown, at: string): void => {
      examples++
      if (!validator(schema)(example)) wrong.push(`${at}: ${JSON.stringify(example)}`)
    }
    const look = (value: unknown, at: string): void => {
      if (typeof value !== "object" || value === null) return
      const part = value as JsonSchema & { readonly schema?: JsonSchema; readonly example?: unknown }
      if (!at.endsWith("/properties")) {
        if (Array.isArray(part.examples)) for (const one of part.examples) check(part, one, at)
        if (part.schema !== undefined && part.example !== undefined) check(part.schema, part.example, at)
      }
      for (const [key, inner] of Object.entries(part)) if (!/^examples?$/.test(key)) look(inner, `${at}/${key}`)
    }
    look(document, "")
    assert.deepStrictEqual(wrong, [])
    assert.isAbove(examples, 40)
  })

  it("holds nothing that its generator wrote for itself", () => {
    const text = JSON.stringify(document)
    assert.notMatch(text, /"\$id"|"\$defs"|"\$schema"|character\(s\)|item\(s\)|"title":"[a-z]+[A-Z(]|"allOf"/)
  })

  it.each(verbList.map((verb) => [verb.name, verb] as const))(
    "%s: says exactly which codes come with which status",
    (_, verb) => {
      const { responses } = operationOf(verb)
      const shared = document.components["responses"] as Record<string, { description: string }>
      const said = Object.entries(responses).flatMap(([status, response]) => {
        const { description } = "$ref" in response ? shared[response.$ref.split("/").at(-1)!]! : response
        return [...description.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`)
      })
      const transport = verb.route.method !== "GET" ? ["413 invalid_request", "415 invalid_request"] : []
      assert.sameMembers(said, [...allErrorsOf(verb).map((code) => `${WIRE[code].status} ${code}`), ...transport])
    }
  )

  it("asks for an Idempotency-Key exactly where the service does", () => {
    for (const verb of verbList) {
      const header = operationOf(verb).parameters.find(({ name }) => name === "Idempotency-Key")
      if (verb.idempotency === "none") assert.isUndefined(header)
      else assert.strictEqual(header?.["required"], verb.idempotency === "required")
    }
  })

  it("describes a dry run beside the result wherever there is one", () => {
    for (const verb of verbList) {
      const text = JSON.stringify(operationOf(verb).responses["200"])
      assert.strictEqual(text.includes('"dry_run":'), verb.would !== null)
    }
  })

  it("says of every member of an answer what it is", () => {
    const unsaid: Array<string> = []
    const look = (schema: JsonSchema, at: string): void => {
      if (Object.keys(schema).every((keyword) => keyword === "description")) unsaid.push(at)
      for (const [name, member] of Object.entries(schema.properties ?? {})) look(member, `${at}.${name}`)
      if (schema.items !== undefined) look(schema.items, `${at}[]`)
      for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) look(one, at)
    }
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { responses } of Object.values(methods)) {
        for (const [status, response] of Object.entries(responses)) {
          const found = "content" in response ? (response.content as Record<string, { schema?: JsonSchema }>) : {}
          for (const { schema } of Object.values(found)) if (schema !== undefined) look(schema, `${path} ${status}`)
        }
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      // What a caller sends may be anything where the upstream decides.
      if (name.endsWith("Error") || name === "Billing" || name.endsWith("Result")) look(schema, name)
    }
    assert.deepStrictEqual(unsaid, [])
  })

  it("keeps requests closed, but for those that pass through, and answers open", () => {
    for (const verb of verbList) {
      const body = bodyOf(verb)
      const passesThrough = verb === LlmChat
      if (body !== undefined) assert.deepStrictEqual(body.additionalProperties, passesThrough ? {} : false)
      assert.notInclude(JSON.stringify(operationOf(verb).responses), '"additionalProperties":false')
    }
  })
})

describe("chat", () => {
  const operation = (method: string, path: string) => document.paths[path]![method]!

  it("stands at both addresses, each in its own form, and may stream at both", () => {
    const ours = operation("post", "/v1/llm/chat")
    const theirs = operation("post", "/v1/llm/chat/completions")
    assert.deepStrictEqual(theirs.requestBody, ours.requestBody)
    assert.deepStrictEqual(ours.requestBody?.content["application/json"].schema, { $ref: `${SCHEMAS}LlmChatRequest` })
    const contentOf = ({ responses }: Operation) => (responses["200"] as ResponseObject).content
    assert.sameMembers(Object.keys(contentOf(ours)["application/json"].schema.properties!), ["result", "svc"])
    assert.includeMembers(contentOf(theirs)["application/json"].schema.required as Array<string>, ["choices", "svc"])
    for (const one of [ours, theirs]) assert.isDefined(contentOf(one)["text/event-stream"])
    const models = contentOf(operation("get", "/v1/llm/models"))
    assert.sameMembers(models["application/json"].schema.required as Array<string>, ["object", "data", "svc"])
    assert.isUndefined(models["text/event-stream"])
  })
})

describe("a request", () => {
  const acting = verbList.filter((verb) => bodyOf(verb) !== undefined).map((verb) => [verb.name, verb] as const)

  it.each(acting)("%s: its example is one", (_, verb) => {
    const example = operationOf(verb).requestBody?.content["application/json"].example
    assert.isDefined(example)
    assert.isTrue(validator(bodyOf(verb)!)(example))
    assert.deepStrictEqual(decodeIssues(verb, withPath(verb, example)), [])
  })

  it.each(acting)("%s: what the document allows is accepted, and what it forbids is refused", (_, verb) => {
    const body = bodyOf(verb)!
    const validate = validator(body)
    const values = valuesOf(body, definitions)
    let [accepted, refused] = [0, 0]
    fc.assert(
      fc.property(fc.oneof(values, mutated(values)), (value) => {
        const wire = JSON.parse(JSON.stringify(value)) as unknown
        const issues = decodeIssues(verb, withPath(verb, wire))
        const said = issues.filter((issue) => !RULES.test(issue))
        if (validate(wire)) {
          accepted++
          assert.isEmpty(said, `${said.join("; ")} ${JSON.stringify(wire).slice(0, 500)}`)
        } else {
          refused++
          assert.isNotEmpty(issues, `${JSON.stringify(validate.errors)} ${JSON.stringify(wire).slice(0, 500)}`)
        }
      }),
      { numRuns: 500, seed: 1 }
    )
    assert.isAbove(accepted, 30)
    assert.isAbove(refused, 20)
  })
})

describe("a failure", () => {
  it.each(WIRE_CODES.map((code) => [code]))("%s has the shape that the document gives it", (code) => {
    const shape = `${code
      .split("_")
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join("")}Error`
    const known = definitions[shape]
    if (known === undefined) {
      assert.isFalse(verbList.some((verb) => allErrorsOf(verb).includes(code)))
      return
    }
    const validate = validator(known)
    const details = Arbitrary.schema(WIRE[code].details as unknown as Schema.Codec<Record<string, unknown>>)
    for (const given of Effect.runSync(Arbitrary.sampleEffect(details, { count: 20, seed: 1 }))) {
      const error = refuse(code, given as never)
      if (code === "invalid_request" && (statusOf(error as never) !== 400 || "max_bytes" in given)) continue
      const body = { ...encodeError(error as never), request_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70" }
      assert.isTrue(validate(body), `${JSON.stringify(body)} ${JSON.stringify(validate.errors)}`)
    }
    assert.isFalse(validate({ code: "another", message: "", request_id: "x" }))
  })
})
