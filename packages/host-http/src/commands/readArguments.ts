import { parseArgs } from "node:util"
import { didYouMean } from "../nearest.js"

/** A flag as its command's help shows it. */
export interface FlagHelp {
  /** What stands for the value; null for a flag without one. */
  readonly value: string | null
  readonly about: string
  readonly need: "required" | "optional" | "repeatable"
}

/** The arguments of a command as they were typed. */
export interface Given {
  /** By flag: its text, every text of a repeatable one, or "on" for one without a value. */
  readonly flags: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** Empty where it is missing, which is a mistake. */
  readonly argument: string
  readonly mistakes: ReadonlyArray<string>
  /** The flags that a mistake is already about. */
  readonly refused: ReadonlySet<string>
}

/** Reads the words after a command's name. It finds all mistakes at once; the values are decoded elsewhere. */
export const readArguments = (
  words: ReadonlyArray<string>,
  flags: Readonly<Record<string, FlagHelp>>,
  argument: string | null
): Given => {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [name, { type: value === null ? "boolean" : "string" } as const])
  )
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true })
  const given: Record<string, string | Array<string>> = Object.fromEntries(
    Object.entries(flags).flatMap(([name, { need }]) => (need === "repeatable" ? [[name, []]] : []))
  )
  const refused = new Set<string>()
  const mistakes: Array<string> = []
  const positionals: Array<string> = []
  const refuse = (name: string, mistake: string) => {
    refused.add(name)
    mistakes.push(mistake)
  }
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value)
    if (token.kind !== "option") continue
    const { inlineValue, name, rawName, value } = token
    const flag = Object.hasOwn(flags, name) && rawName.startsWith("--") ? flags[name] : undefined
    if (flag === undefined) {
      const names = Object.keys(flags).map((known) => `--${known}`)
      refuse(name, `${rawName} is not a flag of this command.${didYouMean(rawName, names)}`)
    } else if (flag.value === null) {
      if (value === undefined) given[name] = "on"
      else refuse(name, `${rawName} takes no value`)
    } else if (value === undefined || (inlineValue !== true && value.startsWith("--"))) {
      refuse(name, `${rawName} needs a value: ${rawName} ${flag.value}`)
    } else if (flag.need === "repeatable") {
      given[name] = [...(given[name] ?? []), value]
    } else if (given[name] === undefined) {
      given[name] = value
    } else {
      refuse(name, `${rawName} was given twice`)
    }
  }
  const [first = "", ...others] = positionals
  const unexpected = argument === null ? positionals : others
  if (argument !== null && first === "") mistakes.push(`${argument.toUpperCase()} is missing`)
  mistakes.push(...unexpected.map((word) => `"${word}" is not expected here`))
  return { flags: given, argument: first, mistakes, refused }
}
