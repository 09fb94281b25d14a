/**
 * Agents of several habits, each scripted: whatever it does wrong, the loop ends, or stands at a human with the next step said.
 * Nothing is bought, sent or charged twice on the way.
 */
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { inMemory, type InMemory, type Workspace } from "../src/harness/inMemory.js"
import { recipients } from "../src/harness/magic.js"

let service: InMemory
beforeAll(async () => void (service = await inMemory()))
afterAll(() => service.close())

const CAPACITY = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }
const PEOPLE = 20

/** What an agent hears, whatever it asked: the code and the words of a refusal, or a result. */
interface Told {
  readonly code: string | null
  readonly words: string
  // oxlint-disable-next-line typescript/no-explicit-any -- as an agent reads it
  readonly result: any
}

let fresh = 0
const ask = async (
  { call }: Workspace,
  verb: VerbName,
  request: object,
  key = `own-${(fresh += 1)}`
): Promise<Told> => {
  const { error, result } = await call(verb, request, { key })
  return { code: error?.code ?? null, words: `${error?.message ?? ""} ${JSON.stringify(error?.details ?? {})}`, result }
}

/** A workspace with mailboxes, a draft, and money. */
const ready = async () => {
  const workspace = await service.workspace({
    scopes: ["data:read", "usage:read", "campaign:write", "campaign:launch", "assets:purchase", "trail:read"]
  })
  await workspace.grant("5000")
  const quote = await ask(workspace, "setup_sending", CAPACITY)
  await workspace.human.approve(quote.result.approval_url)
  await ask(workspace, "setup_sending", { ...CAPACITY, confirmation_token: quote.result.confirmation_token })
  await service.clock.advance(5)
  const draft = await ask(workspace, "create_campaign", {
    name: "Habits",
    recipients: Array.from({ length: PEOPLE }, (_, at) => ({ email: recipients.silent(`${fresh}-${at}`) })),
    sequence: [{ subject: "Hello", body: "Shall we talk?" }]
  })
  return { workspace, launch: { campaign_id: draft.result.campaign_id as string } }
}

const sentOf = async ({ agent }: Workspace, { campaign_id }: { readonly campaign_id: string }) => {
  await service.clock.advance(20)
  return (await agent.get_campaign({ campaign_id })).result.sent
}

const spentOf = async ({ agent }: Workspace) => (await agent.get_me()).result.spent_this_month

describe("an agent that", () => {
  it("ignores what it reads and launches without asking stands at the human, who is named, and nothing is sent", async () => {
    const { launch, workspace } = await ready()
    for (const invented of ["svc_confirm_approved", `svc_confirm_${"A".repeat(43)}`]) {
      const told = await ask(workspace, "launch_campaign", { ...launch, confirmation_token: invented })
      assert.isNotNull(told.code)
    }
    const asked = await ask(workspace, "launch_campaign", launch)
    assert.match(asked.result.approval_url, /\/console\/approvals\//)
    const again = await ask(workspace, "launch_campaign", {
      ...launch,
      confirmation_token: asked.result.confirmation_token
    })
    assert.strictEqual(again.code, "confirmation_required")
    assert.include(again.words, asked.result.approval_url)
    assert.strictEqual(await sentOf(workspace, launch), 0)
  })

  it("retries everything sends each message once, and pays once", async () => {
    const { launch, workspace } = await ready()
    const asked = await ask(workspace, "launch_campaign", launch, "ask")
    for (let time = 0; time < 5; time++) await ask(workspace, "launch_campaign", launch, "ask")
    await workspace.human.approve(asked.result.approval_url)
    const confirmed = { ...launch, confirmation_token: asked.result.confirmation_token }
    const before = await spentOf(workspace)
    const all = await Promise.all(
      Array.from({ length: 10 }, () => ask(workspace, "launch_campaign", confirmed, "launch"))
    )
    assert.isTrue(
      all.some(({ code }) => code === null),
      JSON.stringify(all[0])
    )
    assert.strictEqual(await sentOf(workspace, launch), PEOPLE)
    assert.strictEqual(await spentOf(workspace), before)
  })

  it("loses its token asks again, and is shown where a human decides", async () => {
    const { launch, workspace } = await ready()
    const first = await ask(workspace, "launch_campaign", launch)
    await workspace.human.approve(first.result.approval_url)
    const second = await ask(workspace, "launch_campaign", launch)
    assert.match(second.result.approval_url, /\/console\/approvals\//)
    await workspace.human.approve(second.result.approval_url)
    const done = await ask(workspace, "launch_campaign", {
      ...launch,
      confirmation_token: second.result.confirmation_token
    })
    assert.isNull(done.code, done.words)
    assert.strictEqual(await sentOf(workspace, launch), PEOPLE)
  })

  it("sends the same body with another key launches once: a token acts once, and the refusal says so", async () => {
    const { launch, workspace } = await ready()
    const asked = await ask(workspace, "launch_campaign", launch)
    await workspace.human.approve(asked.result.approval_url)
    const confirmed = { ...launch, confirmation_token: asked.result.confirmation_token }
    const told = [
      await ask(workspace, "launch_campaign", confirmed, "a"),
      await ask(workspace, "launch_campaign", confirmed, "b")
    ]
    assert.isNull(told[0]?.code ?? null)
    assert.isNotNull(told[1]?.code ?? null)
    assert.isAbove(told[1]?.words.length ?? 0, 20)
    assert.strictEqual(await sentOf(workspace, launch), PEOPLE)
  })

  it("sends another body with the same key hears that the key is another call's", async () => {
    const { workspace } = await ready()
    await ask(workspace, "verify_email", { email: "valid@magic.test" }, "one")
    const told = await ask(workspace, "verify_email", { email: "risky@magic.test" }, "one")
    assert.strictEqual(told.code, "idempotency_conflict")
    assert.match(told.words, /key/i)
  })

  it("reads one page alone hears of every page that there is another", async () => {
    const { launch, workspace } = await ready()
    const seen = new Set<string>()
    let cursor: string | null = null
    do {
      const request: JsonObject = { ...launch, limit: 8, ...(cursor === null ? {} : { cursor }) }
      const page = await ask(workspace, "list_leads", request)
      for (const { email } of page.result.leads as ReadonlyArray<{ readonly email: string }>) seen.add(email)
      cursor = page.result.next_cursor as string | null
      assert.strictEqual(cursor === null, seen.size === PEOPLE)
    } while (cursor !== null)
  })

  it("goes on after a human said no hears no, with the reason, and nothing is sent", async () => {
    const { launch, workspace } = await ready()
    const asked = await ask(workspace, "launch_campaign", launch)
    await workspace.human.decline(asked.result.approval_url, "Not these people")
    for (let time = 0; time < 3; time++) {
      const told = await ask(workspace, "launch_campaign", {
        ...launch,
        confirmation_token: asked.result.confirmation_token
      })
      assert.strictEqual(told.code, "approval_declined")
      assert.include(told.words, "Not these people")
    }
    assert.strictEqual(await sentOf(workspace, launch), 0)
  })
})
