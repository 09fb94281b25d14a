/** Chats of others, with upstreams that do what theirs did, through a running service and one of its live workspaces. */
import { Effect } from "effect"
import { request } from "node:http"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { makeScriptedUpstream, type ScriptedUpstream } from "@outbound/testkit/providers/ScriptedUpstream.js"
import { type ChatCase, CHATS, good, type Seen } from "./chatScripts.js"
import type { Outcome } from "./outcome.js"
import { type Service, withService } from "./Service.js"

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

interface Answer {
  readonly choices?: ReadonlyArray<{
    readonly delta?: { readonly content?: unknown }
    readonly message?: { readonly content?: unknown }
  }>
  readonly error?: { readonly code: string }
  readonly usage?: { readonly total_tokens?: number }
  readonly svc?: unknown
}

const asked = (
  url: string,
  { body, headers, leavesAfter }: { body?: string; headers: Record<string, string>; leavesAfter?: number }
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sending = request(url, { method: body === undefined ? "GET" : "POST", headers }, (response) => {
      const parts: Array<Buffer> = []
      let events = 0
      const end = () => {
        const text = Buffer.concat(parts).toString("utf8")
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      }
      response
        .on("data", (part: Buffer) => {
          parts.push(part)
          events += part.toString("latin1").split("data:").length - 1
          if (leavesAfter !== undefined && events >= leavesAfter) {
            end()
            sending.destroy()
          }
        })
        .on("end", end)
        .on("error", () => undefined)
    })
    sending.on("error", (error) => (leavesAfter === undefined ? reject(error) : undefined))
    sending.end(body)
  })

const jsonOf = <A>(text: string): A | null => {
  try {
    return JSON.parse(text) as A
  } catch {
    return null
  }
}

const saidIn = (answers: ReadonlyArray<Answer>): string =>
  answers
    .flatMap(({ choices }) => choices ?? [])
    .map(({ delta, message }) => delta?.content ?? message?.content)
    .filter((content) => typeof content === "string")
    .join("")

/** How often a call is looked at until it has ended, and how long it takes in between. */
const LOOKS_MAX = 100
const LOOK_MILLIS = 100

const recordOf = async (service: Service, authorization: string, requestId: string): Promise<Seen["record"]> => {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const { text } = await asked(`${service.url}/v1/requests/${requestId}`, { headers: { authorization } })
    const result = jsonOf<{ result?: { status: string; credits_charged: string; interrupted: boolean } }>(text)?.result
    if (result === undefined) return null
    if (result.status !== "pending") {
      return {
        status: result.status,
        charged: Number(result.credits_charged),
        interrupted: result.interrupted
      }
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLIS))
  }
  return null
}

const seenBy = async (
  service: Service,
  key: string,
  near: ScriptedUpstream,
  id: string,
  one: ChatCase
): Promise<Seen> => {
  const { headers = {}, input = {}, isRepeated, leavesAfter, path = "/v1/llm/chat/completions", stream } = one
  const authorization = `Bearer ${key}`
  const body =
    typeof input === "string"
      ? input
      : JSON.stringify({
          model: id,
          messages: [{ role: "user", content: "hi" }],
          ...(stream === true ? { stream } : {}),
          ...input
        })
  const all = {
    authorization,
    "content-type": "application/json",
    ...(isRepeated === true ? { "idempotency-key": id } : {}),
    ...headers
  }
  const ask = () =>
    asked(`${service.url}${path}`, { body, headers: all, ...(leavesAfter === undefined ? {} : { leavesAfter }) })
  const got = await ask()
  const whole = jsonOf<Answer>(got.text)
  const events = got.text.split("\n\n").flatMap((text) => jsonOf<Answer>(text.replace(/^data: /, "")) ?? [])
  const answers = whole === null ? events : [whole]
  const again = isRepeated === true ? saidIn([jsonOf<Answer>((await ask()).text) ?? {}]) : null
  return {
    status: got.status,
    text: got.text,
    said: saidIn(answers),
    code: answers.findLast(({ error }) => error !== undefined)?.error?.code ?? null,
    isDone: got.text.includes("data: [DONE]"),
    total: answers.findLast(({ svc }) => svc !== undefined)?.usage?.total_tokens ?? null,
    isJson: String(got.headers["content-type"]).includes("application/json"),
    retryAfter: got.headers["retry-after"] === undefined ? null : Number(got.headers["retry-after"]),
    record: await recordOf(service, authorization, String(got.headers["x-request-id"])),
    arrived: near.bodies(id) as ReadonlyArray<JsonObject>,
    again
  }
}

const configured = (ids: ReadonlyArray<string>, near: string, far: string) => {
  const upstream = (base: string) => ({ base_url: base, key: "env:UPSTREAM_KEY" })
  return {
    upstreams: {
      near: upstream(near),
      far: upstream(far),
      renamed: { ...upstream(near), limit_field: "max_completion_tokens" }
    },
    chat: ids.map((id) => {
      const first = CHATS[id]?.limitField === undefined ? "near" : "renamed"
      const names = CHATS[id]?.far === undefined ? [first] : [first, "far"]
      return { model: id, tier: "mini", upstreams: names.map((name) => ({ upstream: name, upstream_model: id })) }
    })
  }
}

/** A key of a live workspace. */
const liveKey = async ({ command }: Service): Promise<string> => {
  const owner = ["--owner-email", "owner@example.com"]
  const made = await command("workspace", "create", "--name", "Cases", ...owner, "--kind", "live", "--json")
  const { workspace_id } = JSON.parse(made.out) as { readonly workspace_id: string }
  const key = await command("key", "create", "--workspace", workspace_id, "--name", "cases", "--json")
  const { api_key, key_id } = JSON.parse(key.out) as { readonly api_key: string; readonly key_id: string }
  await command("key", "set", "--key", key_id, "--rate", "100000")
  return api_key
}

/** The cases of chats among these that are replayed. */
export const chatCases = (ids: ReadonlyArray<string>): Promise<ReadonlyArray<Outcome>> => {
  const known = ids.filter((id) => CHATS[id] !== undefined)
  if (known.length === 0) return Promise.resolve([])
  return Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const [near, far] = [yield* makeScriptedUpstream, yield* makeScriptedUpstream]
        for (const id of known) {
          near.script(id, CHATS[id]?.near ?? good)
          far.script(id, CHATS[id]?.far ?? good)
        }
        return yield* Effect.promise(() =>
          withService(
            async (service) => {
              const key = await liveKey(service)
              const outcomes: Array<Outcome> = []
              for (const id of known) {
                const one = CHATS[id]
                if (one === undefined) continue
                const seen = await seenBy(service, key, near, id, one)
                const { code, record, said, status } = seen
                const failures = one.right(seen)
                  ? []
                  : [`answered ${status} ${code ?? ""} "${said.slice(0, 60)}", recorded ${JSON.stringify(record)}`]
                outcomes.push({ id, kind: "chat", failures })
              }
              return outcomes
            },
            configured(known, near.baseUrl, far.baseUrl)
          )
        )
      })
    )
  )
}
