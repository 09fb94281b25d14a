import { assert, it } from "@effect/vitest"
import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { freshId, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Context, Effect, Layer } from "effect"
import { withConnection } from "../../src/postgres/backup/Connection.js"
import { assertAtRest } from "../../src/postgres/deleting/atRest.js"
import { everywhere, type Installation, installation } from "./Installation.js"

/** What may be under way, in the order in which it is named: how it is made so, and how it ends. */
const UNDER_WAY: ReadonlyArray<{
  readonly table: string
  readonly begin?: string
  readonly end: string
  readonly one: string
  readonly two: string
  readonly mend: string
}> = [
  {
    table: "open_calls",
    end: "DELETE FROM open_calls",
    one: "1 call is under way",
    two: "2 calls are under way",
    mend: "Pause its keys (outbound key pause), and wait until its calls have ended."
  },
  {
    table: "operations",
    begin: "UPDATE operations SET finished_at = NULL",
    end: "UPDATE operations SET finished_at = now()",
    one: "1 operation has not ended",
    two: "2 operations have not ended",
    mend: "Wait for it."
  },
  {
    table: "messages",
    begin: `UPDATE messages SET state = '${MessageMachine.in.inFlight[0]}'`,
    end: "UPDATE messages SET state = 'sent'",
    one: "1 message is being sent",
    two: "2 messages are being sent",
    mend: "Pause its campaigns in the console, and wait a minute."
  },
  {
    table: "vendor_campaigns",
    begin: "UPDATE vendor_campaigns SET state = 'running'",
    end: `UPDATE vendor_campaigns SET state = '${VendorCampaignMachine.in.idle[0]}'`,
    one: "1 campaign runs at a sending vendor",
    two: "2 campaigns run at a sending vendor",
    mend: "Pause it in the console, and wait until the vendor has stopped it."
  },
  {
    table: "payments",
    begin: `UPDATE payments SET state = '${PaymentMachine.in.awaited[0]}'`,
    end: "UPDATE payments SET state = 'paid'",
    one: "1 payment is open",
    two: "2 payments are open",
    mend: "Wait until it is paid or has failed."
  },
  {
    table: "erasures",
    begin: "UPDATE erasures SET finished_at = NULL",
    end: "UPDATE erasures SET finished_at = now()",
    one: "1 erasure has not ended",
    two: "2 erasures have not ended",
    mend: "Wait for it."
  }
]

const refusal = ({ url }: Installation, workspaceId: string) =>
  withConnection(url, (client) => assertAtRest(client, `'${workspaceId}'::uuid`, "It is closed.")).pipe(
    Effect.match({ onFailure: ({ message }) => message, onSuccess: () => null })
  )

/** Two workspaces, each with two of everything under way. */
class Given extends Context.Service<
  Given,
  { readonly made: Installation; readonly us: string; readonly them: string }
>()("@outbound/adapters/test/postgres/atRest/Given") {
  static readonly layer = Layer.effect(
    Given,
    Effect.gen(function* () {
      const made = yield* installation
      const [us, them] = [freshId(), freshId()]
      const isMeant = (name: string) => UNDER_WAY.some(({ table }) => table === name)
      for (let rows = 0; rows < 2; rows += 1) {
        assert.strictEqual(yield* everywhere(made, [us, them], isMeant), UNDER_WAY.length)
      }
      for (const { begin } of UNDER_WAY) if (begin !== undefined) yield* made.sql(begin)
      return Given.of({ made, us, them })
    })
  )
}

it.layer(Given.layer, SUITE)("a workspace at rest", (it) => {
  it.effect(
    "has nothing under way: what is, is counted and named with what to do, and what others do hinders nobody",
    () =>
      Effect.gen(function* () {
        const { made, them, us } = yield* Given
        for (const { end, mend, one, table, two } of UNDER_WAY) {
          assert.strictEqual(yield* refusal(made, us), `${two}. It is closed. ${mend}`)
          yield* made.sql(
            `${end} WHERE ctid = (SELECT ctid FROM ${table} WHERE workspace_id = $1 LIMIT 1) AND workspace_id = $1`,
            [us]
          )
          assert.strictEqual(yield* refusal(made, us), `${one}. It is closed. ${mend}`)
          yield* made.sql(`${end} WHERE workspace_id = $1`, [us])
        }
        assert.isNull(yield* refusal(made, us))
        assert.match((yield* refusal(made, them)) ?? "", /^2 calls/)
      })
  )

  it.effect("is at rest by the states of its messages, of its campaigns at vendors and of its payments", () =>
    Effect.gen(function* () {
      const { made, us } = yield* Given
      for (const { end } of UNDER_WAY) yield* made.sql(end)
      const restless = (table: string, states: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const found: Array<string> = []
          for (const state of states) {
            yield* made.sql(`UPDATE ${table} SET state = $1`, [state])
            if ((yield* refusal(made, us)) !== null) found.push(state)
          }
          yield* made.sql(UNDER_WAY.find((one) => one.table === table)!.end)
          return found
        })
      assert.sameMembers(yield* restless("messages", MessageMachine.states), [...MessageMachine.in.inFlight])
      assert.sameMembers(yield* restless("payments", PaymentMachine.states), [...PaymentMachine.in.awaited])
      const resting: ReadonlyArray<string> = [...VendorCampaignMachine.in.absent, ...VendorCampaignMachine.in.idle]
      assert.sameMembers(
        yield* restless("vendor_campaigns", VendorCampaignMachine.states),
        VendorCampaignMachine.states.filter((state) => !resting.includes(state))
      )
    })
  )
})
