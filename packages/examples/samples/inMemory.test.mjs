// A whole loop in a test, with Node alone: node --test inMemory.test.mjs
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { inMemory } from "@outbound/testkit/harness/inMemory.js"
import { addresses, recipients } from "@outbound/testkit/harness/magic.js"

let service

before(async () => (service = await inMemory()))
after(() => service.close())

const CAPACITY = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

/** Asks, lets the human approve, and asks again with the token. */
const approved = async ({ agent, human }, verb, request) => {
  const { result } = await agent[verb](request)
  await human.approve(result.approval_url)
  return (await agent[verb]({ ...request, confirmation_token: result.confirmation_token })).result
}

test("an interested answer ends the sequence of who gave it", async () => {
  const workspace = await service.workspace()
  const { agent } = workspace
  await workspace.grant("5000")
  await approved(workspace, "setup_sending", CAPACITY)
  await service.clock.advance(5)
  const { result: draft } = await agent.create_campaign({
    name: "Under test",
    recipients: [recipients.interested(1), recipients.silent(1), recipients.bounces(1)].map((email) => ({ email })),
    sequence: [
      { subject: "Hello", body: "Shall we talk?" },
      { body: "Once more", wait_days: 3 }
    ]
  })
  await approved(workspace, "launch_campaign", { campaign_id: draft.campaign_id })
  await service.clock.advance(30)
  const { result } = await agent.get_campaign({ campaign_id: draft.campaign_id })
  assert.deepEqual([result.sent, result.replied, result.bounced], [4, 1, 1])
})

test("a declined approval tells the agent why", async () => {
  const { agent, human } = await service.workspace()
  const { result } = await agent.setup_sending(CAPACITY)
  await human.decline(result.approval_url, "Not this quarter")
  await assert.rejects(agent.setup_sending({ ...CAPACITY, confirmation_token: result.confirmation_token }), {
    code: "approval_declined",
    details: { reason: "Not this quarter", approval_url: result.approval_url }
  })
})

test("a source that fails costs nothing, and the same key asks again", async () => {
  const { agent, plan } = await service.workspace()
  assert.equal((await plan("verify_email", { email: addresses.valid() })).credits_estimate, "1")
  for (const source of ["sandbox_probe", "sandbox_probe_deep"])
    await service.sources.behave(source, { fails: "transient" })
  await assert.rejects(agent.verify_email({ email: addresses.valid() }, { key: "once" }), {
    code: "provider_unavailable"
  })
  for (const source of ["sandbox_probe", "sandbox_probe_deep"]) await service.sources.heal(source)
  const { result, svc } = await agent.verify_email({ email: addresses.valid() }, { key: "once" })
  assert.deepEqual([result.status, svc.credits_charged], ["valid", "1"])
})

test("time passes for a call that waits", async () => {
  const { agent } = await service.workspace()
  const waiting = agent.verify_email({ email: addresses.slow() })
  await service.clock.advance(5)
  assert.equal((await waiting).result.status, "valid")
})
