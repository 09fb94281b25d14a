import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { copied, packages, typesOf } from "./copied.js"
import { testsOf, withoutAny } from "./deleting.js"

const run = promisify(execFile)

/** All that there is, on a machine that has much else to do. */
const MILLIS_MAX = 900_000

/**
 * Stories of the whole loop and every page and form of the console, of those that need no database and no port that is chosen
 * before: 45 s of a processor. `npm run withoutWings` runs all that are of memory.
 */
const TOLD = [
  "packages/host-http/test/consoleAccess.test.ts",
  "packages/host-http/test/consoleAlerts.test.ts",
  "packages/host-http/test/consoleManaging.test.ts",
  "packages/host-http/test/consoleZone.test.ts",
  "packages/testkit/test/outreach/dispatcher.test.ts",
  "packages/testkit/test/service/isolation.test.ts",
  "packages/testkit/test/service/kill.test.ts",
  "packages/testkit/test/service/loop.test.ts",
  "packages/testkit/test/service/order.test.ts",
  "packages/testkit/test/service/ownSending.test.ts",
  "packages/testkit/test/service/workers.test.ts"
]

/**
 * One look at the types of what is left without any shows it for each: nothing but the lists imports a wing or a vendor, and
 * none imports another (`npm run check`), so what is left asks for nothing of one that is gone, however many others stay.
 */
describe("wings and vendors can be deleted", () => {
  const projects = packages.filter((name) => name !== "outbound").map((name) => join("packages", name))
  let root: string

  // The whole is what was built; after that the compiler looks at what knew them.
  beforeAll(async () => {
    root = await copied()
    assert.strictEqual(await typesOf(root, projects), "")
  }, MILLIS_MAX)
  afterAll(() => rm(root, { recursive: true, force: true }))

  it(
    "without their folders and their lines, everything else builds",
    async () => {
      await withoutAny(root)
      assert.strictEqual(await typesOf(root, projects), "")
    },
    MILLIS_MAX
  )

  it(
    "and does what it did",
    async () => {
      const { args, program } = await testsOf(root, TOLD)
      const { stdout } = await run(program, args, {
        cwd: root,
        env: { ...process.env, NO_COLOR: "1" },
        maxBuffer: 1 << 26
      }).catch((failed: { readonly stdout: string }) => failed)
      assert.match(stdout, new RegExp(`Test Files +${TOLD.length} passed`), stdout)
    },
    MILLIS_MAX
  )
})
