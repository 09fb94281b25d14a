import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Schema, SchemaAST as AST } from "effect"
import { isObject } from "../http/Messages.js"

/** The parts of a union, at any depth. */
const partsOf = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  AST.isUnion(ast) ? ast.types.flatMap(partsOf) : AST.isSuspend(ast) ? partsOf(ast.thunk()) : [ast]

/** Whether null is a value of its own there. */
const meansSomething = (ast: AST.AST): boolean => AST.isNull(ast) || AST.isUnknown(ast) || AST.isAny(ast)

/** The request's shapes as they are sent. */
const shapes = new WeakMap<AnyVerb, ReadonlyArray<AST.AST>>()

const shapesOf = (verb: AnyVerb): ReadonlyArray<AST.AST> => {
  const known = shapes.get(verb)
  if (known !== undefined) return known
  const made = partsOf(Schema.toEncoded(verb.request).ast)
  shapes.set(verb, made)
  return made
}

const hasNull = (value: Json): boolean =>
  value === null ||
  (Array.isArray(value)
    ? value.some((item) => hasNull(item as Json))
    : typeof value === "object" && Object.values(value).some((member) => hasNull(member ?? null)))

const without = (value: Json, parts: ReadonlyArray<AST.AST>): Json => {
  if (Array.isArray(value)) {
    const items = parts.filter(AST.isArrays).flatMap(({ rest }) => rest.flatMap(partsOf))
    return value.map((item) => without(item as Json, items))
  }
  if (!isObject(value)) return value
  const signatures = parts.filter(AST.isObjects).flatMap(({ propertySignatures }) => propertySignatures)
  const kept = Object.entries(value).flatMap(([name, member = null]) => {
    const named = signatures.filter((one) => one.name === name)
    const types = named.flatMap(({ type }) => partsOf(type))
    const isUnset = member === null && named.some(({ type }) => AST.isOptional(type)) && !types.some(meansSomething)
    return isUnset ? [] : [[name, without(member, types)] as const]
  })
  return Object.fromEntries(kept)
}

/** The arguments of every tool that by REST are headers. */
const HEADERS = ["idempotency_key", "run_id"]

/**
 * Arguments without members that are null and may be absent. A model that must name every member of a schema (OpenAI's
 * strict mode) writes null for what it leaves out. By REST, null is refused: a program that sends a null ceiling has lost
 * one.
 */
export const withoutNulls = (verb: AnyVerb, given: JsonObject): JsonObject => {
  if (!hasNull(given)) return given
  const kept = without(given, shapesOf(verb)) as JsonObject
  return Object.fromEntries(Object.entries(kept).filter(([name, value]) => value !== null || !HEADERS.includes(name)))
}
