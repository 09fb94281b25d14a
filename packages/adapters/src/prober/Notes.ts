import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { printable, type Reply } from "./Reply.js"

const TALKS_MAX = 6
const EXCHANGES_MAX = 12
const COMMAND_CHARS_MAX = 340
const REPLY_CHARS_MAX = 160

/** What is kept of an answer's evidence has room for little more. */
const FACTS_CHARS_MAX = 1_700

/** So long a local part is taken out wherever it stands, a shorter one where it is a word of its own. */
const TELLING_CHARS = 4

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** Finds the person of an address in what a server says, who may be repeated there without the domain, or in parts. */
const naming = (email: string): RegExp => {
  const local = email.slice(0, Math.max(email.lastIndexOf("@"), 0)).replace(/^"(.*)"$/s, "$1")
  const parts = local.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 1)
  const sought = [local, local.split("+")[0] ?? "", ...parts].filter((part) => part !== "")
  const longestFirst = [...new Set(sought)].toSorted((a, b) => b.length - a.length)
  const patterns = longestFirst.map((part) =>
    part.length < TELLING_CHARS ? `(?<![\\p{L}\\p{N}])${escaped(part)}(?![\\p{L}\\p{N}])` : escaped(part)
  )
  return patterns.length === 0 ? /(?!)/ : new RegExp(patterns.join("|"), "giu")
}

/** What was said to one host, and what it answered. */
export class Talk {
  readonly #said: Array<{ readonly sent: string; readonly got: string }> = []
  ended: string | null = null
  hasTls = false

  constructor(
    readonly host: string,
    readonly address: string | null,
    /** What in an answer says who was asked for; it is not kept. */
    private readonly person: RegExp
  ) {}

  heard(sent: string, { code, text }: Reply): void {
    if (this.#said.length >= EXCHANGES_MAX) return
    // Before it is cut: of half an address nothing says any more that it is one.
    const told = text.replace(/<[^<>\n]*@[^<>\n]*>|\S+@\S+/g, "[address]").replace(this.person, "[mailbox]")
    this.#said.push({
      sent: printable(sent, COMMAND_CHARS_MAX),
      got: printable(`${code} ${told.replace(/\s+/g, " ")}`, REPLY_CHARS_MAX)
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

/**
 * What an answer about somebody rests on, bounded: for whoever asks why it was given. It outlives them, so nothing that a
 * server says of them is kept; our own commands name them as an address, which whoever keeps it takes out.
 */
export class Notes {
  readonly #talks: Array<Talk> = []
  readonly #person: RegExp
  /** The host refused a recipient that does not exist in an earlier session, a short while ago. */
  refusedOthersBefore = false

  constructor(email: string) {
    this.#person = naming(email)
  }

  begin(host: string, address: string | null): Talk {
    const talk = new Talk(host, address, this.#person)
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
