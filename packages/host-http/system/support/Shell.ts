import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"

/** Longer than the longest of them takes beside other tests on two slow cores. */
const COMMAND_MILLIS_MAX = 180_000

export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A shell that keeps its variables and functions from one command to the next, as a reader's terminal does. */
export class Shell {
  private out = ""
  private err = ""
  private readonly child: ChildProcess
  private readonly mark = `end-${randomBytes(8).toString("hex")}`

  constructor(cwd: string, env: Readonly<Record<string, string | undefined>>) {
    this.child = spawn("sh", [], { cwd, env, stdio: ["pipe", "pipe", "pipe"] })
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.out += text))
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.err += text))
  }

  /** Runs a command to its end. */
  run(script: string): Promise<Said> {
    this.out = ""
    this.err = ""
    return new Promise((resolve, reject) => {
      const stdout = this.child.stdout
      const stop = () => {
        clearTimeout(timer)
        stdout?.off("data", look)
        this.child.off("close", fail)
      }
      const fail = () => {
        stop()
        reject(new Error(`the shell did not come to the end of:\n${script}\n${this.out}\n${this.err}`))
      }
      const look = () => {
        const end = new RegExp(`${this.mark} (\\d+)\\n`).exec(this.out)
        if (end === null) return
        stop()
        resolve({ code: Number(end[1]), out: this.out.slice(0, end.index), err: this.err })
      }
      const timer = setTimeout(fail, COMMAND_MILLIS_MAX)
      stdout?.on("data", look)
      this.child.on("close", fail)
      this.child.stdin?.write(`${script}\nprintf '%s %s\\n' ${this.mark} $?\n`)
    })
  }

  close(): void {
    this.child.kill("SIGKILL")
  }
}
