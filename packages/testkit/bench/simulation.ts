/**
 * `npm run bench -- simulation`: runs of the whole domain in memory, each decided by its seed, on every core. The first that
 * breaks something is told step by step, and ends the bench. `FIRST` and `SEEDS` are the first and the last seed, `THREADS`
 * how many cores work.
 */
import { describeRun, simulate, WORKSPACES } from "@outbound/testkit/simulation/simulate.js"
import { Effect } from "effect"
import { availableParallelism } from "node:os"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { machine, n, row, tell } from "./Report.js"

const FIRST = Number(process.env.FIRST ?? 1)
const SEEDS = Number(process.env.SEEDS ?? 100_000)
const THREADS = Number(process.env.THREADS ?? availableParallelism())
const ACTS = 40

/** Seeds that a thread runs before it says so. */
const BATCH = 50

interface Share {
  readonly first: number
  readonly every: number
}

interface Said {
  readonly runs: number
  readonly acts: number
  readonly deaths: number
  readonly broken: string | null
}

const runShare = async ({ every, first }: Share): Promise<void> => {
  let said = { runs: 0, acts: 0, deaths: 0, broken: null as string | null }
  for (let seed = first; seed <= SEEDS && said.broken === null; seed += every) {
    const run = await Effect.runPromise(simulate(seed, ACTS))
    said = {
      runs: said.runs + 1,
      acts: said.acts + run.trace.length,
      deaths: said.deaths + run.trace.filter((line) => line.includes("the host died")).length,
      broken: run.broken === null ? null : describeRun(run)
    }
    if (said.runs === BATCH || said.broken !== null) {
      parentPort?.postMessage(said satisfies Said)
      said = { ...said, runs: 0, acts: 0, deaths: 0 }
    }
  }
  parentPort?.postMessage(said satisfies Said)
}

const main = async (): Promise<void> => {
  const since = performance.now()
  const total = { runs: 0, acts: 0, deaths: 0 }
  const broken = await new Promise<string | null>((resolve) => {
    let ended = 0
    for (let index = 0; index < THREADS; index += 1) {
      const worker = new Worker(new URL(import.meta.url), { workerData: { first: FIRST + index, every: THREADS } })
      worker.on("message", (said: Said) => {
        if (total.runs % 1_000 >= 1_000 - said.runs) console.log(`${total.runs} runs`)
        total.runs += said.runs
        total.acts += said.acts
        total.deaths += said.deaths
        if (said.broken !== null) resolve(said.broken)
      })
      worker.on("error", (error) => resolve(String(error)))
      worker.on("exit", () => {
        ended += 1
        if (ended === THREADS) resolve(null)
      })
    }
  })
  const seconds = (performance.now() - since) / 1000
  if (broken !== null) {
    console.error(broken)
    process.exit(1)
  }
  const figures = [total.runs, total.acts, total.deaths].map((figure) => figure.toLocaleString("en"))
  console.log(`${figures[0]} runs, ${figures[1]} steps, ${figures[2]} deaths: nothing broke (${n(seconds)} s)`)
  const table = [
    row(["runs", "steps", "deaths of hosts", "broken", "seconds", "threads"]),
    row(["---:", "---:", "---:", "---:", "---:", "---:"]),
    row([...figures, "0", n(seconds), String(THREADS)])
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

await (isMainThread ? main() : runShare(workerData as Share))
