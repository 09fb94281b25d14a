import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request as an upstream sees it. */
export interface Asked {
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client sent, asserted member by member
  readonly body: any
  readonly response: ServerResponse
}

export type Script = (asked: Asked) => void

/** An upstream of chat completions over real HTTP that does with a model's requests what its script says. */
export interface ScriptedUpstream {
  readonly baseUrl: string
  readonly script: (model: string, script: Script) => void
  /** The bodies that arrived for a model. */
  // oxlint-disable-next-line typescript/no-explicit-any -- see `Asked`
  readonly bodies: (model: string) => ReadonlyArray<any>
}

/** Sends these pieces, each in a turn of its own, and ends; `after` does something else than ending. */
export const pieces =
  (
    texts: ReadonlyArray<string | Buffer>,
    after: (response: ServerResponse) => void = (response) => response.end()
  ): Script =>
  ({ response }) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const next = (at: number): void => {
      const text = texts[at]
      if (response.destroyed) return
      if (text === undefined) return after(response)
      response.write(text, () => setImmediate(() => next(at + 1)))
    }
    next(0)
  }

/** Answers in one piece. */
export const answers =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script =>
  ({ response }) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(Buffer.isBuffer(body) || typeof body === "string" ? body : JSON.stringify(body))
  }

const bodyOf = async (request: IncomingMessage): Promise<{ readonly model: string }> => {
  const chunks: Array<Buffer> = []
  for await (const part of request) chunks.push(part as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as { readonly model: string }
}

/** Listens until the scope closes. */
export const makeScriptedUpstream: Effect.Effect<ScriptedUpstream, never, Scope.Scope> = Effect.gen(function* () {
  const scripts = new Map<string, Script>()
  const arrived = new Map<string, Array<unknown>>()
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer((request, response) => {
        response.on("error", () => undefined)
        void bodyOf(request).then((body) => {
          arrived.set(body.model, [...(arrived.get(body.model) ?? []), body])
          const script = scripts.get(body.model) ?? answers(404, { error: { message: "no such model" } })
          script({ body, response })
        })
      })
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.promise(async () => {
        made.closeAllConnections()
        await new Promise((resolve) => made.close(resolve))
      })
  )
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script: (model, script) => void scripts.set(model, script),
    bodies: (model) => arrived.get(model) ?? []
  }
})
