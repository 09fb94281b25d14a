/** `npm run bench -- train`: trains the model of replies anew, and writes its weights into the domain. */
import { digestOf, examplesOf, fileOf, learn } from "@outbound/testkit/reading/Learning.js"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../../..")
const examples = examplesOf(join(root, "docs"))
const digest = digestOf(examples)
console.log(`Learning from ${examples.length} texts (${digest})`)
writeFileSync(join(root, "packages/domain/src/outreach/meaning/model/weights.ts"), fileOf(learn(examples), digest))
