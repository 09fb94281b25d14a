import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, it } from "vitest"
import { Home, root, runningIn, shownKey } from "./support/Program.js"

/** Far less than any connection is kept open for. */
const ENDS_MILLIS_MAX = 3_000

let home: Home
let key: string

beforeAll(async () => {
  home = await Home.make()
  key = shownKey(await home.serve())
})
afterAll(() => home.close())

const CONNECT = pathToFileURL(join(root, "packages/client/dist/src/connect.js")).href

const program = (body: string) =>
  runningIn(home.folder, process.execPath, [
    "--input-type=module",
    "-e",
    `import { connect } from "${CONNECT}"
const options = { url: "${home.url}", apiKey: "${key}" }
${body}`
  ])

it("a program ends when its work is done, though it never closed its client", async () => {
  const running = program(`
const outbound = await connect(options)
const { svc } = await outbound.get_usage()
console.log("answered", svc.credits_available)
const since = performance.now()
process.on("exit", () => console.log("lingered", Math.round(performance.now() - since)))`)
  const { code, err, out } = await running.ended
  assert.strictEqual(code, 0, err)
  assert.match(out, /^answered 300$/m)
  assert.isBelow(Number(/^lingered (\d+)$/m.exec(out)?.[1]), ENDS_MILLIS_MAX)
})

it("`await using` closes it", async () => {
  const { code, err, out } = await program(`
{
  await using outbound = await connect(options)
  console.log((await outbound.verify_email({ email: "valid@magic.test" })).result.status)
}
console.log("closed")`).ended
  assert.strictEqual(code, 0, err)
  assert.strictEqual(out, "valid\nclosed\n")
})
