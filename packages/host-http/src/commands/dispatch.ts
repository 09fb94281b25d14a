import { Console, Effect } from "effect"
import type { Command, Group } from "./Command.js"
import { FlagMistakes } from "./flags.js"
import { commandHelp, groupHelp } from "./help.js"
import { didYouMean } from "./nearest.js"

const HELP = new Set(["--help", "-h"])

const asksForHelp = (words: ReadonlyArray<string>): boolean => {
  const end = words.indexOf("--")
  return words.slice(0, end === -1 ? words.length : end).some((word) => HELP.has(word))
}

const mistake = (text: string) => new FlagMistakes({ mistakes: [text] })

/** Finds the command that the words name, and runs it or shows its help. */
export const dispatch = (
  entry: Command | Group,
  words: ReadonlyArray<string>,
  path: string
): Effect.Effect<void, unknown> => {
  if (!("commands" in entry)) {
    return asksForHelp(words) ? Console.log(commandHelp(path, entry)) : entry.run(words)
  }
  const [first, ...rest] = words
  if (first === undefined) return mistake(`Missing command. ${path} --help lists the commands.`)
  if (HELP.has(first)) return Console.log(groupHelp(path, entry))
  const found = entry.commands.find(({ name }) => name === first)
  if (found !== undefined) return dispatch(found, rest, `${path} ${first}`)
  const names = entry.commands.map(({ name }) => name)
  return mistake(
    `"${first}" is not a command of ${path}.${didYouMean(first, names)} ${path} --help lists the commands.`
  )
}
