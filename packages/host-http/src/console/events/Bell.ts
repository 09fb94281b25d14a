import { Effect } from "effect"

/** Wakes a stream: rung while it is busy, it is heard once afterwards. */
export class Bell {
  #isRung = false
  #isOver = false
  #wake: (() => void) | null = null

  readonly ring = (): void => {
    this.#isRung = true
    this.#wake?.()
  }

  /** For good: there is no more to wait for. */
  readonly end = (): void => {
    this.#isOver = true
    this.#wake?.()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether it was rung since the last answer. */
  answer(): boolean {
    const wasRung = this.#isRung
    this.#isRung = false
    return wasRung
  }

  /** Until it is rung, but not longer. */
  heard(millisMax: number): Effect.Effect<void> {
    return this.#until(millisMax, () => this.#isRung || this.#isOver)
  }

  /** The whole time, unless it is over. */
  rest(millis: number): Effect.Effect<void> {
    return this.#until(millis, () => this.#isOver)
  }

  #until(millisMax: number, isDone: () => boolean): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      const end = () => {
        clearTimeout(timer)
        this.#wake = null
        resume(Effect.void)
      }
      const timer = setTimeout(end, millisMax)
      this.#wake = () => isDone() && end()
      this.#wake()
    })
  }
}
