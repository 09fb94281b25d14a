/** Reports the loop's costs and events. */
import type { Agent } from "./Agent.js"
import { say, step } from "./Progress.js"

export const costs = async (agent: Agent): Promise<void> => {
  step("Show usage (GET /v1/usage)")
  const { result: usage } = await agent.get("/v1/usage")
  say(`Balance ${usage.credits_balance}, reserved ${usage.credits_reserved}, available ${usage.credits_available}.`)
  for (const { calls, credits_charged, verb } of usage.last_30_days) {
    say(
      `  ${verb.padEnd(20)} ${String(calls).padStart(4)} ${calls === 1 ? "call " : "calls"}  ${credits_charged} credits`
    )
  }
}

export const happened = async (agent: Agent, campaignId: string, mayReadTrail: boolean): Promise<void> => {
  step("Read the trail (GET /v1/trail)")
  if (!mayReadTrail) return say("This key lacks trail:read; an owner can grant it.")
  const { result: trail } = await agent.get(`/v1/trail?campaign_id=${campaignId}&limit=200`)
  const kinds = new Map<string, number>()
  for (const { kind } of trail.events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  say([...kinds].map(([kind, number]) => `${number} ${kind}`).join(", "))
}
