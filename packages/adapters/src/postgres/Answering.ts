import { Redacted } from "effect"
import pg from "pg"

/** Longest wait for the answer that shows whether the database is there. A busy machine opens connections slowly. */
const QUESTION_MILLIS_MAX = 2_500

/**
 * Whether the database answers at all, asked on a connection of its own for all who wait at once. A statement without an
 * answer may be a long one, or one whose host was cut off: only the second is given up.
 */
export class Answering {
  #asking: Promise<boolean> | undefined

  constructor(
    private readonly url: Redacted.Redacted,
    private readonly applicationName: string,
    /** How long a statement may be without an answer before somebody asks. */
    readonly afterMillis: number
  ) {}

  ask(): Promise<boolean> {
    this.#asking ??= this.#question().finally(() => (this.#asking = undefined))
    return this.#asking
  }

  async #question(): Promise<boolean> {
    const client = new pg.Client({
      connectionString: Redacted.value(this.url),
      application_name: this.applicationName,
      connectionTimeoutMillis: QUESTION_MILLIS_MAX,
      query_timeout: QUESTION_MILLIS_MAX
    })
    client.on("error", () => {})
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), QUESTION_MILLIS_MAX)))
    const answer = client
      .connect()
      .then(() => client.query("SELECT 1"))
      .then(
        () => true,
        // A server that refuses another connection is there.
        (error: unknown) => error instanceof pg.DatabaseError
      )
    const answers = await Promise.race([answer, late])
    clearTimeout(timer)
    void client.end().catch(() => {})
    return answers
  }
}
