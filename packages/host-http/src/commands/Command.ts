import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Console, Effect, Option, Record, Schema } from "effect"
import { decodeFlags } from "./flags.js"

type Given = Options.Options<Option.Option<string> | ReadonlyArray<string>>

/** One flag: what it takes, and its words in the help. */
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

/** Given or not. */
export const switched =
  (about: string): FlagOf<Schema.optionalWith<Schema.Literal<["on"]>, { exact: true }>> =>
  (name) => ({
    field: Schema.optionalWith(Schema.Literal("on"), { exact: true }),
    option: Options.boolean(name).pipe(
      Options.withDescription(`${about} (optional)`),
      Options.map((isGiven) => (isGiven ? Option.some("on") : Option.none<string>()))
    )
  })

/** What a command came to, for a program and for a person. */
export interface Outcome {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
  /** Ends the program with exit code 1, after the output. */
  readonly isBad?: boolean
}

/** The command did what it was asked, and what it found is bad. Its output has been printed. */
export class BadOutcome extends Schema.TaggedError<BadOutcome>()("BadOutcome", {}) {}

type Flags = Readonly<Record<string, FlagOf<Schema.Struct.Field>>>
type Fields<F extends Flags> = { readonly [Name in keyof F]: ReturnType<F[Name]>["field"] }

/** The flags that were given; the others stay out, so that the schema finds them missing. */
const given = (raw: Readonly<Record<string, Option.Option<string> | ReadonlyArray<string>>>) =>
  Record.filterMap(raw, (value) =>
    Array.isArray(value) ? ({ _tag: "Some", value } as Option.Option<unknown>) : (value as Option.Option<unknown>)
  )

/** The flags' schema, and the options that read them. */
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

/**
 * A command that prints one outcome. Every flag arrives as text and is decoded here, so that all mistakes are named
 * at once.
 */
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

/** The same for a command that is about a file, named behind its flags. */
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
