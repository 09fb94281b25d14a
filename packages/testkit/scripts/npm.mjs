/** Running npm, and what it says when it fails. */
import { Failure, run, runNode } from "./host.mjs"

const OUTPUT_LINES_MAX = 30

/** Runs npm, and answers its exit code and what it said. */
export const npm = async (args, options = {}) => {
  const script = process.env.npm_execpath
  try {
    if (script?.endsWith(".js")) return await runNode(script, args, { ...options, capture: true })
    return await run(process.platform === "win32" ? "npm.cmd" : "npm", args, { ...options, capture: true })
  } catch (error) {
    throw new Failure(`npm can't be started: ${error.message}`, "Put npm, which comes with Node, on the PATH.")
  }
}

/** What npm says went wrong, without its warnings and its manual. */
export const complaint = (output) => {
  const lines = output.split("\n").filter((line) => line.startsWith("npm error"))
  const manual = lines.findIndex((line) => line.startsWith("npm error Clean install a project"))
  return lines.slice(0, manual === -1 ? OUTPUT_LINES_MAX : Math.min(manual, OUTPUT_LINES_MAX)).join("\n")
}
