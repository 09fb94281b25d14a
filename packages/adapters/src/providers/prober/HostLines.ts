import { Clock, Effect, Result, type Scope, Semaphore } from "effect"
import { Line, WAITING_MAX } from "./Line.js"
import type { Notes, Talk } from "./Notes.js"
import type { ProberSettings } from "../open/ProberSettings.js"
import { Session, Unanswered } from "./Session.js"
import type { WireFailure } from "./SmtpWire.js"

/** The most hosts remembered. Those without activity are dropped first. */
const LINES_MAX = 5_000

/** With this many hosts unreachable and none reachable, the fault is ours. */
const CUT_OFF_HOSTS = 6

/** How long a host that complains about connections gets one fewer. */
const FEWER_MILLIS = 60_000

/** The most turns of one probe at a host. */
const TURNS_MAX = 3

/** Asks over a session and takes notes. */
export type AskSession<A> = (session: Session, talk: Talk) => Effect.Effect<A, Unanswered>

export interface HostLines {
  /**
   * Uses a session with the host when it is our turn, a kept one if possible. Afterwards the session is kept or closed;
   * an interruption closes it.
   */
  readonly use: <A>(
    to: Pick<Target, "host" | "domain" | "addresses" | "notes">,
    ask: AskSession<A>
  ) => Effect.Effect<A, Unanswered>
  /** Whether no host is reachable, so that the fault is ours. */
  readonly isCutOff: () => boolean
}

/** The host of a session, its notes, and which parts may be interrupted. */
interface Target {
  readonly line: Line
  readonly host: string
  /** Of the recipient. */
  readonly domain: string
  readonly addresses: ReadonlyArray<string>
  readonly notes: Notes
  readonly restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Opened {
  readonly session: Session
  readonly talk: Talk
}

/** How a turn ended. `fewer`: the host wants fewer connections. `stale`: a kept connection had closed unnoticed. */
type Turn<A> = { readonly _tag: "Done"; readonly value: A } | { readonly _tag: "fewer" | "stale" }

const lost = (detail: string, isEarly: boolean): Unanswered => new Unanswered({ kind: "lost", detail, isEarly })

/** Connections to mail hosts: few per host, bounded in all, with pauses between probes. They close with the scope. */
export const makeHostLines = (settings: ProberSettings): Effect.Effect<HostLines, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { connectionsMax, connectionsPerHost, idleMillis } = settings
    const scope = yield* Effect.scope
    const lines = new Map<string, Line>()
    const all = Semaphore.makeUnsafe(connectionsMax)
    const outOfReach = new Set<string>()
    const live = new Set<Session>()
    /** Idle connections, the longest kept first, with what stops keeping them. */
    const kept = new Map<Session, () => void>()
    /** Connections given up and not yet closed. */
    const leaving = new Set<Promise<void>>()
    /** All connections, with those being opened or closed. */
    let open = 0

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const session of live) session.quit()
      })
    )

    const lineOf = (host: string): Line => {
      const known = lines.get(host)
      if (known !== undefined) return known
      for (const [name, one] of lines) {
        if (lines.size < LINES_MAX) break
        if (one.isUnused) lines.delete(name)
      }
      const line = new Line(settings)
      lines.set(host, line)
      return line
    }

    const keep = (line: Line, session: Session) => {
      if (!session.isOpen) return
      if (idleMillis === 0 || session.isWorn) return session.quit()
      const timer = setTimeout(() => session.quit(), idleMillis)
      timer.unref()
      line.idle.push(session)
      kept.set(session, () => {
        clearTimeout(timer)
        kept.delete(session)
        line.idle.splice(line.idle.indexOf(session), 1)
      })
    }

    const takeKept = (line: Line): Session | null => {
      const session = line.idle.at(-1) ?? null
      if (session !== null) kept.get(session)?.()
      return session
    }

    /** Counts until either side closes it. */
    const enter = (line: Line, session: Session) => {
      live.add(session)
      const { closed } = session
      const ended = () => {
        line.open -= 1
        live.delete(session)
        kept.get(session)?.()
        for (const those of [line.leaving, leaving]) those.add(closed)
        void closed.then(() => {
          open -= 1
          for (const those of [line.leaving, leaving]) those.delete(closed)
        })
      }
      session.onEnd = ended
      // It may have closed before we listened.
      if (!session.isOpen) ended()
    }

    /** Reserves a connection, waiting for room: closing ones end soon. */
    const reserve = (line: Line): Effect.Effect<void> =>
      Effect.suspend(() => {
        const isFull = open >= connectionsMax
        if (isFull) kept.keys().next().value?.quit()
        const others = isFull ? leaving : line.leaving
        if (others.size > 0 && (isFull || !line.hasRoom)) {
          return Effect.andThen(
            Effect.promise(() => Promise.race(others)),
            reserve(line)
          )
        }
        open += 1
        line.open += 1
        return Effect.void
      })

    const openOne = (
      { host, line, notes, restore }: Target,
      address: string,
      mayUseTls: boolean
    ): Effect.Effect<Opened, Unanswered | WireFailure> =>
      Effect.gen(function* () {
        yield* restore(reserve(line))
        const talk = notes.begin(host, address)
        const opening = Session.open({ host, address, settings, mayUseTls, talk, restore })
        const session = yield* Effect.onError(opening, () =>
          Effect.sync(() => {
            open -= 1
            line.open -= 1
          })
        )
        enter(line, session)
        return { session, talk }
      })

    /** Connects to the first address that answers, without TLS if TLS fails. */
    const openAny = (target: Target): Effect.Effect<Opened, Unanswered> =>
      Effect.gen(function* () {
        const { addresses, line } = target
        let last = new Unanswered({ kind: "unreachable", detail: "no address", isEarly: true })
        for (const address of addresses) {
          let opened = yield* Effect.result(openOne(target, address, !line.isPlain))
          if (Result.isFailure(opened) && opened.failure._tag === "WireFailure") {
            line.isPlain = true
            opened = yield* Effect.result(openOne(target, address, false))
          }
          if (Result.isSuccess(opened)) return opened.success
          last = opened.failure._tag === "Unanswered" ? opened.failure : lost(opened.failure.detail, true)
          if (last.kind !== "unreachable") break
        }
        return yield* last
      })

    const learn = ({ domain, host, line }: Target, failure: Unanswered | null) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (failure === null || failure.kind !== "unreachable") outOfReach.clear()
        else if (outOfReach.size < CUT_OFF_HOSTS) outOfReach.add(host)
        if (failure === null) line.answered(domain)
        else line.failed(failure, now, domain)
      })

    /** One turn, over a kept session if wanted and available. Run it uninterruptibly. */
    const turn = <A>(target: Target, ask: AskSession<A>, mayReuse: boolean): Effect.Effect<Turn<A>, Unanswered> =>
      Effect.gen(function* () {
        const { host, line, notes, restore } = target
        const reused = mayReuse ? takeKept(line) : null
        const opened =
          reused === null
            ? yield* Effect.result(openAny(target))
            : Result.succeed({ session: reused, talk: notes.begin(host, reused.address) })
        if (Result.isFailure(opened)) {
          const mindsOthers = opened.failure.kind === "busy" && line.open > 0 && line.fewer < connectionsPerHost - 1
          if (mindsOthers) return { _tag: "fewer" }
          yield* learn(target, opened.failure)
          return yield* opened.failure
        }
        const { session, talk } = opened.success
        const asked = yield* restore(ask(session, talk)).pipe(
          Effect.onInterrupt(() => {
            session.quit()
            return learn(target, lost("it took too long", false))
          }),
          Effect.result
        )
        if (Result.isSuccess(asked)) {
          yield* learn(target, null)
          keep(line, session)
          return { _tag: "Done", value: asked.success }
        }
        session.quit()
        if (reused !== null && asked.failure.kind === "lost") return { _tag: "stale" }
        yield* learn(target, asked.failure)
        return yield* asked.failure
      })

    const unlessResting = ({ domain, line }: Pick<Target, "domain" | "line">) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const why = line.restingAt(now, domain)
        return why === null ? Effect.void : Effect.fail(why)
      })

    const pace = (line: Line) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const millis = line.turnAt(now)
        return millis === 0 ? Effect.void : Effect.sleep(millis)
      })

    /** Releases a place; with delay if the host wants fewer connections. */
    const leave = (line: Line, isFewer: boolean): Effect.Effect<void> => {
      if (!isFewer) return Effect.asVoid(line.places.release(1))
      line.fewer += 1
      return Effect.sleep(FEWER_MILLIS).pipe(
        Effect.interruptible,
        Effect.ensuring(Effect.sync(() => (line.fewer -= 1))),
        Effect.ensuring(line.places.release(1)),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    }

    const inTurn = <A>(
      target: Omit<Target, "restore">,
      ask: AskSession<A>,
      mayReuse: boolean,
      turnsLeft: number
    ): Effect.Effect<A, Unanswered> => {
      const { line } = target
      return Effect.acquireUseRelease(
        Effect.interruptible(line.places.take(1)),
        () =>
          unlessResting(target).pipe(
            Effect.andThen(pace(line)),
            Effect.andThen(
              all.withPermits(1)(Effect.uninterruptibleMask((restore) => turn({ ...target, restore }, ask, mayReuse)))
            )
          ),
        (_, exit) => leave(line, exit._tag === "Success" && exit.value._tag === "fewer")
      ).pipe(
        Effect.flatMap((ended) => {
          if (ended._tag === "Done") return Effect.succeed(ended.value)
          if (turnsLeft === 0) return Effect.fail(lost("no connection stood", false))
          return inTurn(target, ask, ended._tag === "fewer", turnsLeft - 1)
        })
      )
    }

    return {
      isCutOff: () => outOfReach.size >= CUT_OFF_HOSTS,
      use: (to, ask) =>
        Effect.suspend(() => {
          const line = lineOf(to.host)
          if (line.waiting >= WAITING_MAX) {
            return Effect.fail(new Unanswered({ kind: "busy", detail: "too many wait for this host", isEarly: false }))
          }
          line.waiting += 1
          const target = { line, ...to }
          const asking = Effect.suspend(() => inTurn(target, ask, true, TURNS_MAX - 1))
          return unlessResting(target).pipe(
            Effect.andThen(line.isOdd(to.domain) ? line.oddPlace.withPermits(1)(asking) : asking),
            Effect.ensuring(Effect.sync(() => (line.waiting -= 1)))
          )
        })
    }
  })
