import { Console, Effect, Record, Result, Schema } from "effect"
import { decodeFlags, FlagMistakes } from "./flags.js"
import { type FlagHelp, type Given, readArguments } from "./readArguments.js"

/** A flag: its schema, and its help. */
export interface Flag<Field extends Schema.Top> extends FlagHelp {
  readonly field: Field
}

export const required = <A, I extends string>(
  field: Schema.Codec<A, I>,
  value: string,
  about: string
): Flag<Schema.Codec<A, I>> => ({ field, value, about, need: "required" })

export const optional = <A, I extends string>(
  field: Schema.Codec<A, I>,
  value: string,
  about: string
): Flag<Schema.optionalKey<Schema.Codec<A, I>>> => ({
  field: Schema.optionalKey(field),
  value,
  about,
  need: "optional"
})

export const repeated = <A, I extends string>(
  field: Schema.Codec<A, I>,
  value: string,
  about: string
): Flag<Schema.$Array<Schema.Codec<A, I>>> => ({ field: Schema.Array(field), value, about, need: "repeatable" })

/** A flag without a value. */
export const switched = (about: string): Flag<Schema.optionalKey<Schema.Literal<"on">>> => ({
  field: Schema.optionalKey(Schema.Literal("on")),
  value: null,
  about,
  need: "optional"
})

/** A command's result, for programs and for people. */
export interface Outcome {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
  /** Exit with code 1 after printing. */
  readonly isBad?: boolean
}

/** The command printed its result, and the result is bad. */
export class BadOutcome extends Schema.TaggedError<BadOutcome>()("BadOutcome", {
  exitCode: Schema.optionalKey(Schema.Int)
}) {}

/** A command of the program. */
export interface Command {
  readonly name: string
  readonly about: string
  readonly flags: Readonly<Record<string, FlagHelp>>
  /** The name of its one argument, if it has one. */
  readonly argument: string | null
  readonly run: (words: ReadonlyArray<string>) => Effect.Effect<void, unknown>
}

/** Commands under a common first word. */
export interface Group {
  readonly name: string
  readonly about: string
  readonly commands: ReadonlyArray<Command | Group>
}

type Flags = Readonly<Record<string, Flag<Schema.Top>>>
type Values<F extends Flags> = Schema.Struct.Type<{ readonly [Name in keyof F]: F[Name]["field"] }>

const JSON_FLAG: FlagHelp = {
  value: null,
  about: "Print one JSON object on standard output, and nothing else there",
  need: "optional"
}

const print = <E>(work: Effect.Effect<Outcome, E>, asJson: boolean) =>
  Effect.gen(function* () {
    const outcome = yield* work
    yield* Console.log(asJson ? JSON.stringify(outcome.json) : outcome.text)
    if (outcome.isBad === true) return yield* new BadOutcome()
  })

const made = <F extends Flags, E>(
  name: string,
  about: string,
  flags: F,
  argument: string | null,
  run: (values: Values<F>, given: Given) => Effect.Effect<Outcome, E>
): Command => {
  const help = { ...flags, json: JSON_FLAG }
  const fields = Record.map(flags, ({ field }) => field)
  // The compiler can't follow the struct through the map; `Values` names what it decodes to.
  const decode = decodeFlags(Schema.Struct(fields) as unknown as Schema.Codec<Values<F>>)
  return {
    name,
    about,
    flags: help,
    argument,
    run: (words) => {
      const given = readArguments(words, help, argument)
      const { json, ...raw } = given.flags
      const work = Effect.gen(function* () {
        const values = yield* Effect.result(decode(raw))
        const mistakes = [...given.mistakes, ...(Result.isFailure(values) ? unsaid(values.failure, given) : [])]
        if (Result.isFailure(values) || mistakes.length > 0) return yield* new FlagMistakes({ mistakes })
        return yield* run(values.success, given)
      })
      return print(work, json !== undefined)
    }
  }
}

/** What is wrong with the values of flags, except where the flag itself was already refused. */
const unsaid = ({ mistakes }: FlagMistakes, { refused }: Given): ReadonlyArray<string> =>
  mistakes.filter((mistake) => !refused.has(mistake.split(" ", 1)[0]?.slice(2) ?? ""))

/** A command that prints for itself. Its flags have no values. */
export const action = (
  name: string,
  about: string,
  flags: Readonly<Record<string, FlagHelp>>,
  run: (given: ReadonlySet<string>) => Effect.Effect<void, unknown>
): Command => ({
  name,
  about,
  flags,
  argument: null,
  run: (words) => {
    const { flags: given, mistakes } = readArguments(words, flags, null)
    return mistakes.length > 0 ? new FlagMistakes({ mistakes }) : run(new Set(Object.keys(given)))
  }
})

/** A command that prints one result. All mistakes in its arguments are reported together. */
export const command = <F extends Flags, E>(
  name: string,
  about: string,
  flags: F,
  run: (values: Values<F>) => Effect.Effect<Outcome, E>
): Command => made(name, about, flags, null, run)

/** The same, of one argument. */
export const commandOn = <F extends Flags, E>(
  name: string,
  about: string,
  flags: F,
  argument: string,
  run: (values: Values<F>, argument: string) => Effect.Effect<Outcome, E>
): Command => made(name, about, flags, argument, (values, given) => run(values, given.argument))

export const group = (name: string, about: string, commands: ReadonlyArray<Command | Group>): Group => ({
  name,
  about,
  commands
})
