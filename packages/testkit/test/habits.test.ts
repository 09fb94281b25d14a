import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type HabitBed, HABITS } from "../src/harness/habits.js"
import { inMemory, type InMemory } from "../src/harness/inMemory.js"
import { recipients } from "../src/harness/magic.js"

let service: InMemory
beforeAll(async () => void (service = await inMemory()))
afterAll(() => service.close())

const CAPACITY = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

let fresh = 0

/** A workspace of its own, in memory. */
const bedOf = async (): Promise<HabitBed> => {
  const workspace = await service.workspace({
    scopes: ["data:read", "usage:read", "campaign:write", "campaign:launch", "assets:purchase", "trail:read"]
  })
  await workspace.grant("5000")
  const ask = async (verb: VerbName, request: object, key = `own-${(fresh += 1)}`) => {
    const { error, result } = await workspace.call(verb, request, { key })
    const words = `${error?.message ?? ""} ${JSON.stringify(error?.details ?? {})}`
    return { code: error?.code ?? null, words, result }
  }
  const quote = await ask("setup_sending", CAPACITY)
  await workspace.human.approve(quote.result.approval_url)
  await ask("setup_sending", { ...CAPACITY, confirmation_token: quote.result.confirmation_token })
  await service.clock.advance(5)
  return {
    ask,
    human: workspace.human,
    sends: () => service.clock.advance(20),
    address: () => recipients.silent(`${(fresh += 1)}`),
    people: 20
  }
}

describe("an agent that", () => {
  it.each(HABITS)("$name", async ({ run }) => run(await bedOf()))
})
