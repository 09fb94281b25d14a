/** `npm run bench`: every bench after the other, or those that are named, each in a process of its own and bounded in time. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { type Bench, WING_BENCHES } from "./wings/benches.js"

const BENCHES: Readonly<Record<string, Bench>> = {
  ...WING_BENCHES,
  verify: { what: "verify_email by REST, beside one transaction per call", script: "verifyEmail.js", minutesMax: 10 },
  restart: { what: "a start after a crash under load", script: "restart.js", minutesMax: 5 },
  chat: { what: "llm/chat, beside the bare upstream", script: "chat.js", minutesMax: 10 },
  workers: { what: "verify_email through 1, 2 and 4 workers, and two hosts", script: "workers.js", minutesMax: 10 },
  mcp: { what: "tools/call, beside a bare tool", script: "mcp.js", minutesMax: 10 },
  approvals: {
    what: "the page of a launch of 5,000 people, beside that of one",
    script: "approvals.js",
    minutesMax: 10
  },
  campaigns: { what: "5,000 people, beside COPY and a bare look-up", script: "campaigns.js", minutesMax: 20 },
  directory: { what: "10 million people, and an import beside COPY", script: "directory.js", minutesMax: 20 },
  "approvals-model": {
    what: "every state of the model of approvals and claims",
    script: "approvalsModel.js",
    minutesMax: 20
  },
  reading: {
    what: "replies as we read them, beside two people's labels, and what is kept and taken for what",
    script: "reading.js",
    minutesMax: 10
  },
  cases: {
    what: "messages, files and requests that others describe, from a folder",
    script: "cases.js",
    minutesMax: 15
  },
  bounces: { what: "others' bounces and complaints, from two checkouts", script: "bounces.js", minutesMax: 2 },
  simulation: { what: "SEEDS runs of the whole service, by chance", script: "simulation.js", minutesMax: 600 },
  claim: { what: "a claim of an own mailbox, beside the fold that it was", script: "claim.js", minutesMax: 20 },
  mailboxes: {
    what: "1,000 own mailboxes on one host and on two; 10,000 with BENCH_MAILBOXES=10000",
    script: "mailboxes.js",
    minutesMax: 20
  },
  foreseen: { what: "1,000 campaigns beside their forecasts", script: "foreseen.js", minutesMax: 200 },
  hostile: { what: "SEEDS campaigns whose recipients attack", script: "hostile.js", minutesMax: 600 },
  reputation: { what: "1,000 worlds of receivers with hidden rules", script: "reputation.js", minutesMax: 60 },
  silence: { what: "the most that any rule can know of mail filed as junk", script: "silence.js", minutesMax: 1 },
  train: { what: "the models that read replies, learnt anew", script: "train.js", minutesMax: 60 },
  transactions: {
    what: "BEGIN with the first statement, beside one that is waited for",
    script: "transactions.js",
    minutesMax: 5
  },
  trail: { what: "pages of the trail, beside OFFSET", script: "trail.js", minutesMax: 30 },
  reads: { what: "verbs and pages that read a million leads and events", script: "reads.js", minutesMax: 15 },
  paths: {
    what: "from nothing to a first call, to tools and to a test, as newcomers go",
    script: "paths.js",
    minutesMax: 10
  },
  ready: {
    what: "from a clone of the last commit to ready, with npm's cache empty and filled",
    script: "ready.js",
    minutesMax: 10
  },
  years: {
    what: "calls, the ledger and a check, with millions of calls of before",
    script: "years.js",
    minutesMax: 240
  }
}

/** How long a bench that is told to stop may take to put everything away. */
const STOP_MILLIS_MAX = 60_000

/** Some benches have a short form, which keeps nothing. */
const QUICK = "--quick"
const isQuick = process.argv.includes(QUICK)

const run = async (name: string, { minutesMax, script, what }: Bench): Promise<boolean> => {
  console.log(`${name}: ${what} (at most ${minutesMax} minutes)`)
  const how = isQuick ? QUICK : "--write"
  const child = spawn(process.execPath, ["--enable-source-maps", join(import.meta.dirname, script), how], {
    stdio: ["ignore", "inherit", "inherit"]
  })
  const stop = () => {
    child.kill("SIGTERM")
    setTimeout(() => child.kill("SIGKILL"), STOP_MILLIS_MAX).unref()
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop)
  const timer = setTimeout(stop, minutesMax * 60_000)
  const [code] = (await once(child, "close")) as [number | null]
  clearTimeout(timer)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, stop)
  if (code !== 0) console.error(`${name} did not come to its end; its section is as it was.`)
  return code === 0
}

/** What is run only where it is named: it writes sources, or needs folders. */
const ONLY_NAMED = new Set(["train", "bounces", "cases"])

const named = process.argv.slice(2).filter((argument) => argument !== "--" && argument !== QUICK)
const unknown = named.filter((name) => !(name in BENCHES))
if (isQuick && named.join() !== "reads") {
  console.error("Only reads has a quick form: npm run bench -- reads --quick")
  process.exit(2)
}
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length > 0 ? !named.includes(name) : ONLY_NAMED.has(name)) continue
  if (!(await run(name, bench))) {
    process.exitCode = 1
    break
  }
}
