import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect } from "effect"
import type { Client } from "../../service/Client.js"
import { resultOf } from "./support.js"

export const person = (email: string): JsonObject => ({ person: { email } })

export const wants = (email: string, ...want: ReadonlyArray<string>): JsonObject => ({ ...person(email), want })

/** An enrichment that goes well and is charged so. */
export const enrich = (client: Client, input: JsonObject, charge: string) =>
  Effect.map(client.call("enrich", input), (answer) => {
    assert.strictEqual(resultOf(answer) && answer.svc.credits_charged, charge, answer.text)
    return answer.result
  })
