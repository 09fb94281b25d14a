import { Human } from "@outbound/examples/loop/Human.js"
import { readFileSync } from "node:fs"
import { delimiter, dirname } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { Home, OUTBOUND, shownKey, until } from "./support/Program.js"
import { Shell } from "./support/Shell.js"
import { differences, type Step, stepsOf } from "./support/Walkthrough.js"

const TUTORIAL = new URL("../../../docs/tutorial.md", import.meta.url)
const REPEAT_MILLIS_MAX = 60_000
/** The least that the page is made of; fewer would mean that its marks are not read. */
const COMMANDS_LEAST = 20
const APPROVALS = 2

let home: Home
let shell: Shell
let human: Human

beforeAll(async () => {
  home = await Home.make()
  const key = shownKey(await home.serve())
  shell = new Shell(home.folder, {
    ...process.env,
    PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    DATABASE_URL: "",
    OUTBOUND_DATA_DIR: home.dataDir,
    OUTBOUND_PORT: String(home.port),
    OUTBOUND_URL: home.url,
    OUTBOUND_KEY: key
  })
  // The command, as a checkout has it.
  await shell.run(`outbound() { node '${OUTBOUND}' "$@"; }`)
  human = new Human()
  const { url } = await home.json("sign-in-link", "--email", "owner@outbound.test")
  await human.signIn(url)
})

afterAll(async () => {
  shell.close()
  await home.close()
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const follow = async (step: Step): Promise<void> => {
  if (step.kind === "approve") return human.approve((await shell.run(`printf %s "${step.address}"`)).out)
  const { isRepeated, line, script, shown } = step
  const attempt = async (): Promise<ReadonlyArray<string>> => {
    const { code, err, out } = await shell.run(script)
    assert.strictEqual(code, 0, `the command of line ${line} failed: ${err}`)
    return shown === undefined ? [] : differences(shown, parsed(out))
  }
  const wrong = isRepeated ? await until(attempt, ({ length }) => length === 0, REPEAT_MILLIS_MAX) : await attempt()
  assert.deepStrictEqual(wrong, [], `line ${line}`)
}

it("the tutorial's commands, one after the other, answer what it shows", { timeout: 300_000 }, async () => {
  const steps = stepsOf(readFileSync(TUTORIAL, "utf8"))
  assert.isAtLeast(steps.filter(({ kind }) => kind === "command").length, COMMANDS_LEAST)
  assert.lengthOf(
    steps.filter(({ kind }) => kind === "approve"),
    APPROVALS
  )
  for (const step of steps) await follow(step)
  assert.deepInclude(await home.json("check"), { ok: true, breaches: [] })
})
