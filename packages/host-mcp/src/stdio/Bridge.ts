import { PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { Readable, Writable } from "node:stream"
import { INVALID_REQUEST, isObject, paramsOf, PARSE_ERROR, TRANSPORT_ERROR } from "../http/Messages.js"

/** A line, or a line that was too long. */
type Line = { readonly _tag: "Line"; readonly text: string } | { readonly _tag: "TooLong" }

const NEWLINE = 0x0a

/** The lines of a stream. A line that is too long is reported once and skipped to its end. */
export async function* linesOf(input: Readable, bytesMax: number): AsyncGenerator<Line> {
  let kept: Array<Buffer> = []
  let size = 0
  let isSkipping = false
  const add = (part: Buffer): boolean => {
    if (isSkipping || part.length === 0) return false
    size += part.length
    if (size <= bytesMax) {
      kept.push(part)
      return false
    }
    isSkipping = true
    kept = []
    return true
  }
  const take = (): string => {
    const text = isSkipping ? "" : Buffer.concat(kept).toString("utf8").trim()
    kept = []
    size = 0
    isSkipping = false
    return text
  }
  for await (const chunk of input) {
    let rest = Buffer.from(chunk as Buffer)
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (add(rest.subarray(0, end))) yield { _tag: "TooLong" }
      rest = rest.subarray(end + 1)
      const text = take()
      if (text !== "") yield { _tag: "Line", text }
    }
    if (add(rest)) yield { _tag: "TooLong" }
  }
  const text = take()
  if (text !== "") yield { _tag: "Line", text }
}

/** The data of server-sent events (WHATWG HTML §9.2). */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ""
  let data: Array<string> = []
  for (;;) {
    const { done, value } = await reader.read()
    text += done ? decoder.decode() : decoder.decode(value, { stream: true })
    const lines = text.split(/\r\n|\n|\r/)
    text = lines.pop() ?? ""
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5))
      if (line !== "" || data.length === 0) continue
      yield data.join("\n")
      data = []
    }
    if (done) return
  }
}

/** The hosted endpoint refuses longer messages. */
const LINE_BYTES_MAX = 4 * 1024 * 1024 + 64 * 1024
/** The most messages in flight. */
const IN_FLIGHT_MAX = 64

export interface BridgeOptions {
  /** The hosted endpoint. */
  readonly endpoint: URL
  readonly apiKey: string
  readonly input: Readable
  readonly output: Writable
}

const METHODS_WITH_NAMES: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

/** Text that fits in a header. */
const HEADER_TEXT = /^[\x20-\x7e]*$/

/** From 2026-07-28 on, headers repeat the body's method and name for intermediaries (MCP 2026-07-28, transports). */
const describing = (message: JsonObject, revision: string): Record<string, string> => {
  const method = String(message["method"])
  const name = paramsOf(message)[METHODS_WITH_NAMES[method] ?? ""]
  return {
    "mcp-protocol-version": revision,
    "mcp-method": method,
    ...(typeof name === "string" && HEADER_TEXT.test(name) ? { "mcp-name": name } : {})
  }
}

const revisionOf = (message: JsonObject): string | null => {
  const meta = paramsOf(message)["_meta"]
  const revision = isObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined
  return typeof revision === "string" ? revision : null
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message || ((cause as { readonly code?: string }).code ?? "") : String(cause)
}

/**
 * Passes messages between two streams and the hosted endpoint. It knows no tools, validates nothing and retries nothing.
 * It only remembers the revision and session of the older protocol revisions.
 */
class Bridge {
  private revision: string | null = null
  private sessionId: string | null = null

  constructor(private readonly options: BridgeOptions) {}

  /** Writes a message and waits for room for more. */
  private async write(message: Json): Promise<void> {
    const { output } = this.options
    if (output.write(`${JSON.stringify(message)}\n`)) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        output.off("drain", end).off("close", end)
        resolve()
      }
      output.on("drain", end).on("close", end)
    })
  }

  private fail(id: Json, code: number, message: string): Promise<void> {
    return this.write({ jsonrpc: "2.0", id, error: { code, message } })
  }

  private headersOf(message: Json): Record<string, string> {
    const revision = isObject(message) ? revisionOf(message) : null
    return {
      authorization: `Bearer ${this.options.apiKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(isObject(message) && revision !== null
        ? describing(message, revision)
        : {
            ...(this.revision === null ? {} : { "mcp-protocol-version": this.revision }),
            ...(this.sessionId === null ? {} : { "mcp-session-id": this.sessionId })
          })
    }
  }

  /** Remembers the revision agreed on in `initialize`, which later requests must name. */
  private remember(sent: Json, response: Response, answer: Json): void {
    if (!isObject(sent) || sent["method"] !== "initialize" || !isObject(answer)) return
    const revision = isObject(answer["result"]) ? answer["result"]["protocolVersion"] : undefined
    if (typeof revision === "string") this.revision = revision
    this.sessionId = response.headers.get("mcp-session-id")
  }

  /** Adds the request's id to a refusal made before the endpoint knew it. */
  private answerTo(sent: Json, answer: Json): Json {
    const id = isObject(sent) ? sent["id"] : undefined
    return isObject(answer) && answer["id"] === null && id !== undefined ? { ...answer, id } : answer
  }

  private async pass(sent: Json, response: Response): Promise<void> {
    const id = isObject(sent) ? sent["id"] : undefined
    const type = response.headers.get("content-type") ?? ""
    if (type.startsWith("text/event-stream") && response.body !== null) {
      for await (const data of eventsOf(response.body)) {
        const message = JSON.parse(data) as Json
        this.remember(sent, response, message)
        await this.write(message)
      }
      return
    }
    const text = await response.text()
    if (type.startsWith("application/json") && text !== "") {
      const answer = JSON.parse(text) as Json
      this.remember(sent, response, answer)
      // Notifications get no answer.
      return id === undefined && isObject(sent) ? undefined : this.write(this.answerTo(sent, answer))
    }
    if (!response.ok && id !== undefined) {
      await this.fail(id, TRANSPORT_ERROR, `${this.options.endpoint.href} answered ${response.status}.`)
    }
  }

  private async send(message: Json): Promise<void> {
    const { endpoint } = this.options
    try {
      const body = JSON.stringify(message)
      // Don't follow redirects: the key goes only to the configured URL.
      const headers = this.headersOf(message)
      await this.pass(message, await fetch(endpoint, { method: "POST", headers, body, redirect: "error" }))
    } catch (error) {
      const id = isObject(message) ? message["id"] : undefined
      if (id === undefined) return
      const advice = "The call may have run: repeat it only with the same idempotency_key."
      await this.fail(id, TRANSPORT_ERROR, `${endpoint.href} can't be reached: ${reasonOf(error)}. ${advice}`)
    }
  }

  async run(): Promise<void> {
    const inFlight = new Set<Promise<void>>()
    for await (const line of linesOf(this.options.input, LINE_BYTES_MAX)) {
      if (line._tag === "TooLong") {
        await this.fail(null, INVALID_REQUEST, `A message can have at most ${LINE_BYTES_MAX} bytes.`)
        continue
      }
      let message: Json
      try {
        message = JSON.parse(line.text) as Json
      } catch {
        await this.fail(null, PARSE_ERROR, "The line is not valid JSON.")
        continue
      }
      if (inFlight.size >= IN_FLIGHT_MAX) await Promise.race(inFlight)
      const sending = this.send(message).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
    }
    await Promise.all(inFlight)
  }
}

/** Ends when the input has ended and every message is answered. */
export const bridge = (options: BridgeOptions): Promise<void> => new Bridge(options).run()
