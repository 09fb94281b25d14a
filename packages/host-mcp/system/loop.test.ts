import { Effect } from "effect"
import { assert, it } from "@effect/vitest"
import { approve } from "../../host-http/system/support/Human.js"
import { assertClean, serve } from "../../host-http/system/support/Host.js"
import { embeddedPlace } from "../../host-http/system/support/Place.js"
import { makeTenant } from "../../host-http/system/support/Tenant.js"
import { SCOPES } from "@outbound/domain/verbs/Policy.js"
import { CLIENTS, type ToolClient } from "../test/support/Clients.js"

type Given = Record<string, unknown>

const SECONDS_MAX = 120

/**
 * A program that knows no docs: it calls only tools that the service lists, with members that their schemas name, takes a
 * person to each approval that an answer asks for, and repeats the call with the token it was given.
 */
const agentOf = async (client: ToolClient, takeThere: (approvalUrl: string) => Promise<void>) => {
  const tools = new Map((await client.tools()).map((tool) => [tool.name, tool]))
  let calls = 0
  const call = async (name: string, given: Given = {}) => {
    const tool = tools.get(name) ?? assert.fail(`${name} is not listed`)
    const { properties = {}, required = [] } = tool["inputSchema"] as {
      readonly properties?: Given
      readonly required?: ReadonlyArray<string>
    }
    for (const member of Object.keys(given)) assert.property(properties, member, name)
    calls += 1
    const key = "idempotency_key" in properties ? { idempotency_key: `call ${calls}` } : {}
    const sent: Given = { ...given, ...key }
    for (const member of required) assert.property(sent, member, name)
    const { isError, structured, text } = await client.call(name, sent)
    assert.notStrictEqual(isError, true, text)
    return structured.result
  }
  return {
    call,
    /** Lets a person approve what the call asks for. */
    confirmed: async (name: string, given: Given) => {
      const asked = await call(name, given)
      assert.isString(asked.confirmation_token, name)
      await takeThere(asked.approval_url)
      return call(name, { ...given, confirmation_token: asked.confirmation_token })
    },
    /** Asks until the answer is so. */
    // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
    until: async (name: string, given: Given, isSo: (result: any) => boolean) => {
      const end = performance.now() + SECONDS_MAX * 1_000
      for (;;) {
        const result = await call(name, given)
        if (isSo(result)) return result
        assert.isBelow(performance.now(), end, `${name}: ${JSON.stringify(result)}`)
        await new Promise((next) => setTimeout(next, 500))
      }
    }
  }
}

const sum = (rows: ReadonlyArray<Record<string, number>>, member: string): number =>
  rows.reduce((total, row) => total + (row[member] ?? 0), 0)

it.live(
  "an agent goes from a list of addresses to an answered reply by tools alone, with a person at each approval",
  () =>
    Effect.gen(function* () {
      const place = yield* embeddedPlace
      const host = yield* serve(place)
      const tenant = yield* makeTenant(place, { credits: 300, granted: 10_000, scopes: SCOPES })
      const [connect] = Object.values(CLIENTS)
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => connect!(host.baseUrl, tenant.apiKey)),
        (opened) => Effect.promise(() => opened.close())
      )
      yield* Effect.promise(async () => {
        const agent = await agentOf(client, (url) => Effect.runPromise(approve(place, host, tenant, url)))

        // Which addresses exist?
        const names = ["interested", "interested+2", "not_interested", "silent", "silent+2", "out_of_office"]
        const emails = [...names.map((name) => `${name}@magic.test`), "nobody@no-mail.invalid"]
        const list = await agent.call("verify_emails", { emails })
        await agent.until("get_operation", { operation_id: list.operation_id }, ({ status }) => status !== "running")
        const { rows } = await agent.call("get_operation_results", { operation_id: list.operation_id })
        assert.lengthOf(rows, emails.length)

        // A mailbox, and a campaign with two openings.
        const capacity = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }
        const bought = await agent.confirmed("setup_sending", capacity)
        await agent.until(
          "get_operation",
          { operation_id: bought.operation_id },
          ({ status }) => status === "succeeded"
        )
        const drafted = await agent.call("create_campaign", {
          name: "By an agent",
          recipients: names.map((name) => ({ email: `${name}@magic.test`, custom: { country: "DE" } })),
          sequence: [
            {
              variants: [
                { subject: "A question", body: "Hello" },
                { subject: "Good morning", body: "Hi" }
              ]
            },
            { body: "Any news?", wait_days: 2 }
          ],
          schedule: { recipient_timezone: true, skip_holidays: ["recipient"] },
          max_per_company_per_day: 100
        })
        const { campaign_id } = drafted
        const foreseen = await agent.call("forecast_campaign", { campaign_id })
        assert.isAbove(sum(foreseen.days, "messages"), 0)
        const launched = await agent.confirmed("launch_campaign", { campaign_id })
        assert.strictEqual(launched.leads_active, names.length)

        // Who answered what?
        const shown = await agent.until("get_campaign", { campaign_id }, ({ steps }) => sum(steps, "interested") === 2)
        // Chance gives each person one of them, so perhaps all the same one.
        const variants = shown.steps
          .filter(({ step }: { step: number }) => step === 1)
          .map(({ variant }: { variant: string }) => variant)
        assert.isNotEmpty(variants)
        assert.includeMembers(["A", "B"], variants)
        const { leads } = await agent.call("list_leads", { campaign_id, state: "replied" })
        assert.isAtLeast(leads.length, 2)
        const { replies } = await agent.call("get_replies", { campaign_id, classification: "interested" })
        assert.lengthOf(replies, 2)
        const [{ reply_id }] = replies
        const answered = await agent.confirmed("reply_to_thread", { reply_id, body_text: "Gladly. Is Monday fine?" })
        assert.strictEqual(answered.status, "sent")
        await agent.call("add_suppressions", { emails: ["silent@magic.test"], reason: "a customer already" })
        await agent.until(
          "list_leads",
          { campaign_id, email: "silent@magic.test" },
          ({ leads: [one] }) => one.state === "removed"
        )
      })
      yield* assertClean(place)
    }),
  300_000
)
