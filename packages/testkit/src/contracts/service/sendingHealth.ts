import { assert, layer as describeLayer } from "@effect/vitest"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { LookStore } from "@outbound/domain/outreach/authentication/LookStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, type Layer } from "effect"
import type { Client } from "../../service/Client.js"
import {
  askLaunch,
  buy,
  draft,
  ended,
  freshKey,
  grant,
  launched,
  member,
  ok,
  pass,
  PURCHASE,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  to
} from "./stories.js"

interface Receiver {
  readonly organisation: string
  readonly sent: number
  readonly bounced: number
  readonly refused: number
  readonly replied: number
  readonly placement: null
  readonly state: string
  readonly resting_until: string | null
}

const healthOf = (client: Client) => Effect.map(client.call("get_sending_health"), (answer) => ok(answer).result)

const senderNamed = (brand: string) =>
  Effect.gen(function* () {
    const client = yield* member()
    yield* grant(client, "200000")
    const bought = yield* buy(client, { ...PURCHASE, brand })
    yield* ended(client, bought.result.operation_id)
    return client
  })

/** What a workspace reads of how its mail arrives (contract: campaigns, sending health). */
export const sendingHealthContract = <E>(
  name: string,
  service: Layer.Layer<ServiceOnStores | LookStore | RuleStore, E>
) => {
  describeLayer(service, SUITE)(`get_sending_health (${name})`, (it) => {
    it.effect("its counts are the campaign's, by the organisation that received them, and nobody else's", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = [...to("bounce@magic.test", "yes@magic.test"), ...silent(20, "health")]
        const campaign_id = yield* launched(client, { recipients })
        yield* pass("20 seconds")
        const campaign = ok(yield* client.call("get_campaign", { campaign_id })).result
        const health = yield* healthOf(client)
        const [domain] = health.domains
        assert.lengthOf(health.domains, 1)
        assert.deepInclude(domain, { state: "good", listed_on: [] })
        for (const check of ["spf", "dkim", "dmarc", "mx"]) assert.strictEqual(domain[check].status, "pass")
        const [receiver] = domain.receivers as ReadonlyArray<Receiver>
        assert.lengthOf(domain.receivers, 1)
        assert.deepInclude(receiver, {
          organisation: "magic.test",
          sent: campaign.sent,
          bounced: 1,
          refused: 0,
          placement: null,
          resting_until: null,
          // One of 22 is above 3 %.
          state: "bad"
        })
        assert.strictEqual(health.mailboxes[0].sent_today, campaign.sent)
        assert.include(health.mailboxes[0].state_reasons, "bounces_high")
        assert.deepStrictEqual(
          health.advice.map(({ by, code }: { readonly by: string; readonly code: string }) => [code, by]),
          [
            ["write_less_to_receiver", "agent"],
            ["verify_addresses", "agent"]
          ]
        )
        const nobody = yield* healthOf(yield* member())
        assert.deepStrictEqual([nobody.domains, nobody.mailboxes, nobody.done, nobody.advice], [[], [], [], []])
      })
    )

    it.effect("an organisation that a mailbox leaves alone is bad until then, and stands in what was done", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { workspaceId } = client
        const sendings = yield* SendingStore
        const { atomically } = yield* UnitOfWork
        const [mailbox] = yield* sendings.activeMailboxes(workspaceId)
        const restsUntilMillis = (yield* Clock.currentTimeMillis) + 3_600_000
        const rest = { receiver: "mx.test", times: 1, status: "5.7.1", says: "too many", restsUntilMillis }
        yield* atomically(sendings.setReceiverRest({ workspaceId, mailboxId: mailbox!.mailboxId, ...rest })).pipe(
          Effect.orDie
        )
        const { domains, done, mailboxes } = yield* healthOf(client)
        assert.deepInclude(domains[0].receivers[0], {
          organisation: "mx.test",
          sent: 0,
          state: "bad",
          resting_until: new Date(restsUntilMillis).toISOString()
        })
        assert.deepStrictEqual(mailboxes[0].state_reasons, ["receiver_rests"])
        assert.strictEqual(done[0].why, "refused: 5.7.1 too many")
        assert.strictEqual(done[0].at, new Date(restsUntilMillis - 3_600_000).toISOString())
      })
    )

    it.effect(
      "in a sandbox a domain's name says how it is, and a workspace that requires authentication refuses it",
      () =>
        Effect.gen(function* () {
          const rules = yield* RuleStore
          const { atomically } = yield* UnitOfWork
          for (const [brand, state, failing] of [
            ["spf-fail-acme", "bad", "spf"],
            ["no-dmarc-acme", "bad", "dmarc"],
            ["listed-acme", "bad", null],
            ["acme", "good", null]
          ] as const) {
            const client = yield* senderNamed(brand)
            const { advice, domains } = yield* healthOf(client)
            assert.strictEqual(domains[0].state, state)
            assert.lengthOf(domains[0].listed_on, brand.startsWith("listed-") ? 1 : 0)
            const { result } = yield* draft(client, { recipients: silent(1, brand) })
            const { campaign_id } = result
            yield* askLaunch(client, campaign_id)
            const strict = { ...DEFAULT_RULES, authentication: "require" as const }
            yield* atomically(rules.setRules(client.workspaceId, strict)).pipe(Effect.orDie)
            if (failing === null) {
              yield* askLaunch(client, campaign_id)
              continue
            }
            assert.deepInclude(advice[0], { code: `publish_${failing}`, by: "dns", subject: domains[0].domain })
            refused(
              yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() }),
              400,
              "invalid_request",
              {
                reason: "domain_not_authenticated",
                domains: [{ domain: domains[0].domain, failing: [failing] }]
              }
            )
          }
        })
    )

    it.effect(
      "signatures that were seen are kept for their domain alone, the newest mail's; looks are due by their time",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          const { workspaceId } = client
          const store = yield* LookStore
          const { atomically } = yield* UnitOfWork
          const [domain = ""] = yield* store.domains(workspaceId)
          const of = { workspaceId, domain }
          const nowMillis = yield* Clock.currentTimeMillis
          yield* atomically(store.sawSignatures(of, [{ signer: "b.test", selector: "s" }], nowMillis - DAY_MILLIS))
          const seen = [
            { signer: "a.test", selector: "two" },
            { signer: "a.test", selector: "one" },
            { signer: "a.test", selector: "one" }
          ]
          yield* atomically(store.sawSignatures(of, seen, nowMillis))
          assert.deepStrictEqual(yield* store.signatures(of, nowMillis), [seen[1]!, seen[0]!])
          assert.deepStrictEqual(yield* store.signatures(of, nowMillis + 1), [])
          assert.deepStrictEqual(yield* store.signatures({ ...of, domain: "other.test" }, 0), [])
          // A sandbox's domains stand in no DNS.
          const due = yield* store.due(nowMillis + 365 * DAY_MILLIS, 10_000)
          assert.isFalse(due.some((one) => one.workspaceId === workspaceId))
          assert.deepStrictEqual(yield* store.looks(workspaceId, [domain]), [])
        }).pipe(Effect.orDie)
    )
  })
}
