import type { Json, JsonObject } from "../../kernel/canonical.js"

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const listOf = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

/** The value if it is a text; else nothing. */
export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")
