/**
 * `npm run withoutWings`: runs the tests of a copy that has no wing and no vendor, those of memory and of rules, and says what
 * fails. `-- FILES` runs others.
 */
import { spawnSync } from "node:child_process"
import { rm } from "node:fs/promises"
import { copied } from "./copied.js"
import { testsOf, withoutAny } from "./deleting.js"

const root = await copied()
try {
  await withoutAny(root)
  const [, , ...given] = process.argv
  const { args, program } = await testsOf(root, given.length === 0 ? ["--project", "pure"] : given)
  process.exitCode = spawnSync(program, args, { cwd: root, stdio: "inherit" }).status ?? 1
} finally {
  await rm(root, { recursive: true, force: true })
}
