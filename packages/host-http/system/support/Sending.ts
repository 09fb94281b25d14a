import { Effect } from "effect"
import { type CallResponse, call, read, until } from "./Client.js"
import { approve } from "./Human.js"
import type { Place } from "./Place.js"
import type { Host } from "./Host.js"
import type { Tenant } from "./Tenant.js"

/** Enough for what is bought, and by far not for fifty calls that hold a purchase each. */
export const PURCHASE_CREDITS = 10_000

const expect200 = (answer: CallResponse): Effect.Effect<CallResponse, Error> =>
  answer.status === 200 ? Effect.succeed(answer) : Effect.fail(new Error(`${answer.status}: ${answer.text}`))

/** A confirmed call as the human approved it: its verb, and its body with the token. */
export interface Confirmed {
  readonly verb: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Asks without a token, lets the human approve, and answers the call that the token is good for. */
export const approved = (
  place: Place,
  host: Host,
  tenant: Tenant,
  verb: "setup_sending" | "launch_campaign",
  body: Readonly<Record<string, unknown>>,
  askKey: string
) =>
  Effect.gen(function* () {
    const asked = yield* Effect.flatMap(call(host, tenant.apiKey, verb, body, askKey), expect200)
    const { approval_url, confirmation_token } = asked.json.result as Record<string, string>
    yield* approve(place, host, tenant, approval_url ?? "")
    return { verb, body: { ...body, confirmation_token } } satisfies Confirmed
  })

export const purchase = (brand: string, dailySends: number) => ({
  brand,
  daily_sends: dailySends,
  identity: { first_name: "Ada", last_name: "Lovelace" }
})

/** Waits until the operation has succeeded, at whatever host is asked. */
export const provisioned = (host: Pick<Host, "port">, tenant: Tenant, operationId: string, secondsMax: number) =>
  until(
    read(host, tenant.apiKey, `/v1/operations/${operationId}`),
    ({ json }) => json?.result?.status === "succeeded",
    secondsMax
  )

/** Buys mailboxes and waits until they are there. */
export const buyCapacity = (place: Place, host: Host, tenant: Tenant, brand: string, dailySends: number) =>
  Effect.gen(function* () {
    const { body, verb } = yield* approved(place, host, tenant, "setup_sending", purchase(brand, dailySends), brand)
    const bought = yield* Effect.flatMap(call(host, tenant.apiKey, verb, body, brand), expect200)
    yield* provisioned(host, tenant, bought.json.result.operation_id as string, 90)
  })

/** A draft to people who never react. Its id. */
export const draftCampaign = (host: Host, tenant: Tenant, name: string, recipients: number, steps: number) =>
  Effect.gen(function* () {
    const body = {
      name,
      recipients: Array.from({ length: recipients }, (_, index) => ({ email: `silent+${name}-${index}@magic.test` })),
      sequence: Array.from({ length: steps }, (_, index) => ({
        ...(index === 0 ? { subject: "Hello" } : { wait_days: 3 }),
        body: `Message ${index + 1}`
      }))
    }
    const created = yield* Effect.flatMap(
      call(host, tenant.apiKey, "create_campaign", body, `draft ${name}`),
      expect200
    )
    return created.json.result.campaign_id as string
  })
