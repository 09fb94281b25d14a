/**
 * `npm run bench -- train`: trains the readers of replies anew, and writes their weights into the domain. With
 * `TRAIN=intents`, `requests` or `nets` it trains one of them. The nets are learnt with PyTorch, which Debian has as `python3-torch`.
 */
import { digestOf, examplesOf, fileOf, learn } from "@outbound/testkit/reading/Learning.js"
import { NET_SEEDS, netFileOf, readNet, writeLessons } from "@outbound/testkit/reading/Nets.js"
import { learnRequests, requestExamplesOf, requestFileOf } from "@outbound/testkit/reading/Requests.js"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../../..")
const docs = join(root, "docs")
const LEARN_NETS = join(root, "packages/testkit/scripts/python/nets.py")
const into = join(root, "packages/domain/src/outreach/meaning/model")

const only = process.env["TRAIN"]
const isMeant = (name: string): boolean => only === undefined || only === name

if (isMeant("intents")) {
  const examples = examplesOf(docs)
  const digest = digestOf(examples)
  console.log(`Learning intents from ${examples.length} texts (${digest})`)
  writeFileSync(join(into, "weights.ts"), fileOf(learn(examples), digest))
}

const requests = only === "intents" ? [] : requestExamplesOf(docs)
const digestOfRequests = digestOf(requests)
if (isMeant("requests")) {
  console.log(`Learning requests to stop from ${requests.length} texts (${digestOfRequests})`)
  writeFileSync(join(into, "requestWeights.ts"), requestFileOf(learnRequests(requests), digestOfRequests))
}
if (isMeant("nets")) {
  console.log(`Learning nets from ${requests.length} texts (${digestOfRequests})`)
  const folder = mkdtempSync(join(tmpdir(), "outbound-nets-"))
  writeLessons(requests, folder)
  await Promise.all(
    NET_SEEDS.map(async (seed) => {
      const learning = spawn("/usr/bin/python3", [LEARN_NETS, folder, String(seed)], { stdio: "inherit" })
      const [code] = await once(learning, "exit")
      if (code !== 0) throw new Error(`The net ${seed} was not learnt. It needs PyTorch: apt-get install python3-torch`)
    })
  )
  const nets = NET_SEEDS.map((seed) => readNet(folder, seed))
  writeFileSync(join(into, "netWeights.ts"), netFileOf(nets, digestOfRequests))
  rmSync(folder, { recursive: true })
}
