/*
 * A tester runs the whole loop in memory, under a clock of their own: a campaign of days takes milliseconds, chance is
 * seeded, and magic addresses behave as documented. Nothing is started, and no message leaves the process.
 */
import * as Client from "@outbound/client/Client.js"
import * as InProcess from "@outbound/client/InProcess.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { Console } from "@outbound/domain/control/console/Console.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { decide, makeClient, turn } from "@outbound/testkit/service/Client.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"

const POLLS_MAX = 60

/** A workspace, a key for the agent under test, and the human that approves what it asks for. */
const setting = Effect.gen(function* () {
  const tenant = yield* makeClient({
    scopes: ["data:read", "campaign:write", "campaign:launch", "assets:purchase", "trail:read"]
  })
  const admin = yield* Admin
  yield* admin.grantCredits(tenant.workspaceId, credits("5000"))
  const protocol = InProcess.layer({ apiKey: Redacted.make(tenant.apiKey) })
  const approve = (approvalUrl: string) => decide(tenant, approvalUrl, "approve")
  return { protocol, approve }
})

/** The agent under test: what it would do against the real service, it does here. */
const agent = (approve: (approvalUrl: string) => Effect.Effect<unknown, never, Console>) =>
  Effect.gen(function* () {
    const client = yield* Client.make
    const capacity = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }
    const quote = (yield* client.setup_sending(capacity)).result
    if (quote.status !== "quote") return yield* Effect.die(new Error("the first answer is a quote"))
    yield* approve(quote.approval_url)
    const { confirmation_token } = quote
    const bought = (yield* client.setup_sending({ ...capacity, confirmation_token })).result
    if (bought.status !== "purchased") return yield* Effect.die(new Error("the second answer is a purchase"))
    const { operation_id } = bought
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      if ((yield* client.get_operation({ operation_id })).result.finished_at !== null) break
      yield* TestClock.adjust("1 second")
    }

    const { campaign_id } = (yield* client.create_campaign({
      name: "Under test",
      recipients: ["interested@magic.test", "bounce@magic.test", "silent@magic.test"].map((email) => ({ email })),
      sequence: [
        { subject: "Hello", body: "Shall we talk?" },
        { body: "Once more", wait_days: 3 }
      ]
    })).result
    const asked = (yield* client.launch_campaign({ campaign_id })).result
    if (!("confirmation_token" in asked)) return yield* Effect.die(new Error("the first answer asks for an approval"))
    yield* approve(asked.approval_url)
    yield* client.launch_campaign({ campaign_id, confirmation_token: asked.confirmation_token })

    // A sandbox day is a second.
    for (let day = 0; day < 7; day++) {
      yield* turn
      yield* TestClock.adjust("1 second")
    }
    yield* turn
    const { events } = (yield* client.get_trail({ campaign_id })).result
    const count = (kind: string) => events.filter((event) => event.kind === kind).length
    const { replies } = (yield* client.get_replies({ campaign_id })).result
    return [
      `${count("sent")} messages, ${count("bounce")} bounce`,
      ...replies.map(({ classification, from_email }) => `${from_email}: ${String(classification)}`)
    ]
  })

/** Says what came of it, a line each. */
export const inATest: Effect.Effect<ReadonlyArray<string>, unknown> = Effect.gen(function* () {
  const { approve, protocol } = yield* setting
  return yield* agent(approve).pipe(Effect.provide(protocol))
}).pipe(Effect.scoped, Effect.provide(layerMemory), Effect.provide(TestClock.layer()))
