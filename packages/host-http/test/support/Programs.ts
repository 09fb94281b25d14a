import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** A program that runs beside a test, with what it prints. */
export class Running {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly said: Array<string> = []
  private readonly waiting = new Set<() => void>()
  private nextId = 0

  /** `script`: a program of Node's. The environment holds what is given, and no browser. */
  constructor(script: string, args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) {
    const env = { PATH: "/nowhere", HOME: process.env["HOME"] ?? "", ...environment }
    this.child = spawn(process.execPath, [script, ...args], { env, stdio: "pipe" })
    for (const stream of [this.child.stdout, this.child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        this.said.push(line)
        for (const look of this.waiting) look()
      })
    }
    this.child.on("exit", () => {
      for (const look of this.waiting) look()
    })
  }

  /** The first line that `find` finds something in; fails if the program ends before it. */
  find<A>(find: (line: string) => A | undefined): Promise<A> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        for (const line of this.said) {
          const found = find(line)
          if (found === undefined) continue
          this.waiting.delete(look)
          return resolve(found)
        }
        if (this.child.exitCode === null && this.child.signalCode === null) return
        this.waiting.delete(look)
        reject(new Error(`the program ended:\n${this.said.join("\n")}`))
      }
      this.waiting.add(look)
      look()
    })
  }

  /** A request as a line, and the answer's result. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  ask(method: string, params: unknown): Promise<any> {
    const id = ++this.nextId
    this.tell({ jsonrpc: "2.0", id, method, params })
    return this.find((line) => {
      if (!line.startsWith("{")) return undefined
      const message = JSON.parse(line) as { readonly id?: number; readonly result?: unknown; readonly error?: unknown }
      return message.id === id ? (message.result ?? message.error) : undefined
    })
  }

  tell(message: unknown): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve()
    return new Promise((resolve) => {
      this.child.once("close", () => resolve())
      this.child.kill()
    })
  }
}
