import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Desk } from "./support/Desk.js"
import { HOSTILE } from "./support/Furnished.js"
import { furnished, run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000
const LIST = "/console/settings/suppression"
const PERSON = "/console/settings/person"
const ERASE = "/console/settings/erase"

describe("the suppression list", () => {
  it.live("a list is foreseen, then taken over, once; what can't be used is said by its line", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        assert.include((yield* us.get("/console/settings")).text, LIST)
        const addresses = ["one@acme.test", "", HOSTILE, "Two@Acme.test ", "two@acme.test"].join("\r\n")
        const foreseen = yield* us.post(LIST, { addresses, do: "foresee" })
        assert.strictEqual(foreseen.status, 200)
        for (const words of [
          "4 lines: 2 would be added",
          "Nothing has been changed yet",
          ">3<",
          "one@acme.test",
          "Remedy"
        ]) {
          assert.include(foreseen.text, words)
        }
        assert.notInclude(foreseen.text, HOSTILE)
        const taken = yield* us.post(LIST, { addresses, do: "import" })
        assert.include(taken.text, "4 lines: 2 added")
        assert.include(taken.text, "1 already on the list or repeated, 1 invalid")
        assert.include((yield* us.post(LIST, { addresses, do: "import" })).text, "4 lines: 0 added")
        const them = yield* visitor(desk.theirs)
        assert.include((yield* them.post(LIST, { addresses, do: "foresee" })).text, "2 would be added")
        assert.include(
          (yield* us.post(LIST, { addresses: " \r\n" })).text,
          "Addresses must contain at least one address"
        )
      })
    )
  )

  it.live(
    "a file whose meaning is not certain is shown first, and its columns are chosen; what is left out is exported",
    () =>
      run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const us = yield* visitor(desk.ours)
          const addresses = "email,deputy\nann@acme.test,bob@acme.test\nnobody,dan@acme.test\n"
          const asked = yield* us.post(LIST, { addresses, do: "import" })
          for (const words of [
            "holds addresses too",
            "would be added",
            "Nothing has been changed yet",
            "The first rows"
          ]) {
            assert.include(asked.text, words)
          }
          const form = { addresses, shown: "yes", column: "0" }
          const taken = yield* us.post(LIST, { ...form, do: "import" })
          assert.include(taken.text, "2 lines: 1 added")
          assert.include(taken.text, "Export what is left out")
          const left = yield* us.post(LIST, { ...form, do: "left_out" })
          assert.match(
            left.text,
            /^email,deputy,left_out_line,left_out_column,left_out_mistake,left_out_remedy\r\nnobody,dan@acme\.test,3,email,/
          )
          const mended = left.text.replace("nobody", "eve@acme.test")
          assert.include((yield* us.post(LIST, { ...form, addresses: mended, do: "import" })).text, "1 line: 1 added")
          const none = yield* us.post(LIST, { addresses, shown: "yes", do: "import" })
          assert.strictEqual(none.status, 400)
          assert.include(none.text, "check at least one")
        })
      )
  )

  it.live("a list of thousands of lines is one form; one of megabytes is refused", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        const lines = (count: number) =>
          Array.from({ length: count }, (_, i) => `person.${i}@company-${i}.test`).join("\n")
        const taken = yield* us.post(LIST, { addresses: lines(5_000), do: "import" })
        assert.include(taken.text, "5,000 lines: 5,000 added")
        assert.strictEqual((yield* us.post(LIST, { addresses: lines(50_000), do: "import" })).status, 413)
        // Other forms stay as small as they are.
        const long = { postal_address: "x".repeat(20_000) }
        assert.strictEqual((yield* us.post("/console/settings/postal-address", long)).status, 413)
      })
    )
  )
})

describe("who may change the suppression list", () => {
  it.live("owners alone: a member learns nothing of a list either, not even that it is flawed", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const member = yield* visitor(desk.ours, "member")
        for (const addresses of ["one@acme.test", ""]) {
          for (const what of ["foresee", "import", "left_out"]) {
            const refused = yield* member.post(LIST, { addresses, do: what })
            assert.strictEqual(refused.status, 403, `${what} ${addresses}`)
            assert.notInclude(refused.text, "must contain at least one address")
          }
        }
        const us = yield* visitor(desk.ours)
        assert.include((yield* us.post(LIST, { addresses: "one@acme.test", do: "import" })).text, "1 line: 1 added")
      })
    )
  )
})

describe("erasing a person", () => {
  it.live("says first what goes and that the suppression stays, and erases when that is confirmed", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        yield* us.post(LIST, { addresses: "gone@acme.test", do: "import" })
        const about = { email: " Gone@Acme.test" }
        const asked = yield* us.post(ERASE, about)
        assert.strictEqual(asked.status, 200)
        for (const words of ["Erase gone@acme.test?", "What is deleted", "Their suppression."]) {
          assert.include(asked.text, words)
        }
        const done = yield* us.post(ERASE, { ...about, confirmed: "yes" })
        assert.strictEqual(done.status, 200)
        assert.include(done.text, "They stay on the suppression list")
        for (const confirmed of ["no", "yes"]) {
          const wrong = yield* us.post(ERASE, { email: "nobody", confirmed })
          assert.strictEqual(wrong.status, 400)
          assert.include(wrong.text, "Email must be an email address")
          assert.include(wrong.text, `value="nobody"`)
        }
      })
    )
  )

  it.live("shows one person's file first, to read or to download, and nobody else in it", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const of = yield* furnished
        const us = yield* visitor(desk.ours)
        assert.include((yield* us.get("/console/settings")).text, PERSON)
        const asked = yield* us.get(PERSON)
        assert.include(asked.text, "Nobody asks for anything.")
        const email = /person\.2@company-2\.test/.exec((yield* us.get(`/console/approvals/${of.launchId}`)).text)![0]
        const shown = yield* us.post(PERSON, { email: ` ${email.toUpperCase()} ` })
        assert.strictEqual(shown.status, 200)
        assert.include(shown.text, `What is held about ${email}`)
        assert.include(shown.text, "Where the address came from")
        assert.notInclude(shown.text, "person.1@company-1.test")
        const file = yield* us.post(PERSON, { email, download: "yes" })
        assert.strictEqual(file.headers.get("content-disposition"), 'attachment; filename="person.json"')
        for (const held of [shown, file]) assert.strictEqual(held.headers.get("cache-control"), "no-store")
        const held = JSON.parse(file.text)
        assert.deepInclude(held, { format: "outbound person 1", email })
        assert.isNotEmpty(held.shown)
        const wrong = yield* us.post(PERSON, { email: "nobody" })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, "Email must be an email address")
        const member = yield* visitor(desk.ours, "member")
        for (const refused of [yield* member.get(PERSON), yield* member.post(PERSON, { email })])
          assert.strictEqual(refused.status, 403)
      })
    )
  )

  it.live("takes the person from the pages of the workspace", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const of = yield* furnished
        const us = yield* visitor(desk.ours)
        const page = `/console/approvals/${of.launchId}`
        const email = /person\.1@company-1\.test/.exec((yield* us.get(page)).text)![0]
        assert.strictEqual((yield* us.post(ERASE, { email })).status, 200)
        assert.include((yield* us.get(page)).text, email)
        const done = yield* us.post(ERASE, { email, confirmed: "yes" })
        assert.include(done.text, "Person erased")
        assert.notInclude((yield* us.get(page)).text, email)
        assert.include((yield* us.post(ERASE, { email, confirmed: "yes" })).text, "Nothing to erase")
      })
    )
  )

  it.live("is for owners who signed in just now", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const stale = yield* visitor(desk.ours, "owner", 6 * MINUTE)
        const member = yield* visitor(desk.ours, "member")
        for (const confirmed of ["no", "yes"]) {
          const refused = yield* stale.post(ERASE, { email: "gone@acme.test", confirmed })
          assert.strictEqual(refused.status, 403)
          assert.include(refused.text, `/console/sign-in?next=${encodeURIComponent(ERASE)}`)
          assert.strictEqual((yield* member.post(ERASE, { email: "gone@acme.test", confirmed })).status, 403)
        }
        assert.include((yield* stale.get(ERASE)).text, "Sign in again")
        assert.notInclude((yield* member.get(ERASE)).text, `name="email"`)
      })
    )
  )
})
