import { assert, describe, it } from "@effect/vitest"
import { Changes, Watchers } from "@outbound/domain/control/console/Changes.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import { Deferred, Effect, Exit, Fiber, Layer, Option, References, Scope } from "effect"
import { request } from "node:http"
import { EVENTS_APART_MILLIS, eventPages } from "../src/console/events/eventRoutes.js"
import { type Inside, isPieces } from "../src/console/Visit.js"
import { Readiness } from "../src/health/Readiness.js"
import { LIMITS } from "../src/http/Limits.js"
import { layer as httpHost } from "../src/HttpHost.js"
import { HttpServer } from "../src/HttpServer.js"
import { consoleHost, purchase } from "./support/ConsoleHost.js"
import { Desk, deskWith } from "./support/Desk.js"
import { layer as scriptedCalls } from "./support/Scripted.js"
import { BASE, run, send, visitor } from "./support/Visitor.js"

const MILLIS_MAX = 10_000

/** A stream as a browser opens it. */
const listen = (cookie: string, from = "127.0.0.1") =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    let text = ""
    let isOver = false
    let wake = (): void => undefined
    const opened = yield* Effect.promise(
      () =>
        new Promise<{ readonly status: number; readonly close: () => void }>((resolve, reject) => {
          const asked = request(
            { host: "127.0.0.1", port, path: "/console/events", headers: { cookie, "x-forwarded-for": from } },
            (response) => {
              response.setEncoding("utf8")
              response.on("data", (piece: string) => {
                text += piece
                wake()
              })
              response.on("close", () => {
                isOver = true
                wake()
              })
              resolve({ status: response.statusCode ?? 0, close: () => asked.destroy() })
            }
          )
          asked.on("error", reject)
          asked.end()
        })
    )
    const until = (isDone: () => boolean) =>
      Effect.promise(async () => {
        const end = performance.now() + MILLIS_MAX
        while (!isDone()) {
          const left = end - performance.now()
          if (left <= 0) throw new Error(`nothing more came after ${JSON.stringify(text)}`)
          let timer: NodeJS.Timeout | undefined
          await new Promise<void>((resolve) => {
            wake = resolve
            timer = setTimeout(resolve, left)
          })
          clearTimeout(timer)
        }
      })
    const count = () => text.split("event: changed\n").length - 1
    return {
      ...opened,
      text: () => text,
      count,
      heard: (events: number) => until(() => count() >= events),
      open: until(() => text.includes(": open\n\n")),
      over: until(() => isOver)
    }
  })

/** A host whose changes the test makes. */
const scripted = (watchers: Watchers) =>
  httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, trustedProxies: ["127.0.0.1"] }).pipe(
    Layer.provide(Layer.succeed(Changes, Changes.of({ watch: watchers.watch }))),
    Layer.provideMerge(deskWith(MemoryMailer.layer)),
    Layer.provideMerge(scriptedCalls),
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(Layer.succeed(Settings, { baseUrl: BASE })),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

const secretOf = (cookie: string): string => cookie.slice(cookie.indexOf("=") + 1)

describe("the stream of changes", () => {
  it.live("says that the workspace changed, and nothing of what changed, to its members alone", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* listen((yield* visitor(desk.ours)).cookie)
        const them = yield* listen((yield* visitor(desk.theirs)).cookie)
        // What changed before the first look is not known, so it is told.
        yield* us.heard(1)
        yield* them.heard(1)
        yield* desk.add(desk.ours, purchase)
        yield* us.heard(2)
        assert.match(us.text(), /^: open\n\n(event: changed\nid: \d+\ndata: changed\n\n){2}$/)
        assert.strictEqual(them.count(), 1)
      })
    )
  )

  it.live("is for those who are signed in", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const refused = yield* send("GET", "/console/events")
        assert.strictEqual(refused.status, 401)
        assert.isFalse(refused.headers.has("set-cookie"), "it must not change where somebody gets after signing in")
        const { cookie } = yield* visitor(desk.ours)
        const opened = yield* listen(cookie)
        yield* opened.open
        const console = yield* Console
        yield* console.signOut(secretOf(cookie))
        assert.strictEqual((yield* send("GET", "/console/events", { cookie })).status, 401)
      })
    )
  )

  it.live("ends with its session before it says anything more", () => {
    const watchers = new Watchers()
    return Effect.gen(function* () {
      const desk = yield* Desk
      const console = yield* Console
      const { cookie } = yield* visitor(desk.ours)
      const opened = yield* listen(cookie)
      yield* opened.open
      yield* console.signOut(secretOf(cookie))
      watchers.tell(desk.ours.workspaceId)
      yield* opened.over
      assert.strictEqual(opened.count(), 0)
      assert.deepStrictEqual(watchers.workspaceIds, [])
    }).pipe(Effect.provide(scripted(watchers)))
  })

  it.live("makes one event of many changes within a second, and loses none", () => {
    const watchers = new Watchers()
    return Effect.gen(function* () {
      const desk = yield* Desk
      const opened = yield* listen((yield* visitor(desk.ours)).cookie)
      yield* opened.open
      const began = performance.now()
      for (let change = 0; change < 1_000; change += 1) watchers.tell(desk.ours.workspaceId)
      yield* opened.heard(1)
      for (let change = 0; change < 1_000; change += 1) watchers.tell(desk.ours.workspaceId)
      yield* opened.heard(2)
      assert.isAtLeast(performance.now() - began, EVENTS_APART_MILLIS * 0.95)
      assert.strictEqual(opened.count(), 2)
      // Somebody who leaves watches no longer.
      opened.close()
      yield* Effect.repeat(Effect.yieldNow, { until: () => watchers.workspaceIds.length === 0 })
    }).pipe(Effect.provide(scripted(watchers)))
  })

  it.live("is bounded for each session and each address, and gives a place back", () =>
    Effect.gen(function* () {
      const desk = yield* Desk
      const one = yield* visitor(desk.ours)
      const open = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        () => listen(one.cookie)
      )
      assert.deepStrictEqual([...new Set(open.map(({ status }) => status))], [200])
      assert.strictEqual((yield* listen(one.cookie, "192.0.2.1")).status, 429)
      const other = yield* visitor(desk.ours)
      assert.strictEqual((yield* listen(other.cookie)).status, 200)
      for (const { close } of open) close()
      const again = Effect.repeat(
        Effect.map(listen(one.cookie), ({ status }) => status),
        { until: (status) => status === 200 }
      )
      assert.strictEqual(yield* again, 200)
    }).pipe(Effect.provide(scripted(new Watchers())))
  )

  it.live("is bounded for each address, over all its sessions, and another address has its own places", () =>
    Effect.gen(function* () {
      const desk = yield* Desk
      const { watchersPerAddressMax, watchersPerSessionMax } = LIMITS
      const [here, there] = ["192.0.2.1", "192.0.2.2"]
      const visitors = yield* Effect.replicateEffect(visitor(desk.ours), watchersPerAddressMax / watchersPerSessionMax)
      const open = yield* Effect.forEach(
        visitors.flatMap(({ cookie }) => Array.from({ length: watchersPerSessionMax }, () => cookie)),
        (cookie) => listen(cookie, here)
      )
      assert.deepStrictEqual([open.length, ...new Set(open.map(({ status }) => status))], [watchersPerAddressMax, 200])
      const { cookie } = yield* visitor(desk.ours)
      assert.strictEqual((yield* listen(cookie, here)).status, 429)
      const refused = yield* send("GET", "/console/events", { cookie, "x-forwarded-for": here })
      assert.strictEqual(refused.headers.get("retry-after"), "30")
      assert.strictEqual((yield* listen(cookie, there)).status, 200)
      open[0]?.close()
      const again = Effect.repeat(
        Effect.map(listen(cookie, here), ({ status }) => status),
        { until: (status) => status === 200 }
      )
      assert.strictEqual(yield* again, 200)
    }).pipe(Effect.provide(scripted(new Watchers())))
  )

  it.live("holds one event for a reader who does not read, and gives its place back once they are cut off", () => {
    const watchers = new Watchers()
    return Effect.gen(function* () {
      const desk = yield* Desk
      const console = yield* Console
      const { cookie } = yield* visitor(desk.ours)
      const secret = secretOf(cookie)
      const { session } = Option.getOrThrow(yield* console.session(secret))
      const made = yield* Effect.provideService(eventPages, Changes, Changes.of({ watch: watchers.watch }))
      const [route] = made(() => () => undefined)
      const visit = { secret, workspaceId: session.workspaceId, client: "192.0.2.1" } as unknown as Inside
      const pieces = yield* route!.get!(visit as never)
      if (!isPieces(pieces)) return assert.fail("it is refused")

      // The first event finds no room.
      const sent: Array<string> = []
      const [asked, room] = [yield* Deferred.make<void>(), yield* Deferred.make<boolean>()]
      const write = (piece: string) =>
        Effect.suspend(() => {
          sent.push(piece)
          if (sent.length === 1) return Effect.succeed(true)
          return Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(room))
        })
      const stream = yield* Effect.forkChild(pieces.produce(write, () => () => undefined))
      watchers.tell(session.workspaceId)
      yield* Deferred.await(asked)
      for (let change = 0; change < 10_000; change += 1) watchers.tell(session.workspaceId)
      assert.lengthOf(sent, 2)
      // They are cut off: what changed meanwhile is not sent, and the stream ends.
      yield* Deferred.succeed(room, false)
      yield* Fiber.join(stream)
      assert.lengthOf(sent, 2)
      pieces.release?.()
      assert.deepStrictEqual(watchers.workspaceIds, [])
    }).pipe(Effect.provide(scripted(watchers)))
  })

  it.live("ends at once when the host stops", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(consoleHost(BASE), scope)
      const opened = yield* Effect.gen(function* () {
        const desk = yield* Desk
        return yield* listen((yield* visitor(desk.ours)).cookie)
      }).pipe(Effect.provide(context))
      yield* opened.open
      const began = performance.now()
      yield* Scope.close(scope, Exit.void)
      yield* opened.over
      assert.isBelow(performance.now() - began, 2_000)
    })
  )
})
