import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"

const PACKAGES = fileURLToPath(new URL("../../..", import.meta.url))

const vite = createRequire(createRequire(import.meta.url).resolve("vitest/package.json")).resolve("vite")

const RUN = `
import { runnerImport } from ${JSON.stringify(pathToFileURL(vite).href)}
const alias = [{ find: /^@outbound\\/([^/]+)\\/(.*)\\.js$/, replacement: ${JSON.stringify(`${PACKAGES}$1/src/$2`)} }]
await runnerImport(process.argv[1], { resolve: { alias } })
`

/** What Node is to be given to run a file from the sources, as the tests themselves are run. */
export const fromSources = (script: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  "--input-type=module",
  "--eval",
  RUN,
  script,
  ...args
]
