import { Human } from "@outbound/examples/loop/Human.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { type HabitBed, HABITS, type Told } from "@outbound/testkit/harness/habits.js"
import { recipients } from "@outbound/testkit/harness/magic.js"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, Home, shownKey } from "./support/Program.js"

const CAPACITY = { daily_sends: 250, brand: "habits", identity: { first_name: "Ada", last_name: "Lovelace" } }
const PEOPLE = 6
/** What is due is sent within, by the clock of the service. */
const SENDING_SECONDS = 1_200

let home: Home
let key: string
let fresh = 0
const human = new Human()

/** The address of a verb, with the members of its path taken out of the request, and what is left. */
const addressOf = (verb: VerbName, request: JsonObject): { readonly path: string; readonly rest: JsonObject } => {
  const rest = { ...request }
  const path = verbs[verb].route.path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return value
  })
  return { path, rest }
}

const toldOf = (body: { readonly error?: JsonObject; readonly result?: unknown }, words: string): Told => ({
  code: body.error === undefined ? null : String(body.error["code"]),
  words,
  result: body.result
})

/** As a program speaks. */
const byRest = async (verb: VerbName, request: JsonObject, own = `own-${(fresh += 1)}`): Promise<Told> => {
  const { path, rest } = addressOf(verb, request)
  const isRead = verbs[verb].route.method === "GET"
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name, String(value)] as [string, string])
  )
  const answer = await (isRead
    ? call(home, key, rest === null || query.size === 0 ? path : `${path}?${query}`)
    : call(home, key, path, rest, verbs[verb].idempotency === "none" ? {} : { "idempotency-key": own }))
  const { error } = answer.body
  return toldOf(answer.body, `${error?.message ?? ""} ${JSON.stringify(error?.details ?? {})}`)
}

/** As a model speaks: it reads the text, and its program the envelope. */
const byMcp = async (verb: VerbName, request: JsonObject, own = `own-${(fresh += 1)}`): Promise<Told> => {
  const tool = verbs[verb]
  // What is no tool is asked by REST, as the program around the model does.
  if (tool.tool === null) return byRest(verb, request, own)
  const response = await fetch(`${home.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25"
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: (fresh += 1),
      method: "tools/call",
      params: {
        name: verb,
        arguments: { ...request, ...(tool.idempotency === "none" ? {} : { idempotency_key: own }) }
      }
    })
  })
  const text = await response.text()
  const message = JSON.parse(
    text.startsWith("{") ? text : ([...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? "{}")
  ) as {
    readonly result?: {
      readonly content: ReadonlyArray<{ readonly text: string }>
      readonly structuredContent?: object
    }
  }
  assert.isDefined(message.result, text)
  const words = message.result?.content.map((part) => part.text).join("\n") ?? ""
  return toldOf((message.result?.structuredContent ?? {}) as { readonly error?: JsonObject }, words)
}

const SURFACES = { "over REST": byRest, "over MCP": byMcp } as const

beforeAll(async () => {
  home = await Home.make()
  key = shownKey(await home.serve({}, ["--test-clock"]))
  await human.signIn((await home.json("sign-in-link", "--email", "owner@outbound.test")).url)
  const [{ workspace_id: workspace }] = (await home.json("workspace", "list")).workspaces
  await home.json("credits", "grant", "--workspace", workspace, "--amount", "100000")
  const quote = await byRest("setup_sending", CAPACITY)
  assert.isNull(quote.code, quote.words)
  await human.approve(quote.result.approval_url as string)
  await byRest("setup_sending", { ...CAPACITY, confirmation_token: quote.result.confirmation_token as string })
  await advance(10)
})
afterAll(() => home.close())

const advance = async (seconds: number): Promise<void> => {
  const { body, status } = await call(home, key, "/sandbox/clock/advance", { seconds })
  assert.strictEqual(status, 200, JSON.stringify(body))
}

const bedOf = (ask: HabitBed["ask"]): HabitBed => ({
  ask,
  human: {
    approve: (page) => human.approve(page),
    decline: (page, reason) => human.fill(page, `${new URL(page).pathname}/decline`, { reason })
  },
  sends: () => advance(SENDING_SECONDS),
  address: () => recipients.silent(`habit-${(fresh += 1)}`),
  people: PEOPLE
})

for (const [surface, ask] of Object.entries(SURFACES)) {
  describe(`${surface}, an agent that`, () => {
    it.each(HABITS)("$name", ({ run }) => run(bedOf(ask)))
  })
}

describe("a model", () => {
  it("reads in each refusal what to do next, not only what was wrong", async () => {
    const draft = await byMcp("create_campaign", {
      name: "Words",
      recipients: [{ email: recipients.silent("words") }],
      sequence: [{ subject: "Hello", body: "Hi" }]
    })
    const launch = { campaign_id: draft.result.campaign_id as string }
    const asked = await byMcp("launch_campaign", launch)
    assert.match(asked.words, /Show a human .*\/console\/approvals\//)
    assert.match(asked.words, /repeat the call/)
    const early = await byMcp("launch_campaign", {
      ...launch,
      confirmation_token: asked.result.confirmation_token as string
    })
    assert.strictEqual(early.code, "confirmation_required")
    assert.match(early.words, /\/console\/approvals\//)
    await human.fill(asked.result.approval_url as string, `${new URL(asked.result.approval_url).pathname}/decline`, {
      reason: "Another week"
    })
    const declined = await byMcp("launch_campaign", {
      ...launch,
      confirmation_token: asked.result.confirmation_token as string
    })
    assert.match(declined.words, /Another week/)
    assert.match(declined.words, /new call without the token|Do not retry/)
  })
})
