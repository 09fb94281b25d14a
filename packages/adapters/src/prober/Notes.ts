import type { JsonObject } from "@outbound/domain/calls/canonical.js"
import { printable, type Reply } from "./Reply.js"

const TALKS_MAX = 6
const EXCHANGES_MAX = 12
const COMMAND_CHARS_MAX = 340
const REPLY_CHARS_MAX = 160

/** What is kept of an answer's evidence has room for little more. */
const FACTS_CHARS_MAX = 1_700

/** What was said to one host, and what it answered. */
export class Talk {
  readonly #said: Array<{ readonly sent: string; readonly got: string }> = []
  ended: string | null = null
  hasTls = false

  constructor(
    readonly host: string,
    readonly address: string | null
  ) {}

  heard(sent: string, { code, text }: Reply): void {
    if (this.#said.length >= EXCHANGES_MAX) return
    this.#said.push({
      sent: printable(sent, COMMAND_CHARS_MAX),
      got: printable(`${code} ${text.replace(/\s+/g, " ")}`, REPLY_CHARS_MAX)
    })
  }

  get facts(): JsonObject {
    return {
      host: this.host,
      ...(this.address === null ? {} : { address: this.address, tls: this.hasTls }),
      said: this.#said,
      ...(this.ended === null ? {} : { ended: printable(this.ended, REPLY_CHARS_MAX) })
    }
  }
}

/** What an answer rests on, bounded: for whoever asks why it was given. */
export class Notes {
  readonly #talks: Array<Talk> = []
  /** The host refused a recipient that does not exist in an earlier session, a short while ago. */
  refusedOthersBefore = false

  begin(host: string, address: string | null): Talk {
    const talk = new Talk(host, address)
    if (this.#talks.length === TALKS_MAX) this.#talks.shift()
    this.#talks.push(talk)
    return talk
  }

  /** The last hosts that were asked, as many as there is room for: what came last decided. */
  get facts(): JsonObject {
    const asked: Array<JsonObject> = []
    let chars = 0
    for (const { facts } of this.#talks.toReversed()) {
      chars += JSON.stringify(facts).length
      if (chars > FACTS_CHARS_MAX && asked.length > 0) break
      asked.unshift(facts)
    }
    return { ...(this.refusedOthersBefore ? { refused_others_before: true } : {}), asked }
  }
}
