/** A service as people run it, in a folder of its own, and its commands. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const OUTBOUND = join(import.meta.dirname, "../../../../outbound/bin/outbound.mjs")

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

export interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Service {
  readonly url: string
  readonly folder: string
  /** A key of the sandbox that it begins with. */
  readonly key: string
  readonly command: (...args: ReadonlyArray<string>) => Promise<Said>
}

/** `providers`: what its live workspaces have, the file of the operator. */
export const withService = async <A>(use: (service: Service) => Promise<A>, providers?: object): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "outbound-cases-"))
  // The database runs under an account of its own where we are root.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const file = join(folder, "providers.json")
  if (providers !== undefined) writeFileSync(file, JSON.stringify(providers))
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OUTBOUND_"))),
    OUTBOUND_DATA_DIR: join(folder, "data"),
    OUTBOUND_PORT: String(port),
    OUTBOUND_WORKERS: "1",
    ...(providers === undefined ? {} : { OUTBOUND_PROVIDERS: file, UPSTREAM_KEY: "a-secret-of-the-operator" })
  }
  const start = (args: ReadonlyArray<string>): ChildProcess =>
    spawn(process.execPath, [OUTBOUND, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
  const command: Service["command"] = async (...args) => {
    const child = start(args)
    let [out, err] = ["", ""]
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text))
    const [code] = (await once(child, "close")) as [number | null]
    return { code, out, err }
  }
  const service = start(["serve"])
  const ended = once(service, "exit")
  try {
    const said = await new Promise<string>((resolve, reject) => {
      let text = ""
      const hear = (piece: string) => {
        text += piece
        if (text.includes("outbound is ready at")) resolve(text)
      }
      service.stdout?.setEncoding("utf8").on("data", hear)
      service.stderr?.setEncoding("utf8").on("data", hear)
      void ended.then(() => reject(new Error(`The service ended before it was ready: ${text}`)))
    })
    const key = /svc_key_[\w-]+/.exec(said)?.[0] ?? ""
    return await use({ url: `http://localhost:${port}`, folder, key, command })
  } finally {
    service.kill("SIGTERM")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}
