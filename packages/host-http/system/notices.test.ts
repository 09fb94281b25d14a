import { assert, it } from "@effect/vitest"
import { TEST_AUTHORITY } from "@outbound/testkit/mail/certificates.js"
import { Clock, Effect, Schedule } from "effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { mailServer, PASSWORD } from "../../adapters/test/mail/support.js"
import { receiver } from "../../adapters/test/webhooks/receiver.js"
import { audit } from "./support/Books.js"
import { call } from "./support/Client.js"
import { serve } from "./support/Host.js"
import { signedIn } from "./support/Human.js"
import { sharedPlace } from "./support/Place.js"
import { PURCHASE_CREDITS, purchase } from "./support/Sending.js"
import { makeTenant } from "./support/Tenant.js"

/** Approvers hear of a request within this. */
const HEARD_MILLIS_MAX = 5_000

/** A mail server that accepts letters, but sends no reply while `state.isSilent`. */
const slowMailServer = Effect.gen(function* () {
  const taken: Array<{ readonly to: ReadonlyArray<string>; readonly raw: string }> = []
  const state = { isSilent: true }
  const { port } = yield* mailServer({
    secure: true,
    onData: (stream, { envelope }, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        taken.push({
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "")
        })
        if (!state.isSilent) done()
      })
    }
  })
  return { port, taken, state }
})

const authorityFile = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(join(tmpdir(), "outbound-notices-"))
    const file = join(directory, "authority.pem")
    writeFileSync(file, TEST_AUTHORITY)
    return { directory, file }
  }),
  ({ directory }) => Effect.sync(() => removeDirectory(directory))
)

it.live(
  "an approver hears of a request within five seconds, once, by mail and by chat, also if a host is killed",
  () =>
    Effect.gen(function* () {
      const mail = yield* slowMailServer
      let isBusy = true
      const chat = yield* receiver((_request, response) =>
        isBusy ? response.writeHead(503).end() : response.writeHead(200).end("ok")
      )
      const shared = yield* sharedPlace
      const { file } = yield* authorityFile
      const place = {
        ...shared,
        environment: {
          ...shared.environment,
          OUTBOUND_MAIL_CA: file,
          OUTBOUND_SMTP_URL: `smtps://jo%40acme.test:${encodeURIComponent(PASSWORD)}@127.0.0.1:${mail.port}`,
          OUTBOUND_MAIL_FROM: "outbound@acme.test"
        }
      }
      const [first, second] = [yield* serve(place), yield* serve(place)]
      const tenant = yield* makeTenant(place, { credits: 0, granted: PURCHASE_CREDITS })
      const human = yield* signedIn(place, first, tenant)
      const page = `${first.publicUrl}/console/settings/notices`
      yield* Effect.promise(() =>
        human.fill(page, "/console/settings/notices/channel", {
          kind: "slack",
          url: `http://127.0.0.1:${chat.port}/services/T0/B0/secret`
        })
      )

      const ask = (host: typeof first, brand: string) =>
        Effect.gen(function* () {
          const from = yield* Clock.currentTimeMillis
          const asked = yield* call(host, tenant.apiKey, "setup_sending", purchase(brand, 25))
          assert.strictEqual(asked.status, 200, asked.text)
          // Each of these hosts knows itself by another address.
          const url = String(asked.json.result.approval_url)
          return { from, id: url.slice(url.lastIndexOf("/") + 1) }
        })
      const letters = (id: string) => mail.taken.filter(({ raw }) => raw.includes(id))
      const posts = (id: string) => chat.received.filter(({ body }) => body.includes(id))
      const heard = (id: string, from: number, isHeard: () => boolean) =>
        Effect.gen(function* () {
          yield* Effect.repeat(Effect.sync(isHeard), {
            until: (is) => is,
            schedule: Schedule.spaced("20 millis")
          }).pipe(
            Effect.timeoutOrElse({
              duration: HEARD_MILLIS_MAX,
              orElse: () => Effect.fail(new Error(`nobody heard of ${id}`))
            })
          )
          return (yield* Clock.currentTimeMillis) - from
        })

      // The mail server does not reply, so the host is killed in the middle of a letter. The chat channel refuses the first
      // message, so the other host must send it again.
      const one = yield* ask(first, "one")
      const byMail = yield* heard(one.id, one.from, () => letters(one.id).length > 0 && posts(one.id).length > 0)
      first.signal("SIGKILL")
      yield* first.ended
      isBusy = false
      mail.state.isSilent = false
      const byChat = yield* heard(one.id, one.from, () => posts(one.id).length > 1)
      yield* Effect.logInfo(`notices: heard by mail after ${byMail} ms, by chat after ${byChat} ms`)
      assert.isBelow(byMail, HEARD_MILLIS_MAX)

      const two = yield* ask(second, "two")
      const took = yield* heard(two.id, two.from, () => letters(two.id).length > 0 && posts(two.id).length > 0)
      yield* Effect.logInfo(`notices: heard by mail and chat after ${took} ms`)
      const states = yield* (yield* audit(place)).count(
        "SELECT count(*) FROM approval_notices WHERE workspace_id = $1 AND kind = 'asked' AND state = 'sent'",
        tenant.workspaceId
      )
      assert.isAtLeast(states, 2)
      assert.deepStrictEqual([letters(one.id).length, letters(two.id).length, posts(two.id).length], [1, 1, 1])
      assert.strictEqual(posts(one.id).length, 2)
      assert.deepStrictEqual(letters(two.id)[0]?.to, [tenant.ownerEmail])
    }),
  120_000
)
