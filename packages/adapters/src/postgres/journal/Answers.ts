import { ANSWERS_AT_ONCE } from "./limits.js"

/**
 * Answers settlements a few at a time. Each writes a response, and the database's answer to the running batch must not
 * wait for all of them.
 */
export class Answers {
  readonly #waiting: Array<() => void> = []
  #isRunning = false

  add(answers: ReadonlyArray<() => void>): void {
    this.#waiting.push(...answers)
    this.#run()
  }

  #run(): void {
    if (this.#isRunning || this.#waiting.length === 0) return
    this.#isRunning = true
    setImmediate(() => {
      this.#isRunning = false
      for (const answer of this.#waiting.splice(0, ANSWERS_AT_ONCE)) answer()
      this.#run()
    })
  }
}
