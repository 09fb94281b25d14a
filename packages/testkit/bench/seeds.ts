/** Runs that are each decided by a seed, on every core. `FIRST` and `SEEDS` are the first and the last, `THREADS` how many cores work. */
import { availableParallelism } from "node:os"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"

/** Runs that a thread does before it says so. */
const BATCH = 50

/** What one run did, by name, and what broke as a person reads it; null: nothing. */
export interface SeedRun {
  readonly counts: Readonly<Record<string, number>>
  readonly broken: string | null
}

export interface Totals {
  readonly runs: number
  readonly counts: Readonly<Record<string, number>>
  readonly seconds: number
  readonly threads: number
}

interface Said {
  runs: number
  counts: Record<string, number>
  broken: string | null
}

const add = (into: Said, { broken, counts, runs }: SeedRun & { readonly runs: number }): void => {
  into.runs += runs
  for (const [name, count] of Object.entries(counts)) into.counts[name] = (into.counts[name] ?? 0) + count
  into.broken ??= broken
}

const nothing = (): Said => ({ runs: 0, counts: {}, broken: null })

const runShare = async (run: (seed: number) => Promise<SeedRun>): Promise<void> => {
  const { every, first, last } = workerData as { readonly every: number; readonly first: number; readonly last: number }
  let said = nothing()
  for (let seed = first; seed <= last && said.broken === null; seed += every) {
    add(said, { ...(await run(seed)), runs: 1 })
    if (said.runs === BATCH || said.broken !== null) {
      parentPort?.postMessage(said)
      said = nothing()
    }
  }
  parentPort?.postMessage(said)
}

/**
 * To be called by the bench's own file, in each of its threads. The first run that breaks something is printed, and ends
 * the bench. `tell` gets the totals of all.
 */
export const runSeeds = async (
  file: string,
  seeds: number,
  run: (seed: number) => Promise<SeedRun>,
  tell: (totals: Totals) => void
): Promise<void> => {
  if (!isMainThread) return await runShare(run)
  const first = Number(process.env.FIRST ?? 1)
  const last = Number(process.env.SEEDS ?? seeds)
  const threads = Number(process.env.THREADS ?? availableParallelism())
  const since = performance.now()
  const total = nothing()
  await new Promise<void>((resolve) => {
    let ended = 0
    for (let index = 0; index < threads; index += 1) {
      const worker = new Worker(new URL(file), { workerData: { first: first + index, every: threads, last } })
      worker.on("message", (said: Said) => {
        if (total.runs % 1_000 >= 1_000 - said.runs) console.log(`${total.runs} runs`)
        add(total, said)
        if (said.broken !== null) resolve()
      })
      worker.on("error", (error) => {
        total.broken ??= String(error)
        resolve()
      })
      worker.on("exit", () => {
        ended += 1
        if (ended === threads) resolve()
      })
    }
  })
  if (total.broken !== null) {
    console.error(total.broken)
    process.exit(1)
  }
  tell({ ...total, seconds: (performance.now() - since) / 1000, threads })
}
