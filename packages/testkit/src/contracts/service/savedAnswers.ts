import { assert, layer as describeLayer } from "@effect/vitest"
import { ControlLog } from "@outbound/domain/control/ControlLog.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { SavedAnswers } from "@outbound/domain/control/SavedAnswers.js"
import { SAVED_ANSWERS_MAX, SAVED_CHARS_MAX } from "@outbound/domain/outreach/replies/savedAnswer.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { colleague, type ControlOnStores, office, refusedBy } from "./controlSupport.js"
import { ok, SUITE } from "./stories.js"

const HIDDEN = "\u200B"

const titles = (of: ReadonlyArray<{ readonly title: string }>) => of.map(({ title }) => title)

/** Texts that people save for their answers (contract: replies, saved answers). */
export const savedAnswersContract = <E>(name: string, service: Layer.Layer<ControlOnStores | Erasure, E>): void => {
  describeLayer(service, SUITE)(`saved answers (${name})`, (it) => {
    it.effect("owners and members write them, each change is in the control log, and keys only read them", () =>
      Effect.gen(function* () {
        const answers = yield* SavedAnswers
        const log = yield* ControlLog
        const { manager, member, owner } = yield* office()
        const other = yield* office()
        const { workspaceId } = manager
        const price = { title: "Price", body: "Hi {{first_name|there}},\n\nit costs nothing." }
        yield* answers.save(member, null, price)
        for (const role of ["approver", "reader"] as const) {
          const reader = yield* colleague(owner, role)
          yield* refusedBy("owner_required", answers.save(reader, null, { ...price, title: "Mine" }))
        }
        const [saved] = yield* answers.list(workspaceId)
        assert.deepInclude(saved, { ...price, savedBy: member.user.email })
        const { saved_answers } = ok(yield* manager.call("list_saved_answers", {})).result
        assert.deepStrictEqual(saved_answers, [
          {
            saved_answer_id: saved!.savedAnswerId,
            ...price,
            saved_at: new Date(saved!.savedAtMillis).toISOString()
          }
        ])
        assert.deepStrictEqual(ok(yield* other.manager.call("list_saved_answers", {})).result.saved_answers, [])
        yield* TestClock.adjust("1 second")
        yield* answers.save(owner, saved!, { ...price, body: "It is free." })
        // Nothing changed, so nothing is written.
        const [again] = yield* answers.list(workspaceId)
        yield* answers.save(owner, again!, { ...price, body: "It is free." })
        yield* refusedBy("not_found", answers.save(other.owner, again!, price))
        yield* answers.remove(other.owner, again!)
        yield* answers.remove(owner, again!)
        yield* answers.remove(owner, again!)
        const entries = yield* log.page({ workspaceId, keyId: null, limit: 20, before: null })
        const told = entries.filter(({ action }) => action === "save_answer" || action === "remove_saved_answer")
        assert.deepStrictEqual(
          told.map(({ action, actor }) => [action, actor.kind === "user" ? actor.email : ""]),
          [
            ["remove_saved_answer", owner.user.email],
            ["save_answer", owner.user.email],
            ["save_answer", member.user.email]
          ]
        )
        // The log is never rewritten: it has titles and digests, and no text.
        assert.notInclude(JSON.stringify(told), "free")
        assert.include(JSON.stringify(told), "Price")
      }).pipe(Effect.orDie)
    )

    it.effect("of two people who change one at once, the second is told, and nothing of the first is lost", () =>
      Effect.gen(function* () {
        const answers = yield* SavedAnswers
        const { manager, member, owner } = yield* office()
        yield* answers.save(owner, null, { title: "Price", body: "One" })
        const [seen] = yield* answers.list(manager.workspaceId)
        const both = yield* Effect.all(
          [owner, member].map((by, index) =>
            Effect.exit(answers.save(by, seen!, { title: "Price", body: `${index}` }))
          ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(both.filter(({ _tag }) => _tag === "Success").length, 1)
        const [kept] = yield* answers.list(manager.workspaceId)
        assert.strictEqual(kept!.body, both[0]!._tag === "Success" ? "0" : "1")
        yield* refusedBy("invalid", answers.remove(member, seen!))
        assert.lengthOf(yield* answers.list(manager.workspaceId), 1)
      }).pipe(Effect.orDie)
    )

    it.effect(
      "every mistake is told at once: nothing hidden, no unknown variable, no address in a title, not too much",
      () =>
        Effect.gen(function* () {
          const answers = yield* SavedAnswers
          const { manager, owner } = yield* office()
          const wrong = (title: string, body: string) =>
            Effect.map(Effect.flip(answers.save(owner, null, { title, body })), (error) =>
              "issues" in error ? error.issues.map(({ path }) => path) : []
            )
          assert.deepStrictEqual(yield* wrong("", " "), ["title", "text"])
          assert.deepStrictEqual(yield* wrong("To jo@acme.test", "Hi {{name}}"), ["title", "text"])
          assert.deepStrictEqual(yield* wrong(`Pri${HIDDEN}ce`, `H${HIDDEN}i`), ["title", "text"])
          assert.deepStrictEqual(yield* wrong("x".repeat(81), "y".repeat(SAVED_CHARS_MAX + 1)), ["title", "text"])
          for (let index = 0; index < SAVED_ANSWERS_MAX; index += 1) {
            yield* answers.save(owner, null, { title: `Answer ${index}`, body: "Hi" })
          }
          assert.deepStrictEqual(yield* wrong("One more", "Hi"), ["title"])
          assert.deepStrictEqual(yield* wrong("ANSWER 7", "Hi"), ["title", "title"])
          assert.lengthOf(yield* answers.list(manager.workspaceId), SAVED_ANSWERS_MAX)
        }).pipe(Effect.orDie)
    )

    it.effect("an erasure takes the address out of one; its other words stay", () =>
      Effect.gen(function* () {
        const answers = yield* SavedAnswers
        const erasure = yield* Erasure
        const { manager, owner } = yield* office()
        yield* answers.save(owner, null, { title: "Colleague", body: "Ask wil@helmina.test about it, please." })
        yield* answers.save(owner, null, { title: "Price", body: "Free." })
        yield* erasure.eraseFor(manager.workspaceId, "wil@helmina.test")
        const found = yield* answers.list(manager.workspaceId)
        assert.deepStrictEqual(titles(found), ["Colleague", "Price"])
        assert.notInclude(JSON.stringify(found), "helmina")
        assert.match(found[0]!.body, /^Ask .*about it, please\.$/)
      }).pipe(Effect.orDie)
    )
  })
}
