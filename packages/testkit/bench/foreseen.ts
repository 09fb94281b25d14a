/** `npm run bench -- foreseen`: campaigns that nobody answers, beside their forecasts, each decided by its seed (`seeds.ts`). */
import { describeForeseen, simulateForeseen } from "@outbound/testkit/simulation/foreseen.js"
import { Effect } from "effect"
import { machine, n, row, tell } from "./Report.js"
import { runSeeds } from "./seeds.js"

await runSeeds(
  import.meta.url,
  1_000,
  async (seed) => {
    const run = await Effect.runPromise(simulateForeseen(seed))
    return { counts: { messages: run.messages }, broken: run.broken === null ? null : describeForeseen(run) }
  },
  ({ counts, runs, seconds, threads }) => {
    const figures = [runs, counts.messages ?? 0].map((figure) => figure.toLocaleString("en"))
    console.log(`${figures[0]} campaigns, ${figures[1]} messages: all as foreseen (${n(seconds)} s)`)
    const table = [
      row(["campaigns", "messages", "not as foreseen", "seconds", "threads"]),
      row(["---:", "---:", "---:", "---:", "---:"]),
      row([...figures, "0", n(seconds), String(threads)])
    ].join("\n")
    tell(
      "foreseen",
      table,
      `## Forecasts, beside what happened

Each campaign is decided by its seed: its people, mailboxes, steps, waits, days, hours and zone, and the hour of a year in
which it begins. Nobody answers. What left is what \`forecast_campaign\` said before the launch, by day and mailbox.

${table}

Measured on ${machine}.`
    )
  }
)
