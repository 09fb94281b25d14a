import type pg from "pg"
import { PULSE_MILLIS_MAX, pauseMillis } from "./limits.js"

const BEAT = "SELECT 1"

/**
 * Whether this host reaches its database. Nobody asks while all goes well: a call that got no answer in time raises a doubt,
 * and a question to the database settles it. While the database does not answer, new calls are refused at once, and it is
 * asked again until it does.
 */
export class Pulse {
  #isDown = false
  #asking = false
  #ended = false

  constructor(private readonly pool: pg.Pool) {}

  get isDown(): boolean {
    return this.#isDown
  }

  /** Something got no answer. */
  doubt(): void {
    if (this.#asking || this.#ended) return
    this.#asking = true
    void this.#ask(0)
  }

  end(): void {
    this.#ended = true
  }

  async #ask(tries: number): Promise<void> {
    this.#isDown = !(await this.#beats())
    if (!this.#isDown || this.#ended) {
      this.#asking = false
      return
    }
    setTimeout(() => void this.#ask(tries + 1), pauseMillis(tries)).unref()
  }

  /** Bounded here too, because the pool may wait longer for a connection. */
  async #beats(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), PULSE_MILLIS_MAX)))
    const question: pg.QueryConfig & { query_timeout: number } = { text: BEAT, query_timeout: PULSE_MILLIS_MAX }
    const answer = this.pool.query(question).then(
      () => true,
      () => false
    )
    const beats = await Promise.race([answer, late])
    clearTimeout(timer)
    return beats
  }
}
