/**
 * `npm run bench -- train`: trains the readers of replies anew, and writes their weights into the domain. With
 * `TRAIN=intents`, `requests` or `nets` it trains one of them.
 */
import { digestOf, examplesOf, fileOf, learn } from "@outbound/testkit/reading/Learning.js"
import { learnNets, netFileOf } from "@outbound/testkit/reading/Nets.js"
import { learnRequests, requestExamplesOf, requestFileOf } from "@outbound/testkit/reading/Requests.js"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../../..")
const docs = join(root, "docs")
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
  writeFileSync(join(into, "netWeights.ts"), netFileOf(learnNets(requests), digestOfRequests))
}
