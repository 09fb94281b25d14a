import { expect, it } from "@effect/vitest"
import { isFinal } from "@outbound/domain/kernel/machine.js"
import { fileURLToPath } from "node:url"
import { type MachineFile, machineFiles } from "../machines.js"
import { formatted } from "./formatted.js"

const DOCUMENT = fileURLToPath(new URL("../../../../docs/state-machines.md", import.meta.url))

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const coded = (words: ReadonlyArray<string>): string => words.map((word) => `\`${word}\``).join(", ")

const listed = (title: string, lists: Readonly<Record<string, ReadonlyArray<string>>>): ReadonlyArray<string> => {
  const lines = Object.entries(lists).map(([name, words]) => `- \`${name}\`: ${coded(words)}`)
  return lines.length === 0 ? [] : [title, "", ...lines, ""]
}

const section = ({ lists, machine }: MachineFile): string => {
  const states = machine.states.map((state) => {
    const marks = [state === machine.initial ? "first" : [], isFinal(machine, state) ? "final" : []].flat()
    const name = `\`${state}\`${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`
    const cells = machine.events.map((event) => {
      const cell = machine.table[state]?.[event] ?? ""
      return cell === "refuse" ? "" : cell === "same" ? "=" : `\`${cell}\``
    })
    return row([name, ...cells])
  })
  const head = row(["state", ...machine.events.map((event) => `\`${event}\``)])
  const words = machine.name.replaceAll("_", " ")
  return [
    `## ${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`,
    "",
    head,
    row(["---", ...machine.events.map(() => "---")]),
    ...states,
    "",
    ...listed("Asked for by name:", machine.in),
    ...listed("Lists beside it:", lists)
  ].join("\n")
}

const INTRODUCTION = `# State machines

One table for each thing that has a state. A row is the current state, a column is an event, and a cell is the next state.
\`=\` is a repeat that succeeds and changes nothing. An empty cell means that the event is refused. Below a table are the
groups of states that rules, statements and pages ask for, then the lists that stand beside it: reasons, kinds, and states that
follow from the table.

\`packages/testkit/test/docs/StateMachines.test.ts\` generates this page from the tables in \`packages/domain\` and checks it
with every test run. After you change a table, run that file with \`--update\`.
`

const MACHINES = await machineFiles()

it("docs/state-machines.md says what the domain's tables say", async () => {
  const text = [INTRODUCTION, ...MACHINES.map(section)].join("\n")
  await expect(await formatted(text)).toMatchFileSnapshot(DOCUMENT)
})
