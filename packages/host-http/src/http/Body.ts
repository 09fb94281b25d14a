import type { IncomingMessage } from "node:http"
import type { Limits } from "./Limits.js"

/** A body as read. `Gone`: the client left early. `NoRoom`: the host is reading too much already. */
export type Body =
  | { readonly _tag: "Complete"; readonly bytes: Buffer }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "NoRoom" }
  | { readonly _tag: "Gone" }

const EMPTY = Buffer.alloc(0)

/** The declared length; null for chunks. */
export const declaredLength = (request: IncomingMessage): number | null =>
  request.headers["transfer-encoding"] === undefined ? Number(request.headers["content-length"] ?? 0) : null

export const hasBody = (request: IncomingMessage): boolean => declaredLength(request) !== 0

/** Reads bodies, at most `bytesMax` each and `bodiesBytesMax` together. */
export class BodyReader {
  private held = 0

  constructor(private readonly limits: Pick<Limits, "bodiesBytesMax">) {}

  /** Calls `done` exactly once. The rest of a body that is too large stays unread. */
  read(request: IncomingMessage, bytesMax: number, done: (body: Body) => void): void {
    const declared = declaredLength(request)
    if (declared === 0) return done({ _tag: "Complete", bytes: EMPTY })
    if (declared !== null && declared > bytesMax) return done({ _tag: "TooLarge" })

    const chunks: Array<Buffer> = []
    let size = 0
    const finish = (body: Body): void => {
      this.held -= size
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone)
      request.on("error", ignoreLateError)
      done(body)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      this.held += chunk.length
      if (size > bytesMax || this.held > this.limits.bodiesBytesMax) {
        request.pause()
        return finish({ _tag: size > bytesMax ? "TooLarge" : "NoRoom" })
      }
      chunks.push(chunk)
    }
    const onEnd = (): void =>
      finish({ _tag: "Complete", bytes: chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, size) })
    const onGone = (): void => finish({ _tag: "Gone" })
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone)
  }
}

/** An unread request may still fail; without a listener, that would end the process. */
const ignoreLateError = (): void => undefined
