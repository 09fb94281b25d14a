import type { Effect } from "effect"

export interface McpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type McpBody =
  | { readonly _tag: "Complete"; readonly bytes: Buffer }
  | { readonly _tag: "TooLarge" }
  /** The host is reading too much already. */
  | { readonly _tag: "NoRoom" }

/**
 * A request and its answer: the part of the HTTP server's exchange that MCP uses. The server adds limits, timeouts,
 * request ids, metrics and draining.
 */
export interface McpExchange {
  readonly method: string
  readonly requestId: string
  /** Its name in metrics: a tool's name, never a caller's text. */
  label: string
  header(name: string): string | undefined
  /** Never calls back if the client leaves early. */
  readBody(bytesMax: number, use: (body: McpBody) => void): void
  /** Sends a piece of the answer, with the head before the first one. False: the client has left. */
  write(headers: Readonly<Record<string, string>>, piece: string): Effect.Effect<boolean>
  /** Runs the effect uninterrupted and sends its reply, or ends what `write` began. */
  run(effect: Effect.Effect<McpReply>): void
}

/** A part of the server's paths. */
export interface McpSurface {
  readonly name: string
  readonly owns: (path: string) => boolean
  readonly handle: (exchange: McpExchange) => void
}
