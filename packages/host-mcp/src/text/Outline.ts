import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"

/*
 * JSON as an indented outline, for whoever reads text. What is null says nothing and is left out: the structured
 * content has it.
 */

const isBare = (value: Json | undefined): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

const block = (text: string, indent: string): string =>
  `|\n${text
    .split("\n")
    .map((line) => `${indent}  ${line}`)
    .join("\n")}`

const scalar = (value: Json, indent: string): string =>
  typeof value === "string" ? (value.includes("\n") ? block(value, indent) : value) : String(value)

const isScalar = (value: Json): boolean => value === null || typeof value !== "object"

const listLines = (items: ReadonlyArray<Json>, indent: string): ReadonlyArray<string> =>
  items.flatMap((item) => {
    if (isScalar(item)) return [`${indent}- ${scalar(item, indent)}`]
    const [first = "", ...rest] = Array.isArray(item)
      ? listLines(item, `${indent}  `)
      : memberLines(item as JsonObject, `${indent}  `)
    return [`${indent}- ${first.trimStart()}`, ...rest]
  })

const memberLines = (members: JsonObject, indent: string): ReadonlyArray<string> =>
  Object.entries(members).flatMap(([name, value]) => {
    if (isBare(value)) return []
    if (isScalar(value)) return [`${indent}${name}: ${scalar(value, indent)}`]
    if (!Array.isArray(value)) return [`${indent}${name}:`, ...memberLines(value as JsonObject, `${indent}  `)]
    return value.every((item) => isScalar(item) && !String(item).includes("\n"))
      ? [`${indent}${name}: ${value.map(String).join(", ")}`]
      : [`${indent}${name}:`, ...listLines(value, `${indent}  `)]
  })

export const outline = (members: JsonObject): string => memberLines(members, "").join("\n")
