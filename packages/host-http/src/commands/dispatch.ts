import { Console, type Effect } from "effect"
import type { Command, Group } from "./Command.js"
import { FlagMistakes } from "./flags.js"
import { didYouMean } from "../nearest.js"
import type { FlagHelp } from "./readArguments.js"

/** Lines of help are no longer than this. */
const COLUMNS_MAX = 100
/** Names longer than this have their text on the next line. */
const NAME_CHARS_MAX = 26

const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** Names on the left, what they mean on the right. */
const table = (rows: ReadonlyArray<readonly [name: string, about: string]>): ReadonlyArray<string> => {
  const width = Math.min(NAME_CHARS_MAX, Math.max(...rows.map(([name]) => name.length)))
  const indent = " ".repeat(width + 4)
  return rows.flatMap(([name, about]) => {
    const [first = "", ...rest] = wrapped(about, COLUMNS_MAX - indent.length)
    const isLong = name.length > width
    return [
      ...(isLong ? [`  ${name}`, `${indent}${first}`] : [`  ${name.padEnd(width)}  ${first}`]),
      ...rest.map((line) => `${indent}${line}`)
    ]
  })
}

const NEED = { required: "; required", optional: "", repeatable: "; may be repeated" }

const flagRow = ([name, { about, need, value }]: readonly [string, FlagHelp]) =>
  [value === null ? `--${name}` : `--${name} ${value}`, `${about}${NEED[need]}`] as const

/** The help of one command. `path` is how it is called. */
const commandHelp = (path: string, { about, argument, flags }: Command): string => {
  const rows = Object.entries(flags).map(flagRow)
  return [
    ...wrapped(about, COLUMNS_MAX),
    "",
    `Usage: ${path}${argument === null ? "" : ` ${argument.toUpperCase()}`}${rows.length === 0 ? "" : " [FLAGS]"}`,
    ...(rows.length === 0 ? [] : ["", ...table(rows)])
  ].join("\n")
}

const leaves = (words: string, { commands }: Group): ReadonlyArray<readonly [name: string, about: string]> =>
  commands.flatMap((entry) => {
    const name = `${words}${entry.name}`
    return "commands" in entry ? leaves(`${name} `, entry) : [[name, entry.about] as const]
  })

/** The help of a group: every command in it. */
const groupHelp = (path: string, group: Group): string =>
  [
    ...wrapped(group.about, COLUMNS_MAX),
    "",
    `Usage: ${path} COMMAND [FLAGS]`,
    "",
    ...table(leaves("", group)),
    "",
    `${path} COMMAND --help shows the flags of a command.`
  ].join("\n")

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
