/** `npm run bench -- train`: trains both models of replies anew, and writes their weights into the domain. */
import { digestOf, examplesOf, fileOf, learn } from "@outbound/testkit/reading/Learning.js"
import { learnRequests, requestExamplesOf, requestFileOf } from "@outbound/testkit/reading/Requests.js"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../../..")
const docs = join(root, "docs")
const into = join(root, "packages/domain/src/outreach/meaning/model")

const examples = examplesOf(docs)
const digest = digestOf(examples)
console.log(`Learning intents from ${examples.length} texts (${digest})`)
writeFileSync(join(into, "weights.ts"), fileOf(learn(examples), digest))

const requests = requestExamplesOf(docs)
const digestOfRequests = digestOf(requests)
console.log(`Learning requests to stop from ${requests.length} texts (${digestOfRequests})`)
writeFileSync(join(into, "requestWeights.ts"), requestFileOf(learnRequests(requests), digestOfRequests))
