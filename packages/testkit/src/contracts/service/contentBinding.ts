import { assert, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { Effect, type Layer } from "effect"
import { type Client, decide } from "../../service/Client.js"
import { add, askLeads } from "./addLeadsSupport.js"
import { comeIn } from "./addLeadsBinding.js"
import { signIn } from "./controlSupport.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  launched,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  trailOf
} from "./stories.js"

const EVIL = "Your mailbox is full.\nLog in at https://login.evil-mail.com/now\u202E to keep it."

/** The templates are harmless; what one person is sent is not. */
const ATTACK = [{ subject: "Hello {{first_name|there}}", body: "{{custom.b|Hello there …}}\n\nAda, https://acme.com" }]

const attacked = [
  { email: "silent+a@magic.test", first_name: "Ann", custom: { b: EVIL, unused: "https://nowhere.com" } },
  { email: "silent+b@magic.test", first_name: "Bo", custom: { b: "  " } },
  { email: "silent+c@magic.test" }
]

const confirm = (client: Client, campaign_id: string, confirmation_token: string) =>
  client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() })

/** A campaign whose launch was approved. */
const approvedLaunch = (client: Client, body: Parameters<typeof draft>[1]) =>
  Effect.gen(function* () {
    const campaign_id = (yield* draft(client, body)).result.campaign_id as string
    const { result } = yield* askLaunch(client, campaign_id)
    yield* decide(client, result.approval_url, "approve")
    return { campaign_id, ...result } as {
      readonly campaign_id: string
      readonly confirmation_token: string
      readonly approval_url: string
    }
  })

const erase = (client: Client, email: string) =>
  Effect.orDie(Effect.flatMap(Erasure, (erasure) => erasure.eraseFor(client.workspaceId, email)))

/** An approval binds each merged message. */
export const contentBindingContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`what an approval binds of the messages (${name})`, (it) => {
    it.effect("the preview says in numbers what the merged messages hold", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = (yield* draft(client, { sequence: ATTACK, recipients: attacked })).result
          .campaign_id as string
        const { result } = yield* askLaunch(client, campaign_id)
        assert.deepInclude(result.preview, {
          variables: [
            { name: "first_name", distinct_values: 3, longest: 5 },
            { name: "custom.b", distinct_values: 2, longest: EVIL.length }
          ],
          links: ["acme.com", "login.evil-mail.com"],
          overlapping_people: 0
        })
        const running = yield* launched(client, { sequence: ATTACK, recipients: silent(1) })
        const { preview } = yield* askLeads(client, running, attacked)
        assert.deepInclude(preview, { links: ["acme.com", "login.evil-mail.com"], overlapping_people: 0 })
      })
    )

    it.effect("people who wait in another campaign that goes on are counted", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = silent(3)
        const second = (yield* draft(client, { recipients })).result.campaign_id as string
        const first = yield* approvedLaunch(client, { recipients: recipients.slice(0, 2) })
        ok(yield* confirm(client, first.campaign_id, first.confirmation_token))
        const { result } = yield* askLaunch(client, second)
        assert.strictEqual(result.preview.overlapping_people, 2)
      })
    )

    it.effect("somebody who came in since the launch was shown is refused with it", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { approval_url, campaign_id, confirmation_token } = yield* approvedLaunch(client, {
          recipients: silent(2)
        })
        yield* comeIn(client, campaign_id, "silent+late@magic.test")
        refused(yield* confirm(client, campaign_id, confirmation_token), 409, "approval_changed", { approval_url })
        yield* pass("2 seconds")
        assert.isEmpty(yield* deliveries(campaign_id))
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "launched" }))
      })
    )

    it.effect("a value that changed since is refused; a person who is gone since is left out", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const recipients = [
          { email: "silent+x@magic.test", custom: { b: "Greetings from silent+z@magic.test" } },
          { email: "silent+y@magic.test" }
        ]
        const changed = yield* approvedLaunch(client, { sequence: ATTACK, recipients })
        // Erasing a third person takes their address out of the text that was approved.
        yield* erase(client, "silent+z@magic.test")
        const { approval_url } = changed
        refused(yield* confirm(client, changed.campaign_id, changed.confirmation_token), 409, "approval_changed", {
          approval_url
        })

        const fewer = yield* approvedLaunch(client, { sequence: ATTACK, recipients: silent(2, "f") })
        yield* erase(client, "silent+f0@magic.test")
        assert.strictEqual(
          ok(yield* confirm(client, fewer.campaign_id, fewer.confirmation_token)).result.leads_active,
          1
        )
      })
    )

    it.effect("another postal address is another footer, and refuses what was approved with the old one", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const running = yield* launched(client, { recipients: silent(1, "old") })
        const leads = silent(1, "new")
        const added = yield* askLeads(client, running, leads)
        yield* decide(client, added.approval_url, "approve")
        const { campaign_id, confirmation_token } = yield* approvedLaunch(client, { recipients: silent(1) })
        const control = yield* Control
        yield* Effect.orDie(control.setPostalAddress(yield* signIn(client.ownerEmail), "2 Other Street"))
        refused(yield* confirm(client, campaign_id, confirmation_token), 409, "approval_changed")
        refused(
          yield* add(client, running, { leads, confirmation_token: added.confirmation_token }),
          409,
          "approval_changed"
        )
      })
    )

    it.effect("what was approved and did not change is sent as it was shown", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { campaign_id, confirmation_token } = yield* approvedLaunch(client, {
          sequence: ATTACK,
          recipients: attacked
        })
        ok(yield* confirm(client, campaign_id, confirmation_token))
        yield* pass("2 seconds")
        const sent = (yield* deliveries(campaign_id)).toSorted((a, b) => (a.to.address < b.to.address ? -1 : 1))
        assert.deepStrictEqual(
          sent.map(({ subject, text }) => [subject, text.split("\n\nAda")[0]]),
          [
            ["Hello Ann", EVIL],
            ["Hello Bo", "Hello there …"],
            ["Hello there", "Hello there …"]
          ]
        )
      })
    )
  })
}
