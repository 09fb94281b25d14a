/**
 * One PostgreSQL server for a whole run of the tests: that of `DATABASE_URL`, whose role must be allowed to create
 * databases, or else an embedded one in a temporary directory. Tests take databases of their own from it
 * (`TestDatabase.ts`).
 */
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { Effect, Exit, Scope } from "effect"
import { chmodSync, existsSync, mkdtempSync, readdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { start } from "../../src/postgres/embedded/EmbeddedPostgres.js"
import { ownerOf } from "../../src/postgres/embedded/Ownership.js"
import { processesOn } from "../../src/postgres/embedded/Processes.js"
import { killAll } from "./processes.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Of a role that may create databases. */
    readonly databaseUrl: string
  }
}

const PREFIX = "outbound-test-"

/** A run that began this recently may not have claimed its directory yet. */
const FRESH_MS = 60_000

/** What killed runs left behind: their servers and directories. */
const sweep = (): void => {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX))) {
    const directory = join(tmpdir(), name)
    const stat = statSync(directory, { throwIfNoEntry: false })
    if (stat === undefined || stat.uid !== process.getuid?.() || Date.now() - stat.mtimeMs < FRESH_MS) continue
    const home = join(directory, "postgres")
    if (existsSync(home) && ownerOf(home) !== undefined) continue
    killAll(processesOn(join(home, "cluster")))
    removeDirectory(directory)
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["DATABASE_URL"]
  if (given !== undefined && given !== "") {
    project.provide("databaseUrl", given)
    return async () => {}
  }
  sweep()
  const dataDir = mkdtempSync(join(tmpdir(), PREFIX))
  // As root the server runs as another account, which must be able to walk here.
  chmodSync(dataDir, 0o711)
  const scope = await Effect.runPromise(Scope.make())
  const close = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    removeDirectory(dataDir)
  }
  try {
    const { url } = await Effect.runPromise(start({ dataDir, log: () => Effect.void }).pipe(Scope.extend(scope)))
    project.provide("databaseUrl", url)
  } catch (error) {
    await close()
    throw error
  }
  return close
}
