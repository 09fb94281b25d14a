/**
 * One PostgreSQL server for a whole run of the tests: that of `DATABASE_URL`, whose role must be allowed to create
 * databases, or else an embedded one in a temporary directory. Tests take databases of their own from it
 * (`TestDatabase.ts`).
 */
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { Effect, Exit, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdtempSync, readdirSync, statfsSync, statSync } from "node:fs"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "../../src/postgres/embedded/EmbeddedPostgres.js"
import { ownerOf } from "../../src/postgres/embedded/Ownership.js"
import { processesOn } from "../../src/postgres/embedded/Processes.js"
import { migrate } from "../../src/postgres/Migrations.js"
import { layer as pool } from "../../src/postgres/PgPool.js"
import { killAll } from "./processes.js"
import { databaseAt, runOn } from "./runOn.js"

export interface ServerOfRun {
  /** Of a role that may create databases. */
  readonly url: string
  /** The name of a database with every migration and no rows, to be copied: migrating takes many times as long. */
  readonly template: string
  readonly close: () => Promise<void>
}

const PREFIX = "outbound-test-"

/** Memory as a directory, on Linux. */
const MEMORY = "/dev/shm"

/** All databases of a run take 2 GB at most; with less than this to spare they are kept on disk. */
const MEMORY_BYTES_MIN = 8 * 1024 ** 3

/** Where the server keeps its files. It waits for the disk at each commit, of which a run has very many. */
const place = (): string => {
  if (!existsSync(MEMORY) || freemem() < MEMORY_BYTES_MIN) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize < MEMORY_BYTES_MIN ? tmpdir() : MEMORY
}

/** A run that began this recently may not have claimed its directory yet. */
const FRESH_MS = 60_000

/** What killed runs left behind: their servers and directories. */
const sweep = (parent: string): void => {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(PREFIX))) {
    const directory = join(parent, name)
    const stat = statSync(directory, { throwIfNoEntry: false })
    if (stat === undefined || stat.uid !== process.getuid?.() || Date.now() - stat.mtimeMs < FRESH_MS) continue
    const home = join(directory, "postgres")
    if (existsSync(home) && ownerOf(home) !== undefined) continue
    killAll(processesOn(join(home, "cluster")))
    removeDirectory(directory)
  }
}

const makeTemplate = async (url: string): Promise<string> => {
  const template = `outbound_template_${randomBytes(8).toString("hex")}`
  await runOn(url, `CREATE DATABASE ${template}`)
  const connections = pool({
    url: Redacted.make(databaseAt(url, template)),
    applicationName: "template",
    connectionsMax: 2
  })
  await Effect.runPromise(Effect.provide(migrate(), connections))
  return template
}

/** Sweeps up after killed runs, and starts the server. */
export const startServer = async (): Promise<ServerOfRun> => {
  const given = process.env["DATABASE_URL"]
  if (given !== undefined && given !== "") {
    const template = await makeTemplate(given)
    return { url: given, template, close: () => runOn(given, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`) }
  }
  for (const parent of [MEMORY, tmpdir()]) if (existsSync(parent)) sweep(parent)
  const dataDir = mkdtempSync(join(place(), PREFIX))
  // As root the server runs as another account, which must be able to walk here.
  chmodSync(dataDir, 0o711)
  const scope = await Effect.runPromise(Scope.make())
  const close = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    removeDirectory(dataDir)
  }
  try {
    const { url } = await Effect.runPromise(start({ dataDir, log: () => Effect.void }).pipe(Scope.provide(scope)))
    return { url, template: await makeTemplate(url), close }
  } catch (error) {
    await close()
    throw error
  }
}
