import { type Credits, CreditsFromWire } from "@outbound/domain/kernel/money/Credits.js"
import { nameIssues } from "@outbound/domain/control/KeyControl.js"
import type { Issue } from "@outbound/domain/kernel/errors/Wire.js"
import { Either, Schema } from "effect"

/** The value of a form's fields, or their validation errors. */
export type Typed<A> = Either.Either<A, ReadonlyArray<Issue>>

/** A field's validation errors. */
export const issuesOf = (given: Typed<unknown>): ReadonlyArray<Issue> => (Either.isLeft(given) ? given.left : [])

/** All fields of a form, or the validation errors of all of them. */
export const allOf = <A extends Readonly<Record<string, unknown>>>(fields: {
  readonly [Name in keyof A]: Typed<A[Name]>
}): Typed<A> => {
  const all: Readonly<Record<string, Typed<unknown>>> = fields
  const issues = Object.values(all).flatMap(issuesOf)
  return issues.length > 0 ? Either.left(issues) : (Either.all(all) as Typed<A>)
}

export const nameOf = (form: URLSearchParams): Typed<string> => {
  const name = (form.get("name") ?? "").trim()
  const issues = nameIssues(name)
  return issues.length > 0 ? Either.left(issues) : Either.right(name)
}

const decode = Schema.decodeUnknownEither(CreditsFromWire)

/** Credits as a person types them; commas and spaces between groups of digits are ignored. */
export const creditsOf = (form: URLSearchParams, name: string): Typed<Credits> =>
  decode((form.get(name) ?? "").trim().replaceAll(/(?<=\d)[ ,\u2009\u00A0](?=\d{3})/g, "")).pipe(
    Either.mapLeft(() => [{ path: name, message: "must be an amount, such as 250 or 12.5" }])
  )

/** A whole number; negative ones and fractions are refused. */
export const countOf = (form: URLSearchParams, name: string): Typed<number> => {
  const text = (form.get(name) ?? "").trim()
  return /^\d{1,9}$/.test(text)
    ? Either.right(Number(text))
    : Either.left([{ path: name, message: "must be a whole number of 0 or more" }])
}

/** Whether a box is ticked. Forms also send `off` for each box, so that a missing field means "unchanged". */
export const isOn = (form: URLSearchParams, name: string): boolean => form.getAll(name).includes("on")
