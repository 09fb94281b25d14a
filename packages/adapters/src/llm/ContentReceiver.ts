import type { Transform } from "node:stream"
import type { Arriving, Receiver } from "./Arriving.js"
import { decodersOf } from "./contentCodings.js"

/** Decodes a body on its way to its receiver, which holds up the body through it. Most bodies go past as they are. */
export class ContentReceiver<R extends Receiver> implements Receiver {
  readonly receiver: R
  #isFirst = true
  #decoding: { readonly head: Transform; readonly tail: Transform } | null = null
  #isOver = false

  constructor(
    private readonly body: Arriving,
    private readonly coding: string,
    make: (arriving: Arriving) => R
  ) {
    this.receiver = make({
      pause: () => (this.#decoding === null ? body.pause() : this.#decoding.tail.pause()),
      resume: () => (this.#decoding === null ? body.resume() : this.#decoding.tail.resume()),
      abort: (cause) => body.abort(cause)
    })
  }

  data(bytes: Buffer): void {
    if (this.#isFirst) this.#begin(bytes)
    if (this.#decoding === null) return this.#isOver ? undefined : this.receiver.data(bytes)
    if (!this.#decoding.head.write(bytes)) this.body.pause()
  }

  over(cause: unknown): void {
    if (this.#decoding === null) return this.#end(cause)
    if (cause === null) return void this.#decoding.head.end()
    this.#decoding.head.destroy()
    this.#decoding.tail.destroy()
    this.#end(cause)
  }

  leave(): void {
    this.receiver.leave()
  }

  #begin(first: Buffer): void {
    this.#isFirst = false
    try {
      const decoders = decodersOf(this.coding, first)
      const [head] = decoders
      const tail = decoders.at(-1)
      if (head === undefined || tail === undefined) return
      this.#decoding = { head, tail }
      decoders.reduce((before, next) => before.pipe(next))
      for (const decoder of decoders) decoder.on("error", (cause) => this.#broken(cause))
      head.on("drain", () => this.body.resume())
      tail.on("data", (bytes: Buffer) => this.receiver.data(bytes))
      tail.on("end", () => this.#end(null))
    } catch (cause) {
      this.#broken(cause)
    }
  }

  #broken(cause: unknown): void {
    this.#end(cause)
    this.body.abort(cause instanceof Error ? cause : new Error("it can't be decoded"))
  }

  /** Once: what is aborted for being broken ends a second time. */
  #end(cause: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.receiver.over(cause)
  }
}
