import { Data, Effect } from "effect"
import type { Talk } from "./Notes.js"
import type { ProberSettings } from "../open/ProberSettings.js"
import { type Reading, readingOf } from "./refusals.js"
import type { Reply } from "./Reply.js"
import { SmtpWire, WireFailure } from "./SmtpWire.js"

/** A host gave no answer about the recipient. */
export class Unanswered extends Data.TaggedError("Unanswered")<{
  /**
   * - `unreachable`: no connection; `lost`: it broke, or the replies made no sense.
   * - `busy`: it said to ask later; `refused`: it wants nothing from us.
   */
  readonly kind: "unreachable" | "lost" | "busy" | "refused"
  readonly detail: string
  /** It was said before a recipient was named, so the next host may be asked. */
  readonly isEarly: boolean
}> {}

/** The replies of one transaction. */
export interface Probed {
  readonly target: Reading
  /** Null: not asked. */
  readonly random: Reading | null
}

export interface Recipients {
  readonly target: string
  readonly random: string
  /** Whether the domain is known not to take every address. */
  readonly isSelective: boolean
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

const unanswered = (reply: Reply, what: string, isEarly: boolean): Unanswered =>
  new Unanswered({
    kind: reply.code < 400 ? "lost" : reply.code < 500 ? "busy" : "refused",
    detail: `${what} was answered with ${reply.code}`,
    isEarly
  })

const lost =
  (isEarly: boolean) =>
  ({ detail, kind }: WireFailure): Unanswered =>
    new Unanswered({ kind: kind === "unreachable" ? "unreachable" : "lost", detail, isEarly })

const isFine = ({ code }: Reply): boolean => code >= 200 && code < 300

/** Postfix slows down after ten refusals and stops after twenty; other servers are similar. */
const REFUSALS_MAX = 8

const NOTHING: Reply = { code: 0, status: null, text: "" }

const featuresOf = ({ text }: Reply): ReadonlySet<string> =>
  new Set(
    text
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/[ =]/)[0]?.toUpperCase() ?? "")
  )

const sameFeatures = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((name) => other.has(name))

const SERVER_NAME = /^(?:(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]+\b|\[)/i

const KEYWORDS = [
  "8BITMIME",
  "AUTH",
  "CHUNKING",
  "DSN",
  "ENHANCEDSTATUSCODES",
  "PIPELINING",
  "SIZE",
  "SMTPUTF8",
  "STARTTLS"
]

/** Whether a reply must be to EHLO or HELO: it begins with the server's name, or announces something. */
const isUnmistakable = (reply: Reply): boolean => {
  const features = featuresOf(reply)
  return SERVER_NAME.test(reply.text) || KEYWORDS.some((name) => features.has(name))
}

export interface SessionOptions {
  readonly host: string
  readonly address: string
  readonly settings: ProberSettings
  readonly mayUseTls: boolean
  readonly talk: Talk
  readonly restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A connection to a mail host, past its greeting. Names senders and recipients, and never begins a message. */
export class Session {
  private probes = 0
  private refusals = 0
  private features: ReadonlySet<string> = new Set()
  private introduced: { readonly command: string; readonly reply: Reply } = { command: "", reply: NOTHING }
  private isSecured = false

  private constructor(
    private readonly wire: SmtpWire,
    readonly host: string,
    readonly address: string,
    private readonly settings: ProberSettings
  ) {}

  /**
   * Connects and greets, with TLS if the server offers it. A `WireFailure` is TLS's: it may work without. Run it
   * uninterruptibly, so that no session is lost; `restore` marks the safe parts.
   */
  static open({
    address,
    host,
    mayUseTls,
    restore,
    settings,
    talk
  }: SessionOptions): Effect.Effect<Session, Unanswered | WireFailure> {
    const { connectMillis, smtpPort: port, sourceAddress } = settings
    return restore(SmtpWire.connect({ address, port, sourceAddress, connectMillis })).pipe(
      Effect.flatMap((wire) => {
        const session = new Session(wire, host, address, settings)
        return restore(session.introduce(mayUseTls, talk)).pipe(
          Effect.as(session),
          Effect.onError(() => Effect.sync(() => wire.quit()))
        )
      }),
      Effect.tapError(({ detail }) => Effect.sync(() => (talk.ended = detail))),
      Effect.mapError((failure) =>
        failure._tag === "WireFailure" && failure.kind !== "tls" ? lost(true)(failure) : failure
      )
    )
  }

  /** Whether the connection has asked as much as servers tolerate. */
  get isWorn(): boolean {
    return this.probes >= this.settings.probesPerConnection || this.refusals >= REFUSALS_MAX
  }

  get isOpen(): boolean {
    return this.wire.isOpen
  }

  /** Resolves when the connection is fully closed. */
  get closed(): Promise<void> {
    return this.wire.closed
  }

  set onEnd(told: () => void) {
    this.wire.onEnd = told
  }

  /** Notes commands that name a mailbox, and refusals; the rest says nothing about anybody. */
  private ask(command: string, talk: Talk, remark = ""): Effect.Effect<Reply, WireFailure> {
    return Effect.tap(this.wire.ask(command, this.settings.commandMillis), (reply) =>
      Effect.sync(() => {
        if (reply.code >= 400) this.refusals += 1
        if (reply.code >= 400 || /^(?:MAIL|RCPT)/.test(command)) talk.heard(command + remark, reply)
      })
    )
  }

  private introduce(mayUseTls: boolean, talk: Talk): Effect.Effect<void, Unanswered | WireFailure> {
    return Effect.gen({ self: this }, function* () {
      const greeting = yield* this.wire.greeting(this.settings.greetingMillis)
      talk.heard("", greeting)
      if (greeting.code !== 220) return yield* unanswered(greeting, "the connection", true)
      yield* this.hello(talk)
      if (!mayUseTls || !this.features.has("STARTTLS")) return
      const agreed = yield* this.ask("STARTTLS", talk)
      if (agreed.code !== 220) return
      yield* this.wire.secure(this.host, this.settings.commandMillis)
      this.isSecured = true
      talk.hasTls = true
      // Earlier announcements don't count under TLS (RFC 3207 §4.2).
      yield* this.hello(talk)
    })
  }

  private hello(talk: Talk): Effect.Effect<void, Unanswered | WireFailure> {
    return Effect.gen({ self: this }, function* () {
      const { heloName } = this.settings
      const extended = yield* this.ask(`EHLO ${heloName}`, talk)
      const isOld = extended.code >= 500 && extended.code < 505
      const command = isOld ? `HELO ${heloName}` : `EHLO ${heloName}`
      const reply = isOld ? yield* this.ask(command, talk) : extended
      if (!isFine(reply)) return yield* unanswered(reply, isOld ? "HELO" : "EHLO", true)
      this.introduced = { command, reply }
      this.features = isOld ? new Set() : featuresOf(reply)
    })
  }

  /**
   * Fails unless each reply belongs to its command. A server that replies twice would shift all later replies, so that
   * a refusal could look like an acceptance. The reply to EHLO is unmistakable and shows our position; repeating EHLO
   * is allowed (RFC 5321 §4.1.4).
   */
  private inStep(talk: Talk): Effect.Effect<void, WireFailure> {
    return Effect.gen({ self: this }, function* () {
      const { command, reply } = this.introduced
      const outOfStep = (detail: string) => new WireFailure({ kind: "broken", detail })
      if (!isUnmistakable(reply)) return yield* outOfStep("nothing tells its replies apart")
      const again = yield* this.ask(command, talk)
      // Some old servers accept it only once.
      if (again.code === 503) return
      const isSame = again.code === reply.code && sameFeatures(featuresOf(again), featuresOf(reply))
      if (!isSame || !isUnmistakable(again)) return yield* outOfStep("it answered something else than it was asked")
    })
  }

  /**
   * Names the recipient, and a nonexistent one if that tells more. The result counts only if the session ends in step,
   * with the last reply to our last command.
   */
  probe({ isSelective, random, target }: Recipients, talk: Talk): Effect.Effect<Probed, Unanswered> {
    const isInternational = !isAscii(target) || !isAscii(this.settings.mailFrom)
    return Effect.gen({ self: this }, function* () {
      this.probes += 1
      talk.hasTls = this.isSecured
      if (isInternational && !this.features.has("SMTPUTF8")) return { target: "unclear", random: null } as const
      const sender = `MAIL FROM:<${this.settings.mailFrom}>${isInternational ? " SMTPUTF8" : ""}`
      const begun = yield* Effect.mapError(this.ask(sender, talk), lost(true))
      if (!isFine(begun)) return yield* unanswered(begun, "MAIL", false)

      const named = yield* this.ask(`RCPT TO:<${target}>`, talk)
      const read = readingOf(named)
      if (named.code === 421) return this.closing({ target: read, random: null })
      const rest = this.afterNamed(read, { isSelective, random }, sender, talk)
      // "Ask later" needs no proof, and a server may hang up after it.
      return yield* read === "later"
        ? Effect.catch(rest, () => Effect.sync(() => this.closing({ target: read, random: null })))
        : rest
    }).pipe(
      Effect.tapError(({ detail }) => Effect.sync(() => (talk.ended = detail))),
      Effect.mapError((failure) => (failure._tag === "WireFailure" ? lost(false)(failure) : failure))
    )
  }

  /** The worth of the recipient's reply. Names the other one if that tells more, and checks that replies match. */
  private afterNamed(
    read: Reading,
    { isSelective, random }: Pick<Recipients, "isSelective" | "random">,
    sender: string,
    talk: Talk
  ): Effect.Effect<Probed, WireFailure> {
    return Effect.gen({ self: this }, function* () {
      yield* this.reset(talk)
      // Greylists delay each recipient: the nonexistent one must be known too when both are asked again.
      const isWorth = (read === "accepted" && !isSelective) || read === "later"
      const other = isWorth ? yield* this.nameOther(sender, random, talk) : null
      if (other?.code === 421) return this.closing({ target: read, random: "later" })
      if (other !== null) yield* this.reset(talk)
      if (read === "accepted" || read === "no_mailbox" || read === "full") yield* this.inStep(talk)
      return { target: read, random: other === null ? null : readingOf(other) }
    })
  }

  /** In its own transaction: many servers refuse two recipients without a sender. A new refusal of MAIL is about us. */
  private nameOther(sender: string, random: string, talk: Talk): Effect.Effect<Reply, WireFailure> {
    return Effect.gen({ self: this }, function* () {
      const begun = yield* this.ask(sender, talk)
      if (isFine(begun)) return yield* this.ask(`RCPT TO:<${random}>`, talk, " (made up)")
      return begun.code < 500 ? begun : { ...begun, status: "5.7.0" }
    })
  }

  private reset(talk: Talk): Effect.Effect<void, WireFailure> {
    return Effect.flatMap(this.ask("RSET", talk), (reply) =>
      isFine(reply)
        ? Effect.void
        : Effect.fail(new WireFailure({ kind: "broken", detail: `RSET was answered with ${reply.code}` }))
    )
  }

  /** The server announced that it closes. */
  private closing(probed: Probed): Probed {
    this.wire.destroy()
    return probed
  }

  /** Says goodbye if it still can. */
  quit(): void {
    this.wire.quit()
  }
}
