import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { mailBed } from "../src/mail/bed/MailBed.js"

const JO = { address: "jo@sales.test", password: "jo's password" }

describe("the mail test bed", () => {
  it.live("takes mail for those it knows, and sends a notice for those it does not", () =>
    Effect.gen(function* () {
      const bed = yield* mailBed({ users: [JO], recipients: ["ann@people.test"] })
      const soon = Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(200)])
      const subjects = (address: string) => bed.inbox(address).map(({ header }) => header("subject"))
      const arrived = (address: string, count: number) =>
        Effect.sync(() => subjects(address)).pipe(
          Effect.filterOrFail(
            (found) => found.length >= count,
            (found) => new Error(`${address} has ${found.length}`)
          ),
          Effect.retry(soon)
        )
      const post = (to: string) =>
        Effect.promise(() => bed.post({ from: JO.address, to, lines: ["Subject: Hello", "", ".", "Hi"] }))

      yield* post("ann@people.test")
      assert.deepStrictEqual(yield* arrived("ann@people.test", 1), ["Hello"])
      yield* post("nobody@people.test")
      assert.deepStrictEqual(yield* arrived(JO.address, 1), ["Undelivered Mail Returned to Sender"])
      assert.include(bed.inbox(JO.address)[0]?.raw ?? "", "Status: 5.1.1")

      yield* Effect.andThen(bed.smtp.stop, bed.smtp.start)
      yield* Effect.andThen(bed.imap.stop, bed.imap.start)
      yield* post("ann@people.test")
      assert.lengthOf(yield* arrived("ann@people.test", 2), 2)
    })
  )
})
