/** Connects clients that start local programs to a hosted service, over standard input and output. */
import { bridge } from "./stdio/Bridge.js"
import { readArguments, USAGE, UsageError } from "./stdio/Arguments.js"

const run = async (): Promise<number> => {
  try {
    const read = readArguments(process.argv.slice(2), process.env)
    if (read === null) {
      process.stdout.write(USAGE)
      return 0
    }
    await bridge({ ...read, input: process.stdin, output: process.stdout })
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`)
    return error instanceof UsageError ? 2 : 1
  }
}

// The client has left.
process.stdout.on("error", () => process.exit(0))
process.exitCode = await run()
