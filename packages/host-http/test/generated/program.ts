/** The loop on a generated client: everything that it knows of the service stands in the document. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import createClient from "openapi-fetch"
import type { components, paths } from "./schema.js"

type Approved = "/v1/setup_sending" | "/v1/launch_campaign"
type Asked = { readonly confirmation_token: string; readonly approval_url: string }

const { API_KEY = "", URL_OF_SERVICE = "" } = process.env
const POLLS_MAX = 300
const POLL_MILLIS = 100

const client = createClient<paths>({ baseUrl: URL_OF_SERVICE, headers: { authorization: `Bearer ${API_KEY}` } })

/** The data of a success; of a failure its code, which the document tells apart. */
const dataOf = <Data>(answer: {
  readonly data?: Data
  readonly error?: { readonly error: { readonly code: string; readonly message: string } }
}): Data => {
  if (answer.data !== undefined) return answer.data
  throw new Error(`${answer.error?.error.code ?? "no answer"}: ${answer.error?.error.message ?? ""}`)
}

const say = (words: string): void => void process.stdout.write(`${words}\n`)

const key = () => ({ header: { "Idempotency-Key": randomUUID() } })

const awaitHuman = (what: Approved, { approval_url }: Asked): void => say(`approve ${what} ${approval_url}`)

const prospect = async () => {
  const search = { audience: "Heads of sales at software companies", limit: 3 }
  const planned = dataOf(await client.POST("/v1/find_leads", { body: { ...search, dry_run: true } })).result
  if (!("dry_run" in planned)) throw new Error("a dry run is answered with its plan")
  say(`at most ${planned.plan.credits_estimate} credits`)
  const found = dataOf(await client.POST("/v1/find_leads", { body: search })).result
  if ("dry_run" in found) throw new Error("a call is answered with its result")
  const people: ReadonlyArray<components["schemas"]["Contact"]> = found.leads
  say(`found ${people.length}`)
  const checked = dataOf(await client.POST("/v1/verify_email", { body: { email: "interested@magic.test" } })).result
  if ("status" in checked) say(`verified ${checked.status}`)
}

const setUpSending = async () => {
  const body = { daily_sends: 25, brand: "generated", identity: { first_name: "Ada", last_name: "Lovelace" } }
  const quoted = dataOf(await client.POST("/v1/setup_sending", { body })).result
  if (!("status" in quoted) || quoted.status !== "quote") throw new Error("the first answer is a quote")
  awaitHuman("/v1/setup_sending", quoted)
  const params = key()
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const { data, error } = await client.POST("/v1/setup_sending", {
      body: { ...body, confirmation_token: quoted.confirmation_token },
      params
    })
    if (data !== undefined) {
      if (!("status" in data.result) || data.result.status !== "purchased") throw new Error("the second is a purchase")
      return data.result.operation_id
    }
    if (error.error.code !== "confirmation_required") throw new Error(error.error.code)
    await pause(POLL_MILLIS)
  }
  throw new Error("nobody approved")
}

const awaitOperation = async (operation_id: string) => {
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const { result } = dataOf(await client.GET("/v1/operations/{operation_id}", { params: { path: { operation_id } } }))
    if (result.finished_at !== null) return say(`mailboxes ${result.status}`)
    await pause(POLL_MILLIS)
  }
  throw new Error("the mailboxes were not there in time")
}

const launch = async () => {
  const body = {
    name: "A generated client",
    recipients: [{ email: "interested@magic.test", first_name: "Ines" }, { email: "silent@magic.test" }],
    sequence: [{ subject: "Hello {{first_name|there}}", body: "Shall we talk?" }]
  }
  const drafted = dataOf(await client.POST("/v1/campaigns", { body, params: key() })).result
  if (!("campaign_id" in drafted)) throw new Error("a call is answered with its result")
  const { campaign_id } = drafted
  const params = key()
  const asked = dataOf(await client.POST("/v1/launch_campaign", { body: { campaign_id }, params })).result
  if (!("confirmation_token" in asked)) throw new Error("the first answer asks")
  awaitHuman("/v1/launch_campaign", asked)
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const confirmed = { campaign_id, confirmation_token: asked.confirmation_token }
    const { data, error } = await client.POST("/v1/launch_campaign", { body: confirmed, params })
    if (data !== undefined) return campaign_id
    if (error.error.code !== "confirmation_required") throw new Error(error.error.code)
    await pause(POLL_MILLIS)
  }
  throw new Error("nobody approved")
}

const firstReply = async (campaign_id: string) => {
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const { result } = dataOf(await client.POST("/v1/get_replies", { body: { campaign_id } }))
    const [first] = result.replies
    if (first !== undefined && first.classification !== null) return first
    await pause(POLL_MILLIS)
  }
  throw new Error("no reply came")
}

const follow = async (campaign_id: string) => {
  const { classification, reply_id } = await firstReply(campaign_id)
  say(`reply ${classification ?? "not classified"}`)
  const { lead } = dataOf(await client.POST("/v1/get_reply", { body: { reply_id } })).result
  if (lead === null) throw new Error("the reply belongs to nobody")
  const body = { campaign_lead_id: lead.campaign_lead_id, status: "meeting_booked" } as const
  const marked = dataOf(await client.POST("/v1/set_lead_status", { body, params: key() })).result
  if ("status" in marked) say(`recorded ${marked.status}`)
  const { result: trail } = dataOf(
    await client.GET("/v1/trail", { params: { query: { campaign_id, kind: ["sent", "reply"] } } })
  )
  say(`trail ${trail.events.length}`)
}

say(`I am ${dataOf(await client.GET("/v1/me")).result.key.name}`)
await prospect()
await awaitOperation(await setUpSending())
await follow(await launch())
const { error } = await client.GET("/v1/operations/{operation_id}", {
  params: { path: { operation_id: randomUUID() } }
})
if (error?.error.code === "not_found") say(`refused ${error.error.code}`)
say(`spent until ${dataOf(await client.GET("/v1/usage")).svc.credits_available}`)
