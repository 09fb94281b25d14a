import { Effect } from "effect"
import type { ConfigMistakes, OutboundConfig } from "../Config.js"
import { bad, type Finding, good, warning } from "./Finding.js"
import type { Actions } from "./Actions.js"
import { command, type Outcome } from "./Command.js"

const MARKS: Readonly<Record<Finding["state"], string>> = {
  good: "ok",
  warning: "WARNING",
  bad: "BAD",
  skipped: "skipped"
}

const MARK_CHARS = 9
const ABOUT_CHARS = 18

const linesOf = ({ about, found, mend, state }: Finding): ReadonlyArray<string> => [
  `${MARKS[state].padEnd(MARK_CHARS)}${about.padEnd(ABOUT_CHARS)}${found}`,
  ...(mend === null ? [] : [`${" ".repeat(MARK_CHARS + ABOUT_CHARS)}${mend}`])
]

const summary = (findings: ReadonlyArray<Finding>): string => {
  const count = (state: Finding["state"]) => findings.filter((one) => one.state === state).length
  const [broken, warned] = [count("bad"), count("warning")]
  return broken + warned === 0 ? "All is well." : `${broken} to mend, ${warned} to look at.`
}

const reported = (findings: ReadonlyArray<Finding>): Outcome => ({
  json: { ok: findings.every(({ state }) => state !== "bad"), findings },
  text: [...findings.flatMap(linesOf), "", summary(findings)].join("\n"),
  isBad: findings.some(({ state }) => state === "bad")
})

const mistaken = (mistake: string): Finding =>
  bad("configuration", mistake, "Correct it; outbound --help and docs/configuration.md name every setting.")

const misspelt = (line: string): Finding => warning("configuration", line, "Correct its name, or remove it.")

/** `unknown`: what is said of variables that look like ours. */
export const doctorCommand = (
  actions: Pick<Actions, "doctor">,
  config: Effect.Effect<OutboundConfig, ConfigMistakes>,
  unknown: ReadonlyArray<string>
) =>
  command(
    "doctor",
    "Looks at all that the service relies on, and says how to mend it. Changes nothing; exits with code 1 if something is bad.",
    {},
    () =>
      config.pipe(
        Effect.matchEffect({
          onFailure: ({ mistakes }) => Effect.succeed(mistakes.map(mistaken)),
          onSuccess: (read) =>
            Effect.map(actions.doctor(read), (findings) => [good("configuration", "valid"), ...findings])
        }),
        Effect.map((findings) => reported([...unknown.map(misspelt), ...findings]))
      )
  )
