import { Effect } from "effect"
import { type CallResponse, call, until } from "./Client.js"
import { approved, draftCampaign, provisioned, purchase } from "./Sending.js"
import { type Host, operate } from "./Host.js"
import type { Place } from "./Place.js"
import type { Tenant } from "./Tenant.js"

/** The ids of what a workspace has, by the names that requests have for them. */
export type Things = Readonly<Record<string, ReadonlyArray<string>>>

const ok = (answer: CallResponse): Effect.Effect<CallResponse, Error> =>
  answer.status === 200 ? Effect.succeed(answer) : Effect.fail(new Error(`${answer.status}: ${answer.text}`))

/** Furnishes a workspace with one of everything: mailboxes, a draft, a running campaign, an answer to it, a list, another key. */
export const makeThings = (place: Place, host: Host, tenant: Tenant) =>
  Effect.gen(function* () {
    const { apiKey, workspaceId } = tenant
    const bought = yield* approved(place, host, tenant, "setup_sending", purchase("things", 25), "capacity")
    const purchased = yield* Effect.flatMap(call(host, apiKey, bought.verb, bought.body, "capacity"), ok)
    const operation_id = purchased.json.result.operation_id as string
    yield* provisioned(host, tenant, operation_id, 90)
    const draft = yield* draftCampaign(host, tenant, "draft", 2, 1)
    const body = {
      name: "Running",
      recipients: [{ email: "interested+things@magic.test" }, { email: "silent+things@magic.test" }],
      // It goes on after the first message.
      sequence: [
        { subject: "Hello", body: "Hi" },
        { body: "Hi again", wait_days: 30 }
      ]
    }
    const running = yield* Effect.flatMap(call(host, apiKey, "create_campaign", body, "running"), ok)
    const campaign_id = running.json.result.campaign_id as string
    const launch = yield* approved(place, host, tenant, "launch_campaign", { campaign_id }, "ask")
    yield* Effect.flatMap(call(host, apiKey, launch.verb, launch.body, "launch"), ok)
    const replies = yield* until(
      call(host, apiKey, "get_replies", { campaign_id }),
      ({ json }) => json?.result?.replies?.length > 0,
      90
    )
    const reply_id = replies.json.result.replies[0].reply_id as string
    const reply = yield* Effect.flatMap(call(host, apiKey, "get_reply", { reply_id }), ok)
    const list = yield* call(host, apiKey, "verify_emails", { emails: ["valid@magic.test"] }, "list")
    const key = yield* operate(place, "key", "create", "--workspace", workspaceId, "--name", "another")
    return {
      campaign_id: [campaign_id, draft],
      reply_id: [reply_id],
      campaign_lead_id: [reply.json.result.lead.campaign_lead_id as string],
      request_id: [running.json.svc.request_id as string],
      operation_id: [list.json.result.operation_id as string, operation_id],
      model: ["sandbox-mini"],
      key_id: [String(key["key_id"])]
    } satisfies Things
  })
