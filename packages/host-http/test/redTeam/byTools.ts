import type { Client } from "@outbound/testkit/service/Client.js"
import { type Attempt, JSON_TYPE, type Stage } from "./attempt.js"

/** What an agent tries by tools and by procedures. */
export const byTools = ({ attacker, campaignId, launch, purchase, victim }: Stage): ReadonlyArray<Attempt> => {
  const mcp = (
    what: string,
    by: Client,
    message: object | ReadonlyArray<object>,
    answer: Attempt["answer"],
    more: Record<string, string> = {}
  ): Attempt => ({
    what,
    path: "/mcp",
    headers: {
      authorization: `Bearer ${by.apiKey}`,
      ...JSON_TYPE,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...more
    },
    body: JSON.stringify(message),
    answer
  })
  const call = (name: string, given: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given }
  })
  const unknownTool = (name: string): Attempt =>
    mcp(`a tool that is none: ${name}`, victim, call(name, {}), [200, -32_602])
  const rpc = (what: string, by: Client | null, tag: string, payload: object, answer: Attempt["answer"]): Attempt => ({
    what,
    path: "/rpc",
    headers: {
      "content-type": "application/ndjson",
      ...(by === null ? {} : { authorization: `Bearer ${by.apiKey}` })
    },
    body: `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [["idempotency-key", `r-${tag}`]] })}\n`,
    answer
  })
  const launching = { campaign_id: campaignId, confirmation_token: launch.token, idempotency_key: "tool" }
  return [
    ...["approve", "decide_approval", "llm_chat", "kill", "update_key", "get_trail"].map(unknownTool),
    mcp("a launch by a tool before anybody decided", victim, call("launch_campaign", launching), [
      200,
      "confirmation_required"
    ]),
    mcp("another workspace's launch by a tool", attacker, call("launch_campaign", launching), [200, "not_found"]),
    mcp(
      "a purchase by a tool before anybody decided",
      victim,
      call("setup_sending", { ...purchase.request, confirmation_token: purchase.token, idempotency_key: "buy" }),
      [200, "confirmation_required"]
    ),
    mcp("another workspace's campaign by a tool", attacker, call("get_campaign", { campaign_id: campaignId }), [
      200,
      "not_found"
    ]),
    mcp("tools without a key", { ...victim, apiKey: "" }, call("get_me", {}), [401, -32_000]),
    rpc("a launch by a procedure before anybody decided", victim, "launch_campaign", launching, [
      400,
      "invalid_request"
    ]),
    rpc("another workspace's launch by a procedure", attacker, "launch_campaign", { campaign_id: campaignId }, [
      404,
      "not_found"
    ]),
    rpc("a procedure that is none", victim, "approve", {}, [404, "not_found"]),
    rpc("a procedure without a key", null, "get_me", {}, [401, "unauthorized"])
  ]
}
