/** `npm run bench -- hostile`: campaigns whose recipients attack, each decided by its seed (`seeds.ts`). */
import { describeHostile, simulateHostile } from "@outbound/testkit/simulation/hostile.js"
import { Effect } from "effect"
import { machine, n, row, tell } from "./Report.js"
import { runSeeds } from "./seeds.js"

await runSeeds(
  import.meta.url,
  10_000,
  async (seed) => {
    const run = await Effect.runPromise(simulateHostile(seed))
    return { counts: { attacks: run.trace.length }, broken: run.broken === null ? null : describeHostile(run) }
  },
  ({ counts, runs, seconds, threads }) => {
    const figures = [runs, counts.attacks ?? 0].map((figure) => figure.toLocaleString("en"))
    console.log(`${figures[0]} campaigns, ${figures[1]} attacks: nothing broke (${n(seconds)} s)`)
    const table = [
      row(["campaigns", "attacks", "others touched", "queues that stood", "seconds", "threads"]),
      row(["---:", "---:", "---:", "---:", "---:", "---:"]),
      row([...figures, "0", "0", n(seconds), String(threads)])
    ].join("\n")
    tell(
      "hostile",
      table,
      `## Recipients who attack

Each campaign is decided by its seed. Eight people get two steps from one mailbox; up to four of them attack: they forge
delivery reports and complaints about others, answer in another's name, refuse by policy, flood, loop and send nonsense.
They know the mail that reached them and everybody's address. Nobody else's lead may end, nobody else may be suppressed,
nothing may pause, and the campaign must come to its end.

${table}

Measured on ${machine}.`
    )
  }
)
