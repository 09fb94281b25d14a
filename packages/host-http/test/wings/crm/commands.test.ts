import { assert, describe, it } from "@effect/vitest"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { openCrmKey } from "@outbound/domain/wings/crm/crmKey.js"
import { CrmStore } from "@outbound/domain/wings/crm/CrmStore.js"
import { Effect, Option, Redacted } from "effect"
import { only, running } from "../../support/Program.js"

const KEY = "a-key-of-the-crm-wxyz"
const surroundings = { environment: { CRM_KEY: KEY }, stdin: "another-key-4711\n" }

const given = (kind: "live" | "sandbox") =>
  Effect.gen(function* () {
    const run = yield* running([], surroundings)
    const made = only(
      yield* run(`workspace create --name A --owner-email ann@acme.test --kind ${kind} --credits 0 --json`)
    )
    const workspace = String(made["workspace_id"])
    const of = (line: string) => run(`crm ${line} --workspace ${workspace}`)
    const stored = Effect.provide(
      Effect.gen(function* () {
        const crypto = yield* Crypto
        return Option.map(yield* (yield* CrmStore).get(workspace), (connection) => ({
          connection,
          access: openCrmKey(crypto, connection)
        }))
      }),
      run.services
    )
    return { of, run, stored, workspace }
  })

describe("the commands of CRMs", () => {
  it.effect("list, connect, show and disconnect, and print one JSON object each, without the key", () =>
    Effect.gen(function* () {
      const { of, run, stored } = yield* given("live")
      const listed = only(yield* of("list --json"))
      assert.strictEqual(listed["connected"], null)
      assert.deepStrictEqual(
        (listed["crms"] as ReadonlyArray<Record<string, unknown>>).map((one) => [
          one["crm"],
          one["asks_address"],
          one["asks_client_id"]
        ]),
        [
          ["ledger", false, false],
          ["almanac", true, true]
        ]
      )
      assert.deepStrictEqual(only(yield* of("show --json")), { connected: null })
      const added = only(yield* of("connect --crm ledger --key-env CRM_KEY --json"))
      assert.deepInclude(added["connected"], {
        crm: "ledger",
        last4: "wxyz",
        added_by: "the operator",
        leaves_out: ["customers", "open-deals"],
        writes: ["replies", "meetings"],
        read_at: null,
        trouble: null
      })
      const first = Option.getOrThrow(yield* stored)
      assert.strictEqual(Redacted.value(first.access!.secret), KEY)

      // Another key, from standard input; of the choices only those that are named change.
      const typed = "connect --crm almanac --address https://us.almanac.example --client-id p-1 --key-stdin"
      const replaced = yield* of(`${typed} --leave-out owned --leave-out customers`)
      assert.isTrue(replaced.isGood)
      assert.include(replaced.out.join("\n"), "Almanac CRM at https://us.almanac.example, by a key that ends in 4711")
      const { access, connection } = Option.getOrThrow(yield* stored)
      assert.deepStrictEqual([access?.address, access?.clientId], ["https://us.almanac.example", "p-1"])
      assert.strictEqual(Redacted.value(access!.secret), "another-key-4711")
      assert.deepInclude(connection.policy, { keepsCustomers: true, keepsOpenDeals: false, keepsOwned: true })
      assert.deepInclude(connection.policy, { writesReplies: true, createsContacts: false })
      only(yield* of(`${typed} --leave-out nothing --write people --json`))
      assert.deepStrictEqual(
        Object.values(Option.getOrThrow(yield* stored).connection.policy).filter(Boolean).length,
        1
      )

      // Who opted out there is always left out, so sending waits for the first reading.
      const held = yield* of("show")
      assert.isFalse(held.isGood)
      assert.include(held.out.join("\n"), "Nothing is sent")
      assert.include(held.out.join("\n"), "leaves out: people who opted out or bounced there\n")
      assert.notInclude(JSON.stringify([listed, added, replaced, held]), KEY)

      assert.deepStrictEqual(only(yield* of("disconnect --json")), { disconnected: true })
      assert.isTrue(Option.isNone(yield* stored))
      assert.strictEqual((yield* of("disconnect")).complaint, "Not found.")
      assert.include(
        (yield* run("crm list --workspace 018f0000-0000-7000-8000-000000000001")).complaint ?? "",
        "Not found"
      )
    })
  )

  it.effect("trouble ends show with code 1, and is named", () =>
    Effect.gen(function* () {
      const { of, run, stored } = yield* given("sandbox")
      only(yield* of("connect --crm ledger --key-stdin --leave-out nothing --json"))
      const { connection } = Option.getOrThrow(yield* stored)
      yield* Effect.provide(
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const reading = { ...connection.reading, trouble: "account" as const }
          yield* atomically(Effect.flatMap(CrmStore, (store) => store.put({ ...connection, reading })))
        }),
        run.services
      )
      const shown = yield* of("show")
      assert.isFalse(shown.isGood)
      assert.include(shown.out.join("\n"), "trouble: account")
    })
  )

  it.effect("what is wrong is said at once by its flag, and nothing is stored", () =>
    Effect.gen(function* () {
      const { of, stored } = yield* given("live")
      const wrong = yield* of("connect --crm almanac --address http://us.almanac.example --key-env CRM_KEY")
      assert.include(wrong.complaint ?? "", "--address must use https")
      assert.include(wrong.complaint ?? "", "--client-id must be")
      assert.include((yield* of("connect --crm ariel --key-stdin")).complaint ?? "", "--crm must be a CRM")
      for (const flags of ["", "--key-env CRM_KEY --key-stdin", "--key-env NOT_SET", "--key-env CRM_KEY --write x"]) {
        const { complaint, isGood } = yield* of(`connect --crm ledger ${flags}`.trim())
        assert.isFalse(isGood)
        assert.match(complaint ?? "", /--key-env|--write must be one of replies, meetings, people, nothing/)
        assert.notInclude(complaint ?? "", KEY)
      }
      assert.isTrue(Option.isNone(yield* stored))
    })
  )
})
