import { Human } from "@outbound/examples/loop/Human.js"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { blocksOf, commandsOf } from "./support/Blocks.js"
import { call, Home, root, type Running, shownKey } from "./support/Program.js"
import { Shell } from "./support/Shell.js"

const GUIDE = join(root, "docs/guides/test-clock.md")

const DAY_SECONDS = 86_400
/** A sequence of 30 days, from its launch to its end. */
const SEQUENCE_MILLIS_MAX = 30_000

let home: Home
let key: string
let service: Running
const human = new Human()

beforeAll(async () => {
  home = await Home.make()
  service = await home.serve({}, ["--test-clock"])
  key = shownKey(service)
  await human.signIn((await home.json("sign-in-link", "--email", "owner@outbound.test")).url)
  const [{ workspace_id: workspace }] = (await home.json("workspace", "list")).workspaces
  await home.json("credits", "grant", "--workspace", workspace, "--amount", "5000")
})
afterAll(() => home.close())

// oxlint-disable-next-line typescript/no-explicit-any -- each test names what it reads
const ok = async (path: string, body?: object, headers: Record<string, string> = {}): Promise<any> => {
  const answer = await call(home, key, path, body, headers)
  assert.isAtMost(answer.status, 299, JSON.stringify(answer.body))
  return answer.body.result
}

const advance = (body: object) => ok("/sandbox/clock/advance", body)
const now = async () => Date.parse((await ok("/sandbox/clock")).now)

/** Asks, lets the human approve, and asks again with the token. */
const approved = async (path: string, body: object, idempotencyKey: string) => {
  const asked = await ok(path, body, { "idempotency-key": `${idempotencyKey} asks` })
  await human.approve(asked.approval_url)
  return ok(path, { ...body, confirmation_token: asked.confirmation_token }, { "idempotency-key": idempotencyKey })
}

describe("a clock that is moved over HTTP", () => {
  it("lets a sequence of 30 days run to its end in seconds, with the answers that come in between", async () => {
    const since = performance.now()
    await approved(
      "/v1/setup_sending",
      { daily_sends: 20, brand: "tempo", identity: { first_name: "Ann", last_name: "Ames" } },
      "buy"
    )
    assert.isTrue((await advance({ seconds: 10 })).finished)
    const draft = await ok(
      "/v1/campaigns",
      {
        name: "A month",
        recipients: [{ email: "silent+1@magic.test" }, { email: "interested+1@magic.test" }],
        sequence: [0, 9, 10, 10].map((wait_days, at) => ({
          wait_days,
          ...(at === 0 ? { subject: "Hello" } : {}),
          body: `Step ${at}`
        }))
      },
      { "idempotency-key": "draft" }
    )
    await approved("/v1/launch_campaign", { campaign_id: draft.campaign_id }, "launch")
    const before = await now()
    const first = await advance({ seconds: 60 })
    assert.deepInclude(first.events, { sent: 2, reply: 1 })
    const campaign = () => ok(`/v1/campaigns/${draft.campaign_id}`)
    // Nobody is written to before their day.
    const early = await advance({ seconds: 8 * DAY_SECONDS })
    assert.notProperty(early.events, "sent")
    const rest = await advance({ until: new Date(before + 30 * DAY_SECONDS * 1_000).toISOString() })
    assert.isTrue(rest.finished, JSON.stringify(rest))
    assert.deepInclude(rest.events, { sent: 3 })
    assert.deepInclude(await campaign(), { sent: 5, replied: 1 })
    // Who never answers has had their time to.
    await advance({ seconds: 30 * DAY_SECONDS })
    assert.strictEqual((await campaign()).state, "completed")
    assert.isBelow(performance.now() - since, SEQUENCE_MILLIS_MAX)
    assert.isAtLeast(await now(), before + 30 * DAY_SECONDS * 1_000)
  })

  it("an approval that nobody decides expires when its time has passed", async () => {
    const asked = await ok("/v1/setup_sending", {
      daily_sends: 20,
      brand: "later",
      identity: { first_name: "A", last_name: "B" }
    })
    await advance({ seconds: 16 * 60 })
    const late = await call(
      home,
      key,
      "/v1/setup_sending",
      {
        daily_sends: 20,
        brand: "later",
        identity: { first_name: "A", last_name: "B" },
        confirmation_token: asked.confirmation_token
      },
      { "idempotency-key": "late" }
    )
    assert.strictEqual(late.body.error.code, "approval_expired")
  })

  it("a link that a command makes is good in the time of the service", async () => {
    const other = new Human()
    await other.signIn((await home.json("sign-in-link", "--email", "owner@outbound.test")).url)
  })

  it("does what its guide says, in a shell and in Python", async () => {
    const shell = new Shell(home.folder, { ...process.env, OUTBOUND_URL: home.url, OUTBOUND_KEY: key })
    const blocks = blocksOf("test-clock.md", readFileSync(GUIDE, "utf8"))
    const commands = blocks.filter(({ language }) => language === "sh").flatMap(({ body }) => commandsOf(body))
    for (const command of commands.filter((one) => one.startsWith("curl"))) {
      const { code, out } = await shell.run(command)
      assert.deepStrictEqual([code, typeof JSON.parse(out).result.now], [0, "string"], command)
    }
    const [script] = blocks.filter(({ language }) => language === "py")
    writeFileSync(join(home.folder, "week.py"), script?.body ?? "")
    const { code, err } = await shell.run("python3 week.py")
    assert.strictEqual(code, 0, err)
    shell.close()
  })

  it("refuses who has no key, and what is no time", async () => {
    const stranger = await call(home, "svc_key_nobody", "/sandbox/clock/advance", { seconds: 1 })
    assert.deepStrictEqual([stranger.status, stranger.body.error.code], [401, "unauthorized"])
    for (const body of [
      {},
      { seconds: -1 },
      { seconds: "1" },
      { seconds: 1, until: "2030-01-01" },
      { until: "soon" },
      { until: "2001-01-01T00:00:00Z" },
      { seconds: 1e12 },
      { days: 1 }
    ]) {
      const { body: answer, status } = await call(home, key, "/sandbox/clock/advance", body)
      assert.deepStrictEqual([status, answer.error?.code], [400, "invalid_request"], JSON.stringify(body))
    }
    const wrong = await fetch(`${home.url}/sandbox/clock/advance`)
    assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "POST"])
  })

  it("goes on from where it was after a restart, and never back to today", async () => {
    const before = await now()
    await service.signal("SIGKILL")
    const ordinary = await home.outbound(["serve"]).ended
    assert.strictEqual(ordinary.code, 1)
    assert.match(ordinary.err, /has a clock of its own, \d+ seconds ahead.*--test-clock/)
    service = await home.serve({}, ["--test-clock"])
    assert.isAtLeast(await now(), before)
    await home.json("check")
  })

  it("stands still where a live workspace was made, and does not start there", async () => {
    await home.json("workspace", "create", "--name", "Live", "--kind", "live", "--owner-email", "owner@live.example")
    const refused = await call(home, key, "/sandbox/clock/advance", { seconds: 1 })
    assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "forbidden"])
    await service.signal("SIGTERM")
    const { code, err } = await home.outbound(["serve", "--test-clock"]).ended
    assert.strictEqual(code, 1)
    assert.include(err, "there is a live workspace here")
  })
})

describe("a service without it", () => {
  it("does not begin with it beside providers, and has no such address", async () => {
    const { code, err } = await home.outbound(["serve", "--test-clock"], { OUTBOUND_PROVIDERS: "./providers.json" })
      .ended
    assert.strictEqual(code, 1)
    assert.include(err, "OUTBOUND_PROVIDERS")
  })
})
