import { Effect, Redacted, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { makeLlmJudge } from "../../src/llm/LlmJudge.js"
import { makeOpenAiChat } from "../../src/llm/OpenAiChat.js"

export interface Received {
  readonly url: string | undefined
  readonly authorization: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- what a server sees of JSON
  readonly body: any
}

export type Behave = (response: ServerResponse, request: Received) => void

/** A completion in the third-party form, as a model would word it. */
export const completion =
  (content: unknown, finish = "stop"): Behave =>
  (response) =>
    json(200, {
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        { index: 0, message: { role: "assistant", content, refusal: null }, finish_reason: finish, logprobs: null }
      ],
      usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }
    })(response)

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A real server that does with each request what is next in the list; the last one stays. */
export const endpoint = (...behaviours: ReadonlyArray<Behave>) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly received: ReadonlyArray<Received>
      readonly baseUrl: string
      readonly close: Effect.Effect<void>
    }>((resume) => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        void bodyOf(request).then((body) => {
          const seen = { url: request.url, authorization: request.headers.authorization, body: JSON.parse(body) }
          received.push(seen)
          behaviours[Math.min(received.length, behaviours.length) - 1]?.(response, seen)
        })
      })
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            received,
            baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
            close: Effect.callback<void>((done) => {
              server.close(() => done(Effect.void))
              server.closeAllConnections()
            })
          })
        )
      )
    }),
    ({ close }) => close
  ) satisfies Effect.Effect<unknown, never, Scope.Scope>

export const SECRET = "sk-a-very-secret-key"

/** A judge that asks this server, over the adapter for any such upstream. */
export const judgeAt = (baseUrl: string) =>
  Effect.map(makeOpenAiChat({ name: "upstream", baseUrl, apiKey: Redacted.make(SECRET) }), (upstream) =>
    makeLlmJudge({
      name: "llm_judge",
      upstream,
      model: "some-model",
      timeout: "4 seconds",
      costMicros: 500,
      latencyMillis: 1000
    })
  )
