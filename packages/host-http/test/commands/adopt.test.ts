import { assert, describe, it } from "@effect/vitest"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { makeFakeVendor } from "@outbound/testkit/vendors/FakeVendor.js"
import { Effect } from "effect"
import { only, running } from "../support/Program.js"

const there = ["m1@there.test", "m2@there.test", "m3@there.test"].map((address, index) => ({
  address,
  displayName: "Jo",
  isActive: index < 2
}))

describe("the command that takes over mailboxes", () => {
  it.effect("lists what is there, takes over what is named or all that is free, and says what it could not", () =>
    Effect.gen(function* () {
      const sending = { ...makeFakeVendor().provider, existing: Effect.succeed(there) }
      const run = yield* running([], { live: { ...noProviders, sending } })
      const create = "workspace create --name A --owner-email ann@acme.test --kind live --credits 0 --json"
      const adopt = `mailbox adopt --workspace ${only(yield* run(create))["workspace_id"]} --json`
      const standings = Effect.map(
        Effect.suspend(() => run(adopt)),
        (ran) => (only(ran)["mailboxes"] as ReadonlyArray<Record<string, unknown>>).map(({ standing }) => standing)
      )
      assert.deepStrictEqual(yield* standings, ["free", "free", "inactive"])
      const named = only(yield* run(`${adopt} --address m1@there.test`))
      assert.deepInclude((named["adopted"] as ReadonlyArray<unknown>)[0], { address: "m1@there.test" })
      const rest = only(yield* run(`${adopt} --all`))
      assert.deepStrictEqual(rest["kept"], ["m1@there.test"])
      assert.deepStrictEqual(rest["refused"], [{ address: "m3@there.test", reason: "inactive" }])
      assert.deepStrictEqual(yield* standings, ["ours", "ours", "inactive"])
      const release = adopt.replace("adopt", "release")
      const back = only(yield* run(`${release} --address m2@there.test`))
      assert.deepInclude((back["released"] as ReadonlyArray<unknown>)[0], { address: "m2@there.test" })
      assert.deepStrictEqual(yield* standings, ["ours", "free", "inactive"])
      assert.isFalse((yield* run(`${release} --address m2@there.test`)).isGood)
      assert.match((yield* run(release)).complaint ?? "", /--address is required/)
      const nobody = yield* run(`${adopt} --address nobody@there.test`)
      assert.isFalse(nobody.isGood)
      const both = yield* run(`${adopt} --all --address m1@there.test`)
      assert.match(both.complaint ?? "", /--address or --all/)
    })
  )

  it.effect("says where there is no vendor", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const create = "workspace create --name A --owner-email ann@acme.test --kind live --credits 0 --json"
      const { complaint, isGood } = yield* run(
        `mailbox adopt --all --workspace ${only(yield* run(create))["workspace_id"]}`
      )
      assert.isFalse(isGood)
      assert.match(complaint ?? "", /no sending vendor/)
    })
  )
})
