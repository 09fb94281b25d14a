import type { Client } from "@outbound/testkit/service/Client.js"
import { type Attempt, JSON_TYPE, NOBODY, type Stage } from "./attempt.js"

const MADE_UP = `svc_confirm_${"A".repeat(43)}`

let used = 0
const bearer = (apiKey: string) => ({
  authorization: `Bearer ${apiKey}`,
  ...JSON_TYPE,
  "idempotency-key": `red-${(used += 1)}`
})

/** What an agent, or somebody with its key, tries by REST. */
export const byRest = (set: Stage): ReadonlyArray<Attempt> => {
  const { attacker, campaignId, colleague, half, launch, purchase, reader, theirs, victim } = set
  const call = (
    what: string,
    by: Client,
    path: string,
    body: object,
    answer: Attempt["answer"],
    more: Record<string, string> = {}
  ): Attempt => ({ what, path, headers: { ...bearer(by.apiKey), ...more }, body: JSON.stringify(body), answer })
  const launching = { campaign_id: campaignId }
  const confirm = (confirmation_token: string) => ({ ...launching, confirmation_token })
  const buying = (confirmation_token: string) => ({ ...purchase.request, confirmation_token })
  const patch = (what: string, by: Client, keyId: string, body: object, answer: Attempt["answer"]): Attempt => ({
    ...call(what, by, `/v1/keys/${keyId}`, body, answer),
    method: "PATCH"
  })
  return [
    call("a launch before anybody decided", victim, "/v1/launch_campaign", confirm(launch.token), [
      428,
      "confirmation_required"
    ]),
    call(
      "a launch that one of two people approved",
      victim,
      "/v1/launch_campaign",
      { campaign_id: half.campaignId, confirmation_token: half.token },
      [428, "confirmation_required"]
    ),
    call("a launch with a made-up token", victim, "/v1/launch_campaign", confirm(MADE_UP), [404, "not_found"]),
    call("a launch with something else for a token", victim, "/v1/launch_campaign", confirm("yes"), [
      400,
      "invalid_request"
    ]),
    call(
      "a launch with the approval's id for a token",
      victim,
      "/v1/launch_campaign",
      confirm(launch.path.slice(-36)),
      [400, "invalid_request"]
    ),
    call("a launch with the purchase's token", victim, "/v1/launch_campaign", confirm(purchase.token), [
      409,
      "approval_changed"
    ]),
    call("a launch with another key's token", colleague, "/v1/launch_campaign", confirm(launch.token), [
      409,
      "approval_changed"
    ]),
    call("a launch with another workspace's token", victim, "/v1/launch_campaign", confirm(theirs.token), [
      404,
      "not_found"
    ]),
    call("another workspace's launch", attacker, "/v1/launch_campaign", launching, [404, "not_found"]),
    call("another workspace's launch, with its token", attacker, "/v1/launch_campaign", confirm(launch.token), [
      404,
      "not_found"
    ]),
    call("a launch without its scope", reader, "/v1/launch_campaign", launching, [403, "forbidden"]),
    call("a launch that says it is approved", victim, "/v1/launch_campaign", { ...launching, approved: true }, [
      400,
      "invalid_request"
    ]),
    call("a launch that asks to be forced", victim, "/v1/launch_campaign", { ...launching, force: true }, [
      400,
      "invalid_request"
    ]),
    {
      what: "a launch with members of the prototype",
      path: "/v1/launch_campaign",
      headers: bearer(victim.apiKey),
      body: `{"campaign_id":"${campaignId}","__proto__":{"approved":true}}`,
      answer: [400, "invalid_request"]
    },
    {
      what: "a launch that names its campaign twice",
      path: "/v1/launch_campaign",
      headers: bearer(victim.apiKey),
      body: `{"campaign_id":"${NOBODY}","campaign_id":"${NOBODY}","confirmation_token":"${launch.token}"}`,
      answer: [404, "not_found"]
    },
    call("a dry run with a token", victim, "/v1/launch_campaign", { ...confirm(launch.token), dry_run: true }, [
      400,
      "invalid_request"
    ]),
    call("a purchase before anybody decided", victim, "/v1/setup_sending", buying(purchase.token), [
      428,
      "confirmation_required"
    ]),
    call(
      "a purchase of more than was asked for",
      victim,
      "/v1/setup_sending",
      { ...buying(purchase.token), daily_sends: 5_000 },
      [409, "approval_changed"]
    ),
    call(
      "a purchase for somebody else",
      victim,
      "/v1/setup_sending",
      { ...buying(purchase.token), identity: { first_name: "Eve", last_name: "Lovelace" } },
      [409, "approval_changed"]
    ),
    call("a purchase with the launch's token", victim, "/v1/setup_sending", buying(launch.token), [
      409,
      "approval_changed"
    ]),
    call("a purchase with another workspace's token", attacker, "/v1/setup_sending", buying(purchase.token), [
      404,
      "not_found"
    ]),
    call(
      "people for another workspace's campaign",
      attacker,
      "/v1/add_leads",
      { campaign_id: campaignId, leads: [{ email: "silent@magic.test" }] },
      [404, "not_found"]
    ),
    call(
      "people for the campaign, with the launch's token",
      victim,
      "/v1/add_leads",
      { campaign_id: campaignId, leads: [{ email: "a@b.test" }], confirmation_token: launch.token },
      [409, "approval_changed"]
    ),
    call("an answer without its scope", victim, "/v1/reply_to_thread", { reply_id: NOBODY, body_text: "Hello" }, [
      403,
      "forbidden"
    ]),
    call("a negative ceiling", victim, "/v1/find_leads", { audience: "x", budget_credits: -5 }, [
      400,
      "invalid_request"
    ]),
    call("a ceiling beyond all numbers", victim, "/v1/find_leads", { audience: "x", budget_credits: 1e308 }, [
      400,
      "invalid_request"
    ]),
    call("a stop of all sending without its scope", victim, "/v1/kill", { reason: "x" }, [403, "forbidden"]),
    patch("its own cap, lifted", victim, victim.keyId, { monthly_spend_cap: null }, [403, "forbidden"]),
    patch("its own scopes, widened", victim, victim.keyId, { scopes: ["control:manage"] }, [403, "forbidden"]),
    patch("a colleague's scopes, widened", victim, colleague.keyId, { scopes: ["reply:send"] }, [403, "forbidden"]),
    patch("another workspace's key", attacker, victim.keyId, { scopes: [] }, [403, "forbidden"]),
    ...["GET", "PUT", "DELETE"].map((method) => ({
      what: `the launch by ${method}`,
      method,
      path: "/v1/launch_campaign",
      headers: bearer(victim.apiKey),
      answer: [405, "invalid_request"] as const
    })),
    {
      what: "a method in a header",
      method: "GET",
      path: "/v1/campaigns",
      headers: { ...bearer(victim.apiKey), "x-http-method-override": "POST" },
      answer: [200, null]
    }
  ]
}
