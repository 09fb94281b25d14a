/**
 * The PostgreSQL server of a test run, started for the first test file that asks: a client that connects to the socket
 * named here gets its address and its template. It imports only Node's own modules, so a run without a database waits
 * for nothing.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import type { ServerOfRun } from "./serverOfRun.js"

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the socket that `serverUrl` asks. */
    readonly databaseSocket: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Only its owner may enter, and so be told the password.
  const directory = mkdtempSync(join(tmpdir(), "outbound-ask-"))
  let started: Promise<ServerOfRun> | undefined
  const answer = async (): Promise<string> => {
    started ??= import("./serverOfRun.js").then(({ startServer }) => startServer())
    return JSON.stringify(
      await started.then(
        ({ template, url }) => ({ template, url }),
        (error: unknown) => ({ failure: String(error) })
      )
    )
  }
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy())
    void answer().then((text) => socket.end(text))
  })
  const path = join(directory, "database.sock")
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve))
  project.provide("databaseSocket", path)
  return async () => {
    server.close()
    rmSync(directory, { recursive: true, force: true })
    await started?.then(
      ({ close }) => close(),
      () => undefined
    )
  }
}
