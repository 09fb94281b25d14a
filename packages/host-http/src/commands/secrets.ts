/** Secrets of commands. They come from the environment or standard input, never from a flag. */
import { Effect } from "effect"
import type { Actions } from "./Actions.js"
import * as Flags from "./flags.js"

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

export const flagError = (text: string) => Effect.fail(new Flags.FlagMistakes({ mistakes: [text] }))

/** The secret in the variable that the flag names. */
export const fromVariable = (
  environment: Readonly<Record<string, string | undefined>>,
  flag: string,
  name: string
): Effect.Effect<string, Flags.FlagMistakes> => {
  const value = VARIABLE.test(name) ? environment[name] : undefined
  return value === undefined || value.trim() === ""
    ? flagError(`--${flag} must name a variable that contains the secret`)
    : Effect.succeed(value)
}

/** The secret on standard input, without the end of its line. */
export const fromStdin = ({ readStdin }: Pick<Actions, "readStdin">): Effect.Effect<string, unknown> =>
  Effect.map(readStdin, (text) => text.replace(/\r?\n$/, ""))
