import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { printable, type Reply } from "./Reply.js"

const TALKS_MAX = 6
const EXCHANGES_MAX = 12
const COMMAND_CHARS_MAX = 340
const REPLY_CHARS_MAX = 160

/** Evidence has room for little more. */
const FACTS_CHARS_MAX = 1_700

/** A local part of this length is removed anywhere, a shorter one only as a separate word. */
const TELLING_CHARS = 4

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** Finds the person in a server's text, which may repeat the local part alone or in pieces. */
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

/** The commands to one host and its answers. */
export class Talk {
  readonly #said: Array<{ readonly sent: string; readonly got: string }> = []
  ended: string | null = null
  hasTls = false

  constructor(
    readonly host: string,
    readonly address: string | null,
    /** Text of an answer that identifies the person, to remove. */
    private readonly person: RegExp
  ) {}

  heard(sent: string, { code, text }: Reply): void {
    if (this.#said.length >= EXCHANGES_MAX) return
    // Before cutting: half an address isn't recognised as one.
    const redacted = text.replace(/<[^<>\n]*@[^<>\n]*>|\S+@\S+/g, "[address]").replace(this.person, "[mailbox]")
    this.#said.push({
      sent: printable(sent, COMMAND_CHARS_MAX),
      got: printable(`${code} ${redacted.replace(/\s+/g, " ")}`, REPLY_CHARS_MAX)
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
 * The evidence of an answer, bounded. It outlives the person's data, so what servers say about the person is removed.
 * Our own commands name them by address, which the store removes.
 */
export class Notes {
  readonly #talks: Array<Talk> = []
  readonly #person: RegExp
  /** The host refused a nonexistent recipient in a recent session. */
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

  /** The last hosts asked, as many as fit: the last answer decided. */
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
