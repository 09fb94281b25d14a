/** The operator's program, for what an agent can't do: find the workspace, make a key, grant credits, let a human in. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Foreseen } from "./Foreseen.js"

const PROGRAM = "packages/host-http/bin/outbound.mjs"

const rootAbove = (folder: string): string => {
  if (existsSync(join(folder, PROGRAM))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`${PROGRAM} was not found`)
  return rootAbove(parent)
}

export class OperatorFailed extends Foreseen {}

export const shown = (args: ReadonlyArray<string>): string => `npx outbound ${args.join(" ")}`

/** Runs `outbound … --json` with our environment and answers its object. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is documented by its name
export const operator = (args: ReadonlyArray<string>): Promise<any> =>
  new Promise((resolve, reject) => {
    const program = join(rootAbove(dirname(fileURLToPath(import.meta.url))), PROGRAM)
    const child = spawn(process.execPath, [program, ...args, "--json"], { stdio: ["ignore", "pipe", "pipe"] })
    let out = ""
    let complaint = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text))
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0
        ? resolve(JSON.parse(out))
        : reject(new OperatorFailed(`${shown(args)} failed:\n${complaint.trim() || `exit code ${code}`}`))
    )
  })
