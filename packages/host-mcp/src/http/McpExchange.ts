import type { Effect } from "effect"

/** What is sent back. */
export interface McpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What became of a request's body. */
export type McpBody =
  | { readonly _tag: "Complete"; readonly bytes: Buffer }
  | { readonly _tag: "TooLarge" }
  /** Too much is being read already. */
  | { readonly _tag: "NoRoom" }

/**
 * One request and its answer: the part of an HTTP server's exchange that the tool protocol uses. The server brings the
 * limits, the timeouts against slow clients, request ids, metrics and the orderly end.
 */
export interface McpExchange {
  readonly method: string
  readonly requestId: string
  /** What the metrics call it: a tool's name, never what a caller wrote. */
  label: string
  header(name: string): string | undefined
  /** Not called back where the client left before the end. */
  readBody(bytesMax: number, use: (body: McpBody) => void): void
  /** Sends a piece of the answer at once, its head with the first. False: the client has left. */
  write(headers: Readonly<Record<string, string>>, piece: string): Effect.Effect<boolean>
  /** Answers with what the effect comes to, never interrupted; what was begun by `write` is ended by it. */
  run(effect: Effect.Effect<McpReply>): void
}

/** A part of a server's address space. */
export interface McpSurface {
  readonly name: string
  readonly owns: (path: string) => boolean
  readonly handle: (exchange: McpExchange) => void
}
