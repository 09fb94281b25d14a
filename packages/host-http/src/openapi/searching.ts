import type { OpenApiDocument } from "./Document.js"
import { parameterRows, type Row, rowsOf, successOf } from "./Members.js"
import type { Operation } from "./Operation.js"

/** A call of the reference. */
export interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** A call that has all words that were searched for, and those of its fields that have one of them. */
export interface Match extends Described {
  readonly fields: ReadonlyArray<Row>
}

export const QUERY_CHARS_MAX = 100
const FIELDS_SHOWN_MAX = 6

export const operationsOf = (document: OpenApiDocument): ReadonlyArray<Described> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation }))
  )

const fieldsOf = (operation: Operation, document: OpenApiDocument): ReadonlyArray<Row> => {
  const body = operation.requestBody?.content["application/json"]
  const result = successOf(operation)
  return [
    ...parameterRows(operation, document),
    ...(body === undefined ? [] : rowsOf(body.schema, document)),
    ...(result.oneOf ?? [result]).flatMap((one) => rowsOf(one, document))
  ]
}

const plain = (text: string): string => text.toLowerCase().replaceAll("_", " ")
const textOf = ({ about, name, type }: Row): string => plain(`${name} ${type} ${about}`)

/** Searches names, addresses, descriptions and fields of the calls: those that are named so first. */
export const makeSearch = (document: OpenApiDocument) => {
  const all = operationsOf(document).map((of) => {
    const fields = fieldsOf(of.operation, document).map((row) => ({ row, text: textOf(row) }))
    const { description, operationId, summary } = of.operation
    const name = plain(`${operationId} ${of.path}`)
    return {
      of,
      fields,
      name,
      text: [name, plain(summary), plain(description), ...fields.map(({ text }) => text)].join("\n")
    }
  })
  return (query: string): ReadonlyArray<Match> => {
    const words = plain(query.slice(0, QUERY_CHARS_MAX)).split(/\s+/).filter(Boolean)
    if (words.length === 0) return []
    return all
      .filter(({ text }) => words.every((word) => text.includes(word)))
      .toSorted(
        (one, other) =>
          Number(words.every((word) => other.name.includes(word))) -
          Number(words.every((word) => one.name.includes(word)))
      )
      .map(({ fields, of }) => ({
        ...of,
        fields: fields
          .filter(({ text }) => words.some((word) => text.includes(word)))
          .slice(0, FIELDS_SHOWN_MAX)
          .map(({ row }) => row)
      }))
  }
}
