/** Runs the operator's program for what an agent can't do: list workspaces, create keys, grant credits, make sign-in links. */
import { type ChildProcess, spawn } from "node:child_process"
import { createRequire } from "node:module"
import { Foreseen } from "./Foreseen.js"

/** The operator's program, as it is installed beside us. */
const PROGRAM = createRequire(import.meta.url).resolve("@outbound/host-http/main.js")

export class OperatorFailed extends Foreseen {
  constructor(
    message: string,
    /** What it printed, such as the result that made it fail. */
    readonly out = ""
  ) {
    super(message)
  }
}

export const shown = (args: ReadonlyArray<string>): string => `outbound ${args.join(" ")}`

export interface OperatorOptions {
  /** Default: our own. */
  readonly environment?: NodeJS.ProcessEnv
  /** Called with each line of progress. */
  readonly onProgress?: (line: string) => void
  /** Ends it. */
  readonly signal?: AbortSignal
}

/** Starts `outbound …`. */
export const startProgram = (
  args: ReadonlyArray<string>,
  { environment = process.env, signal }: OperatorOptions = {}
): ChildProcess =>
  spawn(process.execPath, [PROGRAM, ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal === undefined ? {} : { signal })
  })

/** Runs `outbound … --json` and returns its object. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is documented by its name
export const operator = (args: ReadonlyArray<string>, options: OperatorOptions = {}): Promise<any> =>
  new Promise((resolve, reject) => {
    const child = startProgram([...args, "--json"], options)
    let out = ""
    let complaint = ""
    let begun = ""
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint += text
      const lines = (begun + text).split("\n")
      begun = lines.pop() ?? ""
      for (const line of lines) options.onProgress?.(line)
    })
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0
        ? resolve(JSON.parse(out))
        : reject(new OperatorFailed(`${shown(args)} failed:\n${complaint.trim() || `exit code ${code}`}`, out))
    )
  })
