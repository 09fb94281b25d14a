/**
 * `npm run bench -- approvals-model`: searches every state of the model of approvals and claims, within the bounds below, on
 * one core. Ends with an error if a guarantee breaks, or if the search is not complete.
 */
import { approvalsModel, describeTrace, SMALL } from "@outbound/testkit/models/approvals/Approvals.js"
import type { Bounds } from "@outbound/testkit/models/approvals/State.js"
import { explore } from "@outbound/testkit/models/explore.js"
import { machine, n, row, tell } from "./Report.js"

const STATES_MAX = 5_000_000

const WORLDS: ReadonlyArray<readonly [what: string, bounds: Bounds]> = [
  [
    "one person, two approvals, two messages, a second try, two hosts",
    { ...SMALL, approvals: 2, steps: 2, failuresMax: 1 }
  ],
  ["two people, one of them added later, one host", { ...SMALL, people: 2, hosts: 1 }],
  ["a purchase beside the launch, one host", { ...SMALL, hasPurchase: true, hosts: 1 }],
  ["two approvals that two people must give, one host", { ...SMALL, approvals: 2, approversNeeded: 2, hosts: 1 }]
]

const rows: Array<string> = []
for (const [what, bounds] of WORLDS) {
  const since = performance.now()
  const found = explore(approvalsModel({ bounds, fault: null }), STATES_MAX)
  const seconds = (performance.now() - since) / 1000
  console.log(
    `${what}: ${found.states} states, ${found.transitions} transitions, depth ${found.depth}, ${n(seconds)} s`
  )
  if (found.violation !== null) {
    console.error(`Broken: ${found.violation.broken}\n${describeTrace(found.violation.trace)}`)
    process.exit(1)
  }
  if (!found.isComplete) {
    console.error(`The search stopped at ${STATES_MAX} states.`)
    process.exit(1)
  }
  const figures = [found.states, found.transitions].map((figure) => figure.toLocaleString("en"))
  rows.push(row([what, ...figures, String(found.depth), n(seconds)]))
}

const table = [
  row(["world", "distinct states", "transitions", "depth", "seconds"]),
  row(["---", "---:", "---:", "---:", "---:"]),
  ...rows
].join("\n")

tell(
  "approvals",
  table,
  `## Approvals: every state of the model

A breadth-first search over the model of approvals and claims (\`packages/testkit/src/models/approvals/\`), on one core. Each
row is one world, searched to its end; no guarantee breaks in any state of it. What this proves, and what not:
[approvals](guides/approvals.md#what-was-proven-and-what-not).

${table}

Measured on ${machine}.`
)
