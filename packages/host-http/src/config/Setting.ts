/** How one variable is read, and how several make a whole. Mistakes are reported together. */
import { Option, Redacted, Result } from "effect"
import type { VariableName } from "../ConfigVariables.js"

/** Each of them names its variable. */
export type Mistakes = ReadonlyArray<string>

/** Reads a part of the configuration from the variables that are set. */
export type Setting<A> = (variables: ReadonlyMap<string, string>) => Result.Result<A, Mistakes>

export const mistake = (name: VariableName, message: string): Mistakes => [`${name}: ${message}`]

/** A variable; none if it is not set. */
export const variable =
  <A>(name: VariableName, read: (text: string) => Result.Result<A, Mistakes>): Setting<Option.Option<A>> =>
  (variables) => {
    const text = variables.get(name)
    return text === undefined ? Result.succeedNone : Result.map(read(text), Option.some)
  }

export const mapped =
  <A, B>(setting: Setting<A>, map: (value: A) => Result.Result<B, Mistakes>): Setting<B> =>
  (variables) =>
    Result.flatMap(setting(variables), map)

export const withDefault = <A>(setting: Setting<Option.Option<A>>, usual: A): Setting<A> =>
  mapped(setting, (given) => Result.succeed(Option.getOrElse(given, () => usual)))

type Settings = Readonly<Record<string, Setting<unknown>>>
type Values<S extends Settings> = { readonly [Name in keyof S]: S[Name] extends Setting<infer A> ? A : never }

/** All of them, with the mistakes of all. */
export const all =
  <const S extends Settings>(settings: S): Setting<Values<S>> =>
  (variables) => {
    const read = Object.entries(settings).map(([name, setting]) => [name, setting(variables)] as const)
    const mistakes = read.flatMap(([, result]) => (Result.isFailure(result) ? result.failure : []))
    return mistakes.length > 0
      ? Result.fail(mistakes)
      : Result.succeed(Object.fromEntries(read.map(([name, result]) => [name, Result.getOrThrow(result)])) as Values<S>)
  }

export const textOf = (name: VariableName): Setting<Option.Option<string>> => variable(name, Result.succeed)

/** The mistake doesn't print the value: it may be a secret. */
export const secretOf = (
  name: VariableName,
  isValid: (text: string) => boolean,
  message: string
): Setting<Option.Option<Redacted.Redacted>> =>
  variable(name, (text) => (isValid(text) ? Result.succeed(Redacted.make(text)) : Result.fail(mistake(name, message))))

export const parsed = <A>(
  name: VariableName,
  expected: string,
  parse: (text: string) => A | undefined
): Setting<Option.Option<NonNullable<A>>> =>
  variable(name, (text) =>
    Result.fromNullishOr(parse(text.trim()), () => mistake(name, `"${text}" is not ${expected}`))
  )
