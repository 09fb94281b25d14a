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
  const made = Record.map(flags, (flag, flagName) => flag(flagName))
  const schema = Schema.Struct(Record.map(made, ({ field }) => field)) as unknown as Schema.Schema<
    Schema.Struct.Type<Fields<F>>
  >
  const options: Readonly<Record<string, Given>> = Record.map(made, ({ option }) => option)
  const json = Options.boolean("json").pipe(Options.withDescription("Print one JSON object on standard output."))
  return Command.make(name, { ...options, json }, ({ json: asJson, ...raw }) =>
    Effect.gen(function* () {
      const outcome = yield* Effect.flatMap(decodeFlags(schema)(given(raw)), run)
      yield* Console.log(asJson ? JSON.stringify(outcome.json) : outcome.text)
      if (outcome.isBad === true) return yield* new BadOutcome()
    })
  ).pipe(Command.withDescription(about))
}
