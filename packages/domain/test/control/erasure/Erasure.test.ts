import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { ERASED_MAX } from "../../../src/control/erasure/Erasure.js"
import type { Words } from "../../../src/control/erasure/ErasureStore.js"
import type { SignedIn } from "../../../src/control/users/UserStore.js"
import { EVERYBODY } from "../../../src/kernel/people/subjects.js"
import { ANN, ann, type Erase, erasing, type Had, HASH, NOW } from "./erasing.js"

const hashed = (fingerprint: string) => `person:w\nfingerprint\n${fingerprint}`

const NOTHING = {
  erasureId: "id",
  known: false,
  leads: 0,
  replies: 0,
  answers: 0,
  waiting: 0,
  outcomes: 0,
  contacts: 0,
  late: 0,
  directory: 0,
  mentions: 0,
  trail: false,
  suppressed: false
}

const contactOf = (work_email: string, fingerprint: string) => ({ fingerprint, work_email })
const words = (id: string, value: unknown): Words => ({ id, text: JSON.stringify(value) })

describe("the erasure of a person", () => {
  it.effect("opens a request before it removes anything, finishes it last, and tells nothing of who is unknown", () =>
    Effect.gen(function* () {
      const { did, of, report } = yield* erasing({}, ann)
      assert.deepStrictEqual(report, NOTHING)
      assert.deepStrictEqual(did[0], [
        "open",
        {
          workspaceId: "w",
          erasureId: "id",
          addressHash: HASH,
          requestedByUserId: null,
          requestedAtMillis: NOW,
          fingerprints: [],
          told: false,
          finishedAtMillis: null
        }
      ])
      assert.deepStrictEqual(did.slice(-2), [["subject"], ["finish", "id", NOW]])
      assert.deepStrictEqual(of("update"), [["update", [], false]])
      assert.deepStrictEqual(of("tell", "wake", "offered", "suppress"), [])
      assert.deepStrictEqual(of("ofContacts", "ofLate", "ofCalls"), [
        ["ofCalls", [HASH]],
        ["ofContacts", [HASH]],
        ["ofLate", [HASH, EVERYBODY]]
      ])
    })
  )

  const alone: Readonly<Record<string, readonly [Had, Partial<typeof NOTHING>]>> = {
    leads: [{ leads: [1] }, { leads: 1 }],
    replies: [{ replies: [1] }, { replies: 1 }],
    answers: [{ answers: [1] }, { answers: 1 }],
    "mail that waits": [{ waiting: [[{ kind: "reply" }]] }, { waiting: 1 }],
    "a shown approval": [{ shown: [1] }, { mentions: 1 }],
    "a note that they were left out": [{ leftOut: [1] }, { mentions: 1 }],
    "a verdict": [{ verdicts: 1 }, { mentions: 1 }],
    "an outcome": [{ outcomes: { a: [HASH, `{"email":"${ANN}"}`] } }, { outcomes: 1 }],
    "a kept contact": [{ forgottenContacts: [1] }, { contacts: 1 }],
    "a late lookup": [{ late: [1] }, { late: 1 }],
    "a call that named them": [{ calls: [1] }, {}],
    "a row of the directory": [{ directory: 1 }, { directory: 1 }],
    "text of somebody else": [{ words: { replies: [[words("r", { body_text: ANN })]] } }, { mentions: 1 }],
    "the trail": [{ inTrail: true }, { trail: true }]
  }

  it.effect.each(Object.entries(alone))(
    "says that they were known, and tells so once, where all is %s",
    ([, [had, found]]) =>
      Effect.gen(function* () {
        const { of, report } = yield* erasing({ sources: ["reply"], ...had }, ann)
        assert.deepStrictEqual(report, { ...NOTHING, known: true, suppressed: true, ...found })
        assert.lengthOf(of("wake"), had.leads?.length ?? 0)
        assert.deepStrictEqual(of("tell"), [["tell", "erased", "system", had.leads === undefined ? null : "lead 0"]])
      })
  )

  it.effect("goes on for as long as batches are full, and counts them all", () =>
    Effect.gen(function* () {
      const full = [ERASED_MAX, ERASED_MAX, 3]
      const batches = { replies: full, answers: full, shown: [ERASED_MAX, 0], leftOut: full, leads: [ERASED_MAX, 1] }
      const { of, report } = yield* erasing(batches, ann)
      assert.deepInclude(report, {
        leads: ERASED_MAX + 1,
        replies: 2 * ERASED_MAX + 3,
        answers: 2 * ERASED_MAX + 3,
        mentions: 3 * ERASED_MAX + 3
      })
      assert.deepStrictEqual(of("shown"), [
        ["shown", ERASED_MAX],
        ["shown", ERASED_MAX]
      ])
      assert.lengthOf(of("leads"), 2)
    })
  )

  it.effect("tells of each lead, wakes the vendors that have them, and does not tell again in the end", () =>
    Effect.gen(function* () {
      const { of } = yield* erasing({ leads: [2], inTrail: true }, ann)
      assert.deepStrictEqual(of("leads", "tell", "update", "wake"), [
        ["update", [], false],
        ["leads", ["pending", "ready", "active"]],
        ["tell", "erased", "system", "lead 0"],
        ["tell", "erased", "system", "lead 1"],
        ["update", [], true],
        ["wake", "w", NOW]
      ])
      const again = yield* erasing({ standing: { told: true }, inTrail: true }, ann)
      assert.deepStrictEqual(again.of("tell"), [])
    })
  )

  it.effect("suppresses them as their unread mail would have, each reason once", () =>
    Effect.gen(function* () {
      const suppressedBy = (...events: ReadonlyArray<object>) =>
        Effect.map(erasing({ waiting: [events] }, ann), ({ of }) =>
          of("suppress").map(([, hash, source]) => (assert.strictEqual(hash, HASH), source))
        )
      const reply = { kind: "reply", classification: "interested" }
      assert.deepStrictEqual(yield* suppressedBy(reply, { ...reply }), ["reply"])
      assert.deepStrictEqual(yield* suppressedBy({ ...reply, classification: "unsubscribe" }), ["unsubscribe"])
      assert.deepStrictEqual(yield* suppressedBy({ ...reply, classification: "out_of_office" }), [])
      assert.deepStrictEqual(yield* suppressedBy({ kind: "bounce", bounce: { type: "hard" } }), ["hard_bounce"])
      assert.deepStrictEqual(yield* suppressedBy({ kind: "bounce", bounce: { type: "soft" } }), [])
      assert.deepStrictEqual(yield* suppressedBy({ kind: "bounce", bounce: null }), [])
      assert.deepStrictEqual(yield* suppressedBy({ kind: "complaint" }, { kind: "unsubscribe" }), [
        "complaint",
        "unsubscribe"
      ])
    })
  )

  it.effect("follows the contacts that were revealed with their address, also those that an interrupted one knew", () =>
    Effect.gen(function* () {
      const theirs = { results: [contactOf("ANN@example.com", "one"), contactOf("bob@example.com", "bob's")] }
      const { of } = yield* erasing(
        {
          standing: { fingerprints: ["before"] },
          contacts: [
            JSON.stringify(contactOf(ANN, "kept")),
            JSON.stringify({ fingerprint: 7, work_email: ANN, none: null })
          ],
          outcomes: {
            a: [HASH, JSON.stringify({ data: theirs })],
            b: [EVERYBODY, JSON.stringify([contactOf(ANN, "two"), { fingerprint: "none" }])],
            c: ["somebody", JSON.stringify(contactOf(ANN, "unseen"))]
          }
        },
        ann
      )
      const followed = ["before", "kept", "one", "two"]
      assert.deepStrictEqual(of("asked")[0], ["asked", [HASH, EVERYBODY], null])
      assert.deepStrictEqual(of("asked").at(-1), ["asked", [EVERYBODY], null])
      assert.lengthOf(of("asked"), 4)
      assert.deepStrictEqual(of("contacts"), [["contacts", [HASH]]])
      assert.deepStrictEqual(of("update"), [["update", followed, false]])
      assert.deepStrictEqual(of("offered"), [["offered", followed]])
      const subjects = [HASH, ...followed.map(hashed)]
      assert.deepStrictEqual(of("ofContacts"), [["ofContacts", subjects]])
      assert.deepStrictEqual(of("ofLate"), [["ofLate", [...subjects, EVERYBODY]]])
      assert.deepStrictEqual(
        of("outcome").map(([, id, body]) => [id, JSON.parse(String(body))]),
        [
          ["a", { data: { results: [{ fingerprint: "erased", work_email: null }, theirs.results[1]] } }],
          ["b", [{ fingerprint: "erased", work_email: null }, { fingerprint: "none" }]]
        ]
      )
    })
  )

  it.effect("follows a thousand contacts at most, and one alone", () =>
    Effect.gen(function* () {
      const followed = (count: number) => {
        const contacts = Array.from({ length: count }, (_, at) => JSON.stringify(contactOf(ANN, `${at}`)))
        return Effect.map(erasing({ contacts }, ann), ({ of }) =>
          of("offered").map(([, fingerprints]) => (fingerprints as ReadonlyArray<string>).length)
        )
      }
      assert.deepStrictEqual([yield* followed(0), yield* followed(1), yield* followed(1_001)], [[], [1], [1_000]])
    })
  )

  it.effect("goes on to its end when who asked for it is gone", () =>
    Effect.gen(function* () {
      const [held, go, ended] = [
        yield* Deferred.make<void>(),
        yield* Deferred.make<void>(),
        yield* Deferred.make<void>()
      ]
      const hold = Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(go))
      const asking = yield* Effect.forkChild(erasing({ hold, end: Deferred.succeed(ended, undefined) }, ann))
      yield* Deferred.await(held)
      const leaving = yield* Effect.forkChild(Fiber.interrupt(asking))
      yield* Effect.yieldNow
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(leaving)
      assert.isTrue(yield* Deferred.isDone(ended))
    })
  )

  it.effect(
    "rewrites the outcomes that name them, forgets whom each named, and looks through what names everybody",
    () =>
      Effect.gen(function* () {
        const many = Array.from({ length: ERASED_MAX + 1 }, (_, at) => `${1_000 + at}`)
        const named = Object.fromEntries(many.map((id) => [`h${id}`, [HASH, `{"email":"${ANN}"}`] as const]))
        const all = Object.fromEntries(many.map((id) => [`z${id}`, [EVERYBODY, `{"email":"${ANN}"}`] as const]))
        const others = { i: [HASH, `{"email":"bob@example.com"}`], zz: [EVERYBODY, "{}"] } as const
        const { of, report } = yield* erasing({ outcomes: { ...named, ...others, ...all } }, ann)
        assert.strictEqual(report?.outcomes, 2 * (ERASED_MAX + 1))
        assert.deepStrictEqual(
          of("outcome").map(([, id, body]) => `${id} ${body}`),
          [...Object.keys(named), ...Object.keys(all)].map((id) => `${id} {"email":""}`)
        )
        const [first, second, ...more] = of("subjects")
        assert.deepStrictEqual(first, ["subjects", [HASH], Object.keys(named).slice(0, ERASED_MAX)])
        assert.deepStrictEqual(second, ["subjects", [HASH], [`h${many.at(-1)}`, "i"]])
        assert.isEmpty(more)
      })
  )

  it.effect(
    "takes the address out of others' text, page by page: of messages what is about them, of people it alone",
    () =>
      Effect.gen(function* () {
        const about = { email: ANN, first_name: "Ann", note: `not ${ANN}` }
        const uploaded = { file: "people.csv", line: 2, cells: { Name: "Ann" } }
        const { of, report } = yield* erasing(
          {
            words: {
              campaign_leads: [[words("lead", about)]],
              approval_people: [[words("shown", about)]],
              campaign_left_out: [[words("note", about)]],
              saved_answers: [[words("answer", about)]],
              sent_replies: [[words("sent", about)]],
              approvals: [[words("snapshot", about)]],
              replies: [[words("one", about), words("other", { email: "bob@example.com" })], [], [words("two", about)]],
              list_rows: [[words("row", { input: about, uploaded })]]
            }
          },
          ann
        )
        assert.strictEqual(report?.mentions, 9)
        const told = (id: string) => {
          const found = of("rewrite").find(([, , of]) => of === id)
          return JSON.parse(String(found?.[3] ?? "null"))
        }
        for (const id of ["lead", "shown", "note", "answer"]) assert.strictEqual(told(id).first_name, "Ann", id)
        for (const id of ["one", "two", "sent", "snapshot"]) assert.isNull(told(id).first_name, id)
        for (const id of ["lead", "one"]) assert.notInclude(JSON.stringify(told(id)), ANN)
        assert.isNull(told("other"))
        assert.deepStrictEqual(told("row").uploaded, { file: null, line: 2, cells: null })
      })
  )

  it.effect("is for owners who have just signed in, and known workspaces and addresses", () =>
    Effect.gen(function* () {
      const by = (role: SignedIn["role"], createdAtMillis = NOW): SignedIn => ({
        session: {
          sessionHash: "h",
          userId: "u",
          workspaceId: "w",
          beganBy: "link",
          createdAtMillis,
          expiresAtMillis: NOW * 2
        },
        user: { userId: "u", email: "jo@owner.test", createdAtMillis: 0 },
        role,
        workspaceName: "Acme"
      })
      const { did, of, report } = yield* erasing({ leads: [1] }, (erasure) => erasure.erase(by("owner"), ANN))
      assert.deepInclude(report, { known: true, leads: 1 })
      assert.deepInclude(did[0]?.[1], { requestedByUserId: "u" })
      assert.deepStrictEqual(of("tell"), [["tell", "erased", "console", "lead 0"]])
      const refused = (erase: Erase<unknown, unknown>) =>
        Effect.map(erasing({}, erase), ({ did: nothing, gave }) => {
          assert.isEmpty(nothing)
          return /"(?:reason|code)":"(\w+)"/.exec(JSON.stringify(gave))?.[1]
        })
      assert.strictEqual(yield* refused((erasure) => erasure.erase(by("reader"), ANN)), "owner_required")
      assert.strictEqual(yield* refused((erasure) => erasure.erase(by("owner", 0), ANN)), "reauthentication_required")
      assert.strictEqual(yield* refused((erasure) => erasure.eraseFor("x", ANN)), "not_found")
      assert.strictEqual(yield* refused((erasure) => erasure.eraseFor("w", "ann")), "invalid_request")
      const { gave } = yield* erasing({}, (erasure) => erasure.eraseFor("w", "ann"))
      assert.include(JSON.stringify(gave), "must be an email address")
    })
  )
})
