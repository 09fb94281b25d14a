import type { Dispatcher } from "undici"

/** A body on its way, which can be held up and given up. */
export type Arriving = Pick<Dispatcher.DispatchController, "pause" | "resume" | "abort">

/** Receives a body as it arrives, in plain code. */
export interface Receiver {
  readonly data: (bytes: Buffer) => void
  /** Nothing comes any more: null at its end, else what broke it off. */
  readonly over: (cause: unknown) => void
  /** Nobody wants it any more. */
  readonly leave: () => void
}

/** Why a request ends that was aborted. */
export const LEFT = "nobody waits any more"

/** Collects a text of at most `bytesMax`. */
export class TextReceiver implements Receiver {
  readonly #chunks: Array<Buffer> = []
  #size = 0

  constructor(
    private readonly bytesMax: number,
    private readonly arriving: Arriving,
    private readonly done: (text: string) => void,
    private readonly failed: (cause: unknown) => void
  ) {}

  data(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size <= this.bytesMax) return void this.#chunks.push(bytes)
    this.#abort(`the answer is larger than ${this.bytesMax} bytes`)
  }

  leave(): void {
    this.#abort(LEFT)
  }

  #abort(message: string): void {
    const cause = new Error(message)
    this.arriving.abort(cause)
    this.failed(cause)
  }

  over(cause: unknown): void {
    if (cause !== null) return this.failed(cause)
    const [only] = this.#chunks
    const whole = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#size)
    // JSON knows no mark of its encoding, which some servers send all the same.
    this.done(whole.toString("utf8", whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0))
  }
}

/** Receives a body by what its first bytes show it to be; what its head says of it may be wrong. */
export class ByFirstBytes implements Receiver {
  #chosen: Receiver | null = null

  constructor(
    private readonly arriving: Arriving,
    private readonly choose: (first: Buffer) => Receiver,
    private readonly failed: (cause: unknown) => void
  ) {}

  data(bytes: Buffer): void {
    this.#chosen ??= this.choose(bytes)
    this.#chosen.data(bytes)
  }

  over(cause: unknown): void {
    if (this.#chosen === null && cause !== null) return this.failed(cause)
    this.#chosen ??= this.choose(Buffer.alloc(0))
    this.#chosen.over(cause)
  }

  leave(): void {
    if (this.#chosen !== null) return this.#chosen.leave()
    const cause = new Error(LEFT)
    this.arriving.abort(cause)
    this.failed(cause)
  }
}
