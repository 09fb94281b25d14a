/** `npm run bench -- simulation`: runs of the whole domain in memory, each decided by its seed (`seeds.ts`). */
import { describeRun, simulate, WORKSPACES } from "@outbound/testkit/simulation/simulate.js"
import { Effect } from "effect"
import { machine, n, row, tell } from "./Report.js"
import { runSeeds } from "./seeds.js"

const ACTS = 40

await runSeeds(
  import.meta.url,
  100_000,
  async (seed) => {
    const run = await Effect.runPromise(simulate(seed, ACTS))
    return {
      counts: { steps: run.trace.length, deaths: run.trace.filter((line) => line.includes("the host died")).length },
      broken: run.broken === null ? null : describeRun(run)
    }
  },
  ({ counts, runs, seconds, threads }) => {
    const figures = [runs, counts.steps ?? 0, counts.deaths ?? 0].map((figure) => figure.toLocaleString("en"))
    console.log(`${figures[0]} runs, ${figures[1]} steps, ${figures[2]} deaths: nothing broke (${n(seconds)} s)`)
    const table = [
      row(["runs", "steps", "deaths of hosts", "broken", "seconds", "threads"]),
      row(["---:", "---:", "---:", "---:", "---:", "---:"]),
      row([...figures, "0", n(seconds), String(threads)])
    ].join("\n")
    tell(
      "simulation",
      table,
      `## The whole service, by chance

Each run is decided by its seed: ${WORKSPACES} workspaces on the stores in memory, ${ACTS} acts of clients, people, workers, clocks and
providers that fail, hang, lie or repeat, and hosts that die between two uses of a store. Every invariant is checked after
each act. What this proves, and what not: [reliability](reliability.md#by-chance).

${table}

Measured on ${machine}.`
    )
  }
)
