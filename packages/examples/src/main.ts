/** `node packages/examples/dist/src/main.js <name>`: runs one of the examples, and ends. */
import { Effect } from "effect"
import { embedded } from "./embedded.js"
import { inATest } from "./inATest.js"
import { overHttp, type Place } from "./overHttp.js"
import { tools } from "./tools.js"

/** The service of `npm start`, unless said otherwise. */
const place = (): Place => {
  const apiKey = process.env["OUTBOUND_API_KEY"]
  if (apiKey === undefined) throw new Error("Set OUTBOUND_API_KEY to an API key; npm start prints one.")
  return { url: process.env["OUTBOUND_URL"] ?? "http://localhost:8080", apiKey }
}

const examples: Readonly<Record<string, () => Promise<ReadonlyArray<string>>>> = {
  embedded: () => Effect.runPromise(embedded),
  http: () => overHttp(place()),
  mcp: () => tools(place()),
  test: () => Effect.runPromise(inATest)
}

const [name = ""] = process.argv.slice(2)
const example = Object.hasOwn(examples, name) ? examples[name] : undefined
try {
  if (example === undefined) throw new Error(`Name an example: ${Object.keys(examples).join(", ")}.`)
  for (const line of await example()) process.stdout.write(`${line}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
