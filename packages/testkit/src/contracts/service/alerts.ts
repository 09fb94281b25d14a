import { assert, layer as describeLayer } from "@effect/vitest"
import * as AlertRounds from "@outbound/domain/control/alerts/AlertRounds.js"
import { Alerts } from "@outbound/domain/control/alerts/Alerts.js"
import { type AlertKind, AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { eventOf, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as ScriptedMailer from "../../mail/ScriptedMailer.js"
import { makeKey, send } from "../../service/Client.js"
import { type ControlOnStores, office, refusedBy } from "./controlSupport.js"
import { ok, SUITE } from "./stories.js"

type Needs = ControlOnStores | AlertStore | UnitOfWork

/** What owners are told of, and how often. */
export const alertsContract = <E>(name: string, service: Layer.Layer<Needs, E>): void => {
  const layer = AlertRounds.layer.pipe(Layer.provideMerge(Layer.merge(service, ScriptedMailer.layer)))
  const round = Effect.flatMap(AlertRounds.AlertRounds, (rounds) => rounds.round)

  const of = (by: Parameters<Alerts["Service"]["list"]>[0]) =>
    Effect.flatMap(Alerts, (alerts) => Effect.map(alerts.list(by, null), (list) => list.map(({ kind }) => kind)))
  const lettersTo = (email: string) =>
    Effect.map(ScriptedMailer.ScriptedMailer, ({ letters }) =>
      letters.filter(({ to }) => to === email).map(({ text }) => text)
    )

  const happen = (workspaceId: string, detail: Readonly<Record<string, unknown>>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const trail = yield* TrailStore
      const nowMillis = yield* Clock.currentTimeMillis
      const event = eventOf(yield* Ids, nowMillis, { workspaceId, kind: "mailbox_paused", source: "system", detail })
      yield* atomically(trail.append([event]))
    })

  describeLayer(layer, SUITE)(`alerts (${name})`, (it) => {
    it.effect("a low balance is told of once, by letter to owners alone, until there was another top-up", () =>
      Effect.gen(function* () {
        const { manager, member, owner } = yield* office({ credits: "51" })
        yield* round
        assert.isEmpty(yield* of(owner))
        ok(yield* send(manager.apiKey, "verify_email", { email: "valid@magic.test" }))
        ok(yield* send(manager.apiKey, "verify_email", { email: "invalid@magic.test" }))
        yield* round
        yield* round
        assert.deepStrictEqual(yield* of(member), ["low_balance"] satisfies Array<AlertKind>)
        const letters = yield* lettersTo(owner.user.email)
        assert.lengthOf(letters, 1)
        assert.include(letters[0], "49 credits are available")
        assert.isEmpty(yield* lettersTo(member.user.email))
        yield* TestClock.adjust("2 days")
        yield* round
        assert.lengthOf(yield* lettersTo(owner.user.email), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("the threshold is what owners set, and nobody else", () =>
      Effect.gen(function* () {
        const alerts = yield* Alerts
        const { member, owner } = yield* office({ credits: "100" })
        yield* refusedBy("owner_required", alerts.setThreshold(member, credits("500")))
        yield* alerts.setThreshold(owner, credits("500"))
        assert.strictEqual(yield* alerts.threshold(member), credits("500"))
        yield* round
        assert.deepStrictEqual(yield* of(owner), ["low_balance"])
        yield* alerts.setThreshold(owner, null)
        assert.isNull(yield* alerts.threshold(owner))
      }).pipe(Effect.orDie)
    )

    it.effect("a key is told of at 80 and at 100 percent of its monthly cap, once a month each", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office({ credits: "1000" })
        const { apiKey } = yield* makeKey(manager.workspaceId, manager.ownerEmail, { cap: credits("5") })
        const call = (at: number) => send(apiKey, "verify_email", { email: `valid+${at}@magic.test` })
        for (let at = 0; at < 3; at += 1) ok(yield* call(at))
        yield* round
        assert.isEmpty(yield* of(owner))
        ok(yield* call(3))
        yield* round
        ok(yield* call(4))
        yield* round
        const open = Effect.flatMap(Alerts, (alerts) => alerts.list(owner, null)).pipe(
          Effect.map((list) => list.filter(({ isOpen }) => isOpen).map(({ says }) => says))
        )
        assert.deepStrictEqual(yield* open, ["100"])
        yield* TestClock.adjust("25 hours")
        yield* round
        const letters = (yield* lettersTo(owner.user.email)).filter((text) => text.includes("monthly cap"))
        assert.lengthOf(letters, 2)
        assert.include(letters[0], "80 %")
        assert.include(letters[1], "100 %")
        yield* TestClock.adjust("31 days")
        assert.deepStrictEqual(yield* open, [])
      }).pipe(Effect.orDie)
    )

    it.effect("a mailbox that is paused again on the same day is told of once", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office({ credits: "1000" })
        const detail = { mailbox: "ada@acme-mail.test", reason: "upkeep_unpaid" }
        yield* happen(manager.workspaceId, { mailbox: "by.hand@acme-mail.test", reason: "owner" })
        yield* happen(manager.workspaceId, detail)
        yield* round
        yield* happen(manager.workspaceId, detail)
        yield* round
        const letters = yield* lettersTo(owner.user.email)
        assert.lengthOf(letters, 1)
        assert.include(letters[0], "ada[@]acme-mail[.]test was paused (upkeep unpaid)")
        const stranger = (yield* office({ credits: "1000" })).owner
        assert.isEmpty(yield* of(stranger))
      }).pipe(Effect.orDie)
    )

    it.effect(
      "letters that no server takes are tried again a bounded number of times; the alert stands meanwhile",
      () =>
        Effect.gen(function* () {
          const mail = yield* ScriptedMailer.ScriptedMailer
          const { manager, owner } = yield* office({ credits: "1000" })
          yield* happen(manager.workspaceId, { mailbox: "bob@acme-mail.test" })
          mail.trouble = Effect.fail(new ProviderFailure({ provider: "mail", reason: "transient" }))
          yield* round
          assert.deepStrictEqual(yield* of(owner), ["mailbox_paused"])
          mail.trouble = null
          yield* round
          assert.isEmpty(yield* lettersTo(owner.user.email))
          yield* TestClock.adjust("10 minutes")
          yield* round
          yield* TestClock.adjust("10 minutes")
          yield* round
          assert.lengthOf(yield* lettersTo(owner.user.email), 1)
        }).pipe(Effect.orDie)
    )

    it.effect("hosts that look at once tell of a thing once", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office({ credits: "1000" })
        yield* happen(manager.workspaceId, { mailbox: "cyd@acme-mail.test" })
        yield* Effect.all([round, round, round, round], { concurrency: "unbounded" })
        assert.lengthOf(yield* of(owner), 1)
        assert.lengthOf(yield* lettersTo(owner.user.email), 1)
      }).pipe(Effect.orDie)
    )
  })
}
