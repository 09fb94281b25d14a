import { Human } from "@outbound/examples/loop/Human.js"
import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, expect, it } from "vitest"
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { type Block, blocksOf, commandsOf } from "./support/Blocks.js"
import { call, Home, OUTBOUND, root, shownKey } from "./support/Program.js"
import { Shell } from "./support/Shell.js"
import { differences } from "./support/Walkthrough.js"

const DOCS = join(root, "docs")
/** Its last command stops the workspace. */
const LAST = "guides/control.md"
const PAGES = [
  "../README.md",
  "concepts.md",
  "operating.md",
  "providers.md",
  ...readdirSync(join(DOCS, "guides"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `guides/${name}`)
    .filter((page) => page !== LAST),
  LAST
]

const BLOCKS = PAGES.flatMap((page) => blocksOf(page, readFileSync(join(DOCS, page), "utf8")))

const csvOf = (head: string): string => BLOCKS.find(({ body }) => body.startsWith(head))?.body ?? ""

/** Commands that are not run here: what shows them instead, or why nothing can. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "npm start": "process.test.ts starts it",
  "npm run loop -- --approve": "process.test.ts runs it",
  "npm run loop -- --open": "loop.test.ts runs it",
  "npm run build": "these tests run on what it built",
  "npm run check": "it is run before these tests",
  "OUTBOUND_PROVIDERS=./providers.json outbound providers check":
    "it asks mail servers: loop.test.ts runs it on stand-ins",
  "OUTBOUND_PROVIDERS=./providers.json outbound start": "loop.test.ts serves one on stand-ins",
  "outbound sign-up-link": "sign-up is closed where nobody opened it: signUp.test.ts",
  "outbound restore": "it needs an empty database: backup.test.ts",
  "outbound workspace delete": "it needs a workspace that nobody needs: deleteWorkspace.test.ts",
  "outbound import acme.jsonl.gz": "it needs another installation: moving.test.ts",
  "outbound crm": "it needs a live workspace: commands/crm.test.ts",
  "outbound domain add": "it needs a live workspace: commands/domain.test.ts",
  "outbound mailbox add": "it needs a mail server: ownMail.test.ts",
  "outbound mailbox adopt": "it needs a sending vendor: instantly.test.ts, smartlead.test.ts",
  "outbound mailbox release": "it needs a sending vendor: instantly.test.ts, smartlead.test.ts",
  "outbound directory import --from": "it needs published files: test/wings/openDirectory/commands.test.ts",
  "npm run python": "python.test.ts makes it",
  "npm run pack": "packages.test.ts packs",
  "npm install": "packages.test.ts installs what was packed",
  "npx tsc -b packages/domain": "addAVerb.test.ts compiles the verb of that guide",
  "npm run vitest": "addAVerb.test.ts runs the tests of the verb of that guide",
  "npx openapi-typescript": "npx would fetch it from the registry",
  "node --test packages/examples/samples/inMemory.test.mjs": "the testkit's harness.test.ts runs it",
  "outbound serve --test-clock": "testClock.test.ts starts it",
  'curl -s "$OUTBOUND_URL/sandbox/clock': "testClock.test.ts runs it on a service that has one",
  balance: "a formula",
  reserved: "a formula",
  available: "a formula"
}

/** What the examples in TypeScript take as given. Null: not compiled here, because of what stands beside it. */
const GIVEN: Readonly<Record<string, string | null>> = {
  // An example verb, in parts.
  "guides/add-a-verb.md": null,
  "guides/budgets.md":
    "declare const post: (path: string, body: object) => Promise<any>\ndeclare const mySpend: number\n",
  "guides/chat.md": "",
  "guides/embedding.md": `import type { IncomingMessage, ServerResponse } from "node:http"
declare const approvalId: string
declare const show: (shown: unknown) => void
type Raw = { readonly raw: IncomingMessage }
type Reply = { readonly raw: ServerResponse; readonly hijack: () => void }
declare const express: { readonly json: () => () => void }
declare const app: {
  use(handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown): void
  addHook(name: "onRequest", hook: (request: Raw, reply: Reply, done: () => void) => void): void
}
`,
  "guides/mcp.md": "",
  "guides/typescript.md":
    "declare const apiKey: string\ndeclare const reply_id: string\ndeclare const operation_id: string\n",
  "guides/webhooks.md": "",
  // docs.test.ts compares it with a file that is compiled and run.
  "providers.md": null
}

/** One program in parts: packages.test.ts runs it. */
const IN_PARTS = ["guides/embedding.md"]

/** The reader's own files. Those of the directory stand on its page. */
const FILES: Readonly<Record<string, string>> = {
  "list.csv": "email\nann@acme.example\nbob@bolt.example\n",
  "people.csv": csvOf("name,title"),
  "companies.csv": csvOf("website,name")
}

/** Examples that other tests run. */
const SCRIPTS = ["guides/trail.md", "guides/testing.md", "guides/idempotency-and-retries.md"]

const pageOf = ({ place }: Pick<Block, "place">): string => place.replace(/:\d+$/, "")

const LOOP = join(root, "packages/examples/dist/src/loop/main.js")
const used = new Set<string>()

let home: Home
let shell: Shell | undefined
/** What the reader puts in place of what the pages leave open. */
let filledIn: Array<readonly [string | RegExp, string]>
let human: Human

beforeAll(async () => {
  home = await Home.make()
  const key = shownKey(await home.serve())
  human = new Human()
  await human.signIn((await home.json("sign-in-link", "--email", "owner@outbound.test")).url)
  // Buys the mailboxes without which nothing is launched, and leaves a campaign and its replies.
  const loop = await home.loop(["--approve"], { OUTBOUND_URL: home.url, OUTBOUND_API_KEY: key }).ended
  assert.strictEqual(loop.code, 0, loop.err)
  const [{ workspace_id: workspace }] = (await home.json("workspace", "list")).workspaces
  const create = ["key", "create", "--workspace", workspace, "--name"]
  const tightened = await home.json(...create, "tightened")
  const control = await home.json(...create, "control", "--scope", "control:manage")
  const body = {
    name: "The guides'",
    recipients: [{ email: "silent+guides@magic.test" }],
    sequence: [{ subject: "Hello", body: "Hi" }]
  }
  const draft = await call(home, key, "/v1/campaigns", body, { "idempotency-key": "draft" })
  assert.strictEqual(draft.status, 200, JSON.stringify(draft.body))
  for (const folder of ["packages", "node_modules"]) symlinkSync(join(root, folder), join(home.folder, folder))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(home.folder, name), text)
  shell = new Shell(home.folder, {
    ...process.env,
    PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    DATABASE_URL: "",
    INIT_CWD: undefined,
    OUTBOUND_DATA_DIR: home.dataDir,
    OUTBOUND_PORT: String(home.port),
    OUTBOUND_URL: home.url,
    OUTBOUND_KEY: key,
    OUTBOUND_API_KEY: key,
    CONTROL_KEY: control.api_key
  })
  // The command and npm, as a checkout has them.
  await shell.run(`outbound() { node '${OUTBOUND}' "$@"; }`)
  await shell.run(`npm() { shift 3; node '${LOOP}' "$@"; }`)
  filledIn = [
    ["--workspace ID", `--workspace ${workspace}`],
    ["REQUEST_ID", draft.body.svc.request_id],
    ["http://localhost:8080", home.url],
    ["<key_id>", tightened.key_id],
    ["OUTBOUND_API_KEY=… ", ""],
    ['"campaign_id": "…"', `"campaign_id": "${draft.body.result.campaign_id}"`],
    [/(^| )\/(backups|archive)\b/g, "$1$2"]
  ]
})

afterAll(async () => {
  shell?.close()
  await home.close()
})

const filled = (command: string): string =>
  filledIn.reduce((text, [from, to]) => text.replaceAll(from as string, to), command)

// oxlint-disable-next-line typescript/no-explicit-any -- the pages' own JSON
const parsed = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const elsewhere = (command: string): string | undefined =>
  Object.keys(ELSEWHERE).find((begin) => command.startsWith(begin))

/** Runs a command as its reader would. Returns what it answered. */
const run = async (place: string, command: string): Promise<unknown> => {
  const { code, err, out } = await (shell as Shell).run(filled(command))
  assert.strictEqual(code, 0, `${place}: ${command}\n${err}${out}`)
  const answer = parsed(out)
  assert.isUndefined(answer?.error, `${place}: ${command}\n${out}`)
  // The reader approves, and calls again with the token.
  if (answer?.result?.approval_url !== undefined) {
    await human.approve(answer.result.approval_url)
    filledIn.push(["svc_confirm_…", answer.result.confirmation_token])
  }
  const head = /"?head"?:? "?([0-9a-f]{64})/.exec(out)?.[1]
  if (head !== undefined) filledIn.push(["HASH", head])
  return answer
}

const SHELL = ["sh", ""]

it("every command of the guides does what the page says, and answers what it shows", { timeout: 300_000 }, async () => {
  let ran = 0
  let answer: unknown
  for (const { body, follows, language, place } of BLOCKS) {
    if (SHELL.includes(language)) {
      for (const command of commandsOf(body)) {
        const begin = elsewhere(command)
        if (begin !== undefined) used.add(begin)
        else {
          answer = await run(place, command)
          ran++
        }
      }
    } else if (language === "json" && follows) {
      assert.deepStrictEqual(differences(JSON.parse(body), answer), [], place)
    }
  }
  assert.isAbove(ran, 25)
  assert.deepStrictEqual(
    Object.keys(ELSEWHERE).filter((begin) => !used.has(begin)),
    [],
    "what is not run here stands on a page"
  )
})

it("every other block is what it says it is", () => {
  const known = ["json", "caddy", "ts", "js", "py", "md", "txt", "yaml", "csv", "nginx", ...SHELL]
  for (const { body, language, place } of BLOCKS) {
    assert.include(known, language, place)
    if (language === "json") assert.isObject(parsed(body), place)
  }
  assert.sameMembers(
    [...new Set(BLOCKS.filter(({ language }) => language === "js").map(pageOf))],
    SCRIPTS,
    "a script of a page is run by a test of its own"
  )
})

it("every example in TypeScript compiles under strict", { timeout: 120_000 }, async () => {
  const examples = BLOCKS.filter(({ language }) => language === "ts")
  assert.sameMembers([...new Set(examples.map(pageOf))], Object.keys(GIVEN))
  const folder = join(root, "packages/host-http/dist/guides")
  removeDirectory(folder)
  mkdirSync(folder, { recursive: true })
  const whole = examples.filter((example) => !IN_PARTS.includes(pageOf(example)))
  const joined = IN_PARTS.map((page) => ({
    place: `${page}:1`,
    body: examples.flatMap((example) => (pageOf(example) === page ? [example.body] : [])).join("\n;")
  }))
  for (const [index, { body, place }] of [...whole, ...joined].entries()) {
    const before = GIVEN[pageOf({ place })]
    if (before !== null) writeFileSync(join(folder, `${index}.ts`), `${before}${body}\nexport {}\n`)
  }
  const compilerOptions = { composite: false, incremental: false, noEmit: true, noUnusedLocals: false, types: ["node"] }
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] })
  )
  const tsc = join(root, "node_modules/.bin/tsc")
  const said = await promisify(execFile)(tsc, ["--checkers", "1", "-p", folder]).then(
    () => "",
    ({ stdout }: { readonly stdout: string }) => stdout
  )
  expect(said).toBe("")
  removeDirectory(folder)
})
