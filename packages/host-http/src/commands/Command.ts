import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, Effect, Option, Record, Schema } from "effect"
import { decodeFlags } from "./flags.js"

type Given = Options.Options<Option.Option<string> | ReadonlyArray<string>>

/** A flag: its schema and its option. */
export interface Flag<Field extends Schema.Struct.Field> {
  readonly field: Field
  readonly option: Given
}

const text = (name: string, pseudo: string, about: string) =>
  Options.text(name).pipe(Options.withPseudoName(pseudo), Options.withDescription(about))

type FlagOf<Field extends Schema.Struct.Field> = (name: string) => Flag<Field>

export const required =
  <A, I extends string>(field: Schema.Schema<A, I>, pseudo: string, about: string): FlagOf<Schema.Schema<A, I>> =>
  (name) => ({ field, option: Options.optional(text(name, pseudo, `${about} (required)`)) })

export const optional =
  <A, I extends string>(
    field: Schema.Schema<A, I>,
    pseudo: string,
    about: string
  ): FlagOf<Schema.optionalWith<Schema.Schema<A, I>, { exact: true }>> =>
  (name) => ({
    field: Schema.optionalWith(field, { exact: true }),
    option: Options.optional(text(name, pseudo, `${about} (optional)`))
  })

export const repeated =
  <A, I extends string>(
    field: Schema.Schema<A, I>,
    pseudo: string,
    about: string
  ): FlagOf<Schema.Array$<Schema.Schema<A, I>>> =>
  (name) => ({
    field: Schema.Array(field),
    option: Options.repeated(text(name, pseudo, `${about} (optional, repeatable)`))
  })

/** A flag without a value. */
export const switched =
  (about: string): FlagOf<Schema.optionalWith<Schema.Literal<["on"]>, { exact: true }>> =>
  (name) => ({
    field: Schema.optionalWith(Schema.Literal("on"), { exact: true }),
    option: Options.boolean(name).pipe(
      Options.withDescription(`${about} (optional)`),
      Options.map((isGiven) => (isGiven ? Option.some("on") : Option.none<string>()))
    )
  })

/** A command's result, for programs and for people. */
export interface Outcome {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
  /** Exit with code 1 after printing. */
  readonly isBad?: boolean
}

/** The command printed its result, and the result is bad. */
export class BadOutcome extends Schema.TaggedError<BadOutcome>()("BadOutcome", {}) {}

type Flags = Readonly<Record<string, FlagOf<Schema.Struct.Field>>>
type Fields<F extends Flags> = { readonly [Name in keyof F]: ReturnType<F[Name]>["field"] }

/** Only the flags that were given, so that the schema finds missing ones. */
const given = (raw: Readonly<Record<string, Option.Option<string> | ReadonlyArray<string>>>) =>
  Record.filterMap(raw, (value) =>
    Array.isArray(value) ? ({ _tag: "Some", value } as Option.Option<unknown>) : (value as Option.Option<unknown>)
  )

const readerOf = <F extends Flags>(flags: F) => {
  const made = Record.map(flags, (flag, flagName) => flag(flagName))
  const schema = Schema.Struct(Record.map(made, ({ field }) => field)) as unknown as Schema.Schema<
    Schema.Struct.Type<Fields<F>>
  >
  const options: Readonly<Record<string, Given>> = Record.map(made, ({ option }) => option)
  return { decode: decodeFlags(schema), options }
}

const json = Options.boolean("json").pipe(Options.withDescription("Print one JSON object on standard output."))

const print = <E>(work: Effect.Effect<Outcome, E>, asJson: boolean) =>
  Effect.gen(function* () {
    const outcome = yield* work
    yield* Console.log(asJson ? JSON.stringify(outcome.json) : outcome.text)
    if (outcome.isBad === true) return yield* new BadOutcome()
  })

/** A command that prints one result. Flags are decoded here, so that all errors are reported together. */
export const command = <const Name extends string, F extends Flags, E>(
  name: Name,
  about: string,
  flags: F,
  run: (values: Schema.Struct.Type<Fields<F>>) => Effect.Effect<Outcome, E>
) => {
  const { decode, options } = readerOf(flags)
  return Command.make(name, { ...options, json }, ({ json: asJson, ...raw }) =>
    print(Effect.flatMap(decode(given(raw)), run), asJson)
  ).pipe(Command.withDescription(about))
}

/** A command with a file argument. */
export const commandOn = <const Name extends string, F extends Flags, E>(
  name: Name,
  about: string,
  flags: F,
  file: string,
  run: (values: Schema.Struct.Type<Fields<F>>, file: string) => Effect.Effect<Outcome, E>
) => {
  const { decode, options } = readerOf(flags)
  return Command.make(
    name,
    { given: { ...options, json }, file: Args.text({ name: file }) },
    ({ file: path, given: all }) => {
      const { json: asJson, ...raw } = all
      return print(
        Effect.flatMap(decode(given(raw)), (values) => run(values, path)),
        asJson
      )
    }
  ).pipe(Command.withDescription(about))
}
