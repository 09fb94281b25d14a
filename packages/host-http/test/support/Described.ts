import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { assert } from "vitest"
import { openApiDocument } from "../../src/openapi/Document.js"
import type { ResponseObject } from "../../src/openapi/Responses.js"
import type { JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"

const document = openApiDocument(verbList, "http://outbound.test")
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
const validators = new Map<ResponseObject, ValidateFunction>()

const validatorOf = (response: ResponseObject): ValidateFunction => {
  const schema: JsonSchema = response.content["application/json"].schema
  const known = validators.get(response)
  const made = known ?? ajv.compile({ ...schema, components: { schemas: document.components.schemas } })
  validators.set(response, made)
  return made
}

const describedAt = (method: string, path: string, status: number): ResponseObject => {
  const names = Object.keys(document.paths)
  const name = names.find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, "[^/]+")}$`).test(path))
  const found = document.paths[name ?? ""]?.[method.toLowerCase()]?.responses[String(status)]
  if (found === undefined) throw new Error(`the document knows no ${status} of ${method} ${path}`)
  if (!("$ref" in found)) return found
  return (document.components["responses"] as Record<string, ResponseObject>)[found.$ref.split("/").at(-1)!]!
}

/** Fails unless the document describes this very answer: its status, its headers, its body. */
export const assertDescribed = (
  method: string,
  url: string,
  answer: { readonly status: number; readonly headers: Headers; readonly body: unknown }
): void => {
  const response = describedAt(method, url.split("?")[0]!, answer.status)
  const validate = validatorOf(response)
  assert.isTrue(
    validate(answer.body),
    `${method} ${url} ${JSON.stringify(answer.body)} ${JSON.stringify(validate.errors)}`
  )
  const mixed = answer.status === 503 || answer.status === 401
  for (const header of Object.keys(response.headers)) {
    if (!mixed) assert.isNotNull(answer.headers.get(header), `${header} of ${method} ${url} ${answer.status}`)
  }
}
