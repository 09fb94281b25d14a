import { assert, describe, it } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { SavedAnswers } from "@outbound/domain/control/SavedAnswers.js"
import { Control } from "@outbound/domain/control/Control.js"
import {
  answerer,
  answered,
  answeredBy,
  ourReplies,
  sentAnswers
} from "@outbound/testkit/contracts/service/replyStories.js"
import { freshKey, trailOf } from "@outbound/testkit/contracts/service/stories.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { hiddenIn, ServiceHost, signedIn } from "./support/Signed.js"

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ServiceHost>>) =>
  effect.pipe(Effect.provide(ServiceHost))

const TEXT = "Thursday at 10 works.\n\nAda & co."

/** The fields of the form that answers a reply, as its page shows them. */
const formOf = (html: string, body = TEXT) => ({
  form_id: hiddenIn(html, "form_id"),
  shown: hiddenIn(html, "shown"),
  body: body.replaceAll("\n", "\r\n")
})

describe("a person's own answer", () => {
  it.effect("is sent once, exactly as it was written, however often the form is sent", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { by, get, post } = yield* signedIn(client.ownerEmail)
        const path = `/console/replies/${reply_id}`
        const form = formOf((yield* get(path)).text)
        for (let time = 0; time < 2; time += 1) {
          const sent = yield* post(`${path}/answer`, form)
          assert.deepStrictEqual([sent.status, sent.location], [303, `${path}?done=sent`])
        }
        assert.deepStrictEqual(
          (yield* sentAnswers(client)).map(({ text, to }) => [to, text]),
          [["interested@magic.test", TEXT]]
        )
        assert.lengthOf(yield* ourReplies(client, reply_id), 1)
        const page = (yield* get(path)).text
        assert.include(page, "Ada &amp; co.")
        assert.notInclude(page, 'name="form_id"')
        assert.include(page, "Handled")
        const approved = (yield* trailOf(client)).filter(({ kind }) => kind === "approved")
        assert.isTrue(approved.some(({ detail }) => JSON.stringify(detail).includes(by.user.email)))
        // Both the person's and an agent's later answers are refused: each message is answered once.
        const again = yield* post(`${path}/answer`, { ...form, form_id: freshUuid() })
        assert.strictEqual(again.status, 409)
        assert.include(again.text, "Nothing was sent.")
      })
    )
  )

  it.effect("needs neither the scope of a key nor the switch for agents' replies", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { by, get, post } = yield* signedIn(client.ownerEmail)
        yield* Effect.flatMap(Control, (control) => control.setReplySend(by, false))
        const refused = yield* client.call("reply_to_thread", { reply_id, body_text: "Hi" }, { key: freshKey() })
        assert.strictEqual(refused.error?.code, "reply_send_disabled")
        const path = `/console/replies/${reply_id}`
        const form = formOf((yield* get(path)).text)
        assert.strictEqual((yield* post(`${path}/answer`, form)).status, 303)
        assert.lengthOf(yield* sentAnswers(client), 1)
      })
    )
  )

  it.effect(
    "begins with a saved answer that is put below what was typed; inserting sends nothing, an open variable asks",
    () =>
      run(
        Effect.gen(function* () {
          const client = yield* answerer()
          const { reply_id } = yield* answered(client)
          const { get, post } = yield* signedIn(client.ownerEmail)
          const answers = yield* SavedAnswers
          const saved = "/console/replies/saved"
          const path = `/console/replies/${reply_id}`
          assert.notInclude((yield* get(path)).text, 'name="saved"')
          const refused = yield* post(saved, { title: "To jo@acme.test", text: "Hi {{name}}" })
          assert.strictEqual(refused.status, 400)
          assert.include(refused.text, "Hi {{name}}")
          const text = "Hi {{first_name|there}},\r\n\r\nabout {{custom.topic}}."
          assert.strictEqual((yield* post(saved, { title: "Price", text })).location, `${saved}?done=saved`)
          const [{ savedAnswerId, version } = { savedAnswerId: "", version: "" }] = yield* answers.list(
            client.workspaceId
          )
          const page = (yield* get(path)).text
          assert.include(page, `<option value="${savedAnswerId}"`)
          const form = formOf(page, "Dear you,")
          const inserted = yield* post(`${path}/answer/insert`, { ...form, saved: savedAnswerId })
          assert.strictEqual(inserted.status, 200)
          const merged = "Dear you,\n\nHi there,\n\nabout {{custom.topic}}."
          assert.include(inserted.text, `>${merged}</textarea>`)
          assert.strictEqual(hiddenIn(inserted.text, "form_id"), form.form_id)
          assert.isEmpty(yield* sentAnswers(client))
          // Somebody changes the saved answer: what the person's button sends is what their page shows.
          yield* post(saved, { id: savedAnswerId, version, title: "Price", text: "Other words" })
          const asked = yield* post(`${path}/answer`, formOf(inserted.text, merged))
          assert.strictEqual(asked.status, 409)
          assert.include(asked.text, "A variable in your text is not filled in")
          assert.isEmpty(yield* sentAnswers(client))
          const mended = merged.replace("{{custom.topic}}", "prices")
          assert.strictEqual((yield* post(`${path}/answer`, formOf(asked.text, mended))).status, 303)
          assert.deepStrictEqual(
            (yield* sentAnswers(client)).map((sent) => sent.text),
            [mended]
          )
        })
      )
  )

  it.effect("keeps what was typed if the saved answer is gone, and removing one is asked for first", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { get, post } = yield* signedIn(client.ownerEmail)
        const answers = yield* SavedAnswers
        const saved = "/console/replies/saved"
        yield* post(saved, { title: "Price", text: "Free." })
        const [{ savedAnswerId: id } = { savedAnswerId: "" }] = yield* answers.list(client.workspaceId)
        const stale = yield* post(saved, { id, version: "other", title: "Price", text: "Dear." })
        assert.deepStrictEqual([stale.status, stale.text.includes("somebody else meanwhile")], [400, true])
        const asked = yield* get(`${saved}/remove?id=${id}`)
        assert.include(asked.text, "Nobody can bring it back")
        assert.lengthOf(yield* answers.list(client.workspaceId), 1)
        const fields = { id, version: hiddenIn(asked.text, "version") }
        assert.strictEqual((yield* post(`${saved}/remove`, fields)).location, `${saved}?done=removed`)
        assert.isEmpty(yield* answers.list(client.workspaceId))
        const path = `/console/replies/${reply_id}`
        const form = formOf((yield* get(path)).text, "Dear you,")
        const gone = yield* post(`${path}/answer/insert`, { ...form, saved: id })
        assert.strictEqual(gone.status, 409)
        assert.include(gone.text, "was removed meanwhile")
        assert.include(gone.text, ">Dear you,</textarea>")
      })
    )
  )

  it.effect(
    "is not sent to somebody who unsubscribed, nor if the page showed another recipient, nor without a text",
    () =>
      run(
        Effect.gen(function* () {
          const client = yield* answerer()
          const replies = yield* answeredBy(client, "interested@magic.test", "unsubscribe@magic.test")
          const { get, post } = yield* signedIn(client.ownerEmail)
          const of = (email: string) => replies.find(({ from_email }) => from_email === email)?.reply_id ?? ""
          const gone = `/console/replies/${of("unsubscribe@magic.test")}`
          const refused = yield* post(`${gone}/answer`, formOf((yield* get(gone)).text))
          assert.strictEqual(refused.status, 409)
          assert.include(refused.text, "Thursday at 10 works.")
          const path = `/console/replies/${of("interested@magic.test")}`
          const form = formOf((yield* get(path)).text)
          const other = { ...form, shown: form.shown.replace("interested@", "somebody@") }
          const changed = yield* post(`${path}/answer`, other)
          assert.strictEqual(changed.status, 409)
          assert.include(changed.text, "no longer what the page showed")
          assert.strictEqual((yield* post(`${path}/answer`, { ...form, form_id: freshUuid(), body: " " })).status, 409)
          assert.isEmpty(yield* sentAnswers(client))
        })
      )
  )

  it.effect("with characters that nobody sees leaves only once the page has shown them", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { get, post } = yield* signedIn(client.ownerEmail)
        const path = `/console/replies/${reply_id}`
        const body = "Pay \u202Etset.live\u202C today"
        const first = yield* post(`${path}/answer`, formOf((yield* get(path)).text, body))
        assert.strictEqual(first.status, 409)
        assert.include(first.text, "&lt;U+202E>")
        assert.isEmpty(yield* sentAnswers(client))
        const seen = hiddenIn(first.text, "seen")
        const other = { ...formOf(first.text, `${body}\u200B`), seen }
        assert.strictEqual((yield* post(`${path}/answer`, other)).status, 409)
        assert.strictEqual((yield* post(`${path}/answer`, { ...formOf(first.text, body), seen })).status, 303)
        assert.deepStrictEqual(
          (yield* sentAnswers(client)).map(({ text }) => text),
          [body]
        )
      })
    )
  )

  it.effect("waits for somebody else where whoever asks may not approve, and is sent when they do", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const owner = yield* signedIn(client.ownerEmail)
        const email = `second-${client.workspaceId}@example.test`
        yield* Effect.flatMap(Control, (control) => control.inviteMember(owner.by, email, "member"))
        const rules = { recipientsAbove: null, creditsAbove: null, excludesKeyOwner: true }
        yield* Effect.flatMap(Approvers, (approvers) => approvers.setRules(owner.by, rules))
        const path = `/console/replies/${reply_id}`
        const asked = yield* owner.post(`${path}/answer`, formOf((yield* owner.get(path)).text))
        assert.match(asked.location, /^\/console\/approvals\//)
        assert.isEmpty(yield* sentAnswers(client))
        const second = yield* signedIn(email)
        const page = (yield* second.get(asked.location)).text
        assert.include(page, `Requested by ${client.ownerEmail}`)
        const digest = hiddenIn(page, "digest")
        assert.strictEqual((yield* owner.post(`${asked.location}/approve`, { digest })).status, 409)
        assert.isEmpty(yield* sentAnswers(client))
        // An agent knows the request's address, and so the key with which it will be done.
        const key = `console-${asked.location.slice(asked.location.lastIndexOf("/") + 1)}`
        assert.strictEqual((yield* client.call("verify_emails", { emails: ["a@magic.test"] }, { key })).status, 202)
        yield* second.post(`${asked.location}/approve`, { digest })
        assert.lengthOf(yield* sentAnswers(client), 1)
      })
    )
  )

  it.effect("has a key of its own, form by form and request by request, that no agent can take before", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const replies = yield* answeredBy(client, "interested@magic.test", "interested+two@magic.test")
        const { get, post } = yield* signedIn(client.ownerEmail)
        for (const { reply_id } of replies) {
          const path = `/console/replies/${reply_id}`
          const form = formOf((yield* get(path)).text)
          const key = `console-${form.form_id}`
          assert.strictEqual((yield* client.call("verify_emails", { emails: ["a@magic.test"] }, { key })).status, 202)
          assert.strictEqual((yield* post(`${path}/answer`, form)).location, `${path}?done=sent`)
        }
        assert.sameMembers(
          (yield* sentAnswers(client)).map(({ to }) => to),
          replies.map(({ from_email }) => from_email)
        )
      })
    )
  )

  it.effect("leaves only as its page showed it: else nothing is sent, and no request for it waits", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { get, post } = yield* signedIn(client.ownerEmail)
        const path = `/console/replies/${reply_id}`
        const form = formOf((yield* get(path)).text)
        const shown = JSON.parse(form.shown) as ReadonlyArray<string>
        // Another recipient, mailbox, subject; and nothing at all.
        const others = shown.map((_, at) => JSON.stringify(shown.map((one, of) => (of === at ? `x${one}` : one))))
        for (const other of [...others, ""]) {
          const changed = yield* post(`${path}/answer`, { ...form, form_id: freshUuid(), shown: other })
          assert.include(changed.text, "no longer what the page showed")
          assert.include(changed.text, "Ada &amp; co.")
        }
        assert.isEmpty(yield* sentAnswers(client))
        const console = yield* Console
        assert.isEmpty(yield* console.approvals(client.workspaceId, "pending"))
        assert.strictEqual((yield* post(`${path}/answer`, { ...form, form_id: freshUuid() })).status, 303)
        assert.lengthOf(yield* sentAnswers(client), 1)
      })
    )
  )

  it.effect("needs a key that works: a paused one asks for nothing", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { by, get, post } = yield* signedIn(client.ownerEmail)
        const control = yield* Control
        for (const { key } of yield* control.listKeys(by)) yield* control.pauseKey(by, key.keyId)
        const path = `/console/replies/${reply_id}`
        const refused = yield* post(`${path}/answer`, formOf((yield* get(path)).text))
        assert.include(refused.text, "no active key")
        assert.isEmpty(yield* sentAnswers(client))
      })
    )
  )
})

let made = 0
const freshUuid = (): string => `018f3a5e-7b1c-7d2e-9f10-${String((made += 1)).padStart(12, "0")}`

describe("the replies of a workspace", () => {
  it.effect("show what is to be done, can be searched, handled, reopened and given an owner", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const replies = yield* answeredBy(client, "other@magic.test", "interested@magic.test")
        const { by, get, post } = yield* signedIn(client.ownerEmail)
        const of = (email: string) => replies.find(({ from_email }) => from_email === email)?.reply_id ?? ""
        const path = `/console/replies/${of("interested@magic.test")}`
        const before = (yield* get("/console/replies")).text
        assert.include(before, "interested@magic.test")
        assert.include(before, "other@magic.test")
        assert.match(before, /Replies<span class="count"> 2/)
        assert.include((yield* get("/console/replies?q=OTHER%40")).text, "other@magic.test")
        assert.notInclude((yield* get("/console/replies?q=OTHER%40")).text, "interested@magic.test")
        yield* get(path)
        yield* post(`${path}/handling`, { handled: "yes" })
        yield* post(`${path}/handling`, { owner: by.user.userId })
        const after = (yield* get("/console/replies")).text
        assert.notInclude(after, "interested@magic.test")
        assert.match(after, /Replies<span class="count"> 1/)
        assert.notInclude((yield* get("/console/replies?open=yes")).text, "interested@magic.test")
        const owned = (yield* get(`/console/replies?owner=${by.user.userId}`)).text
        assert.include(owned, "interested@magic.test")
        assert.notInclude(owned, "other@magic.test")
        yield* post(`${path}/handling`, { handled: "no" })
        assert.include((yield* get("/console/replies")).text, "interested@magic.test")
        // Nobody from elsewhere owns one, and another workspace's reply is not there.
        assert.strictEqual((yield* post(`${path}/handling`, { owner: freshUuid() })).status, 404)
        const stranger = yield* signedIn((yield* answerer()).ownerEmail)
        assert.strictEqual((yield* stranger.post(`${path}/handling`, { handled: "yes" })).status, 404)
        assert.strictEqual((yield* stranger.post(`${path}/answer`, { body: "Hi" })).status, 404)
      })
    )
  )

  it.effect("are handled one by one or together, and that is taken back by one press for ten seconds", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const replies = yield* answeredBy(client, "other@magic.test", "interested@magic.test")
        const { by, get, post } = yield* signedIn(client.ownerEmail)
        const [one, other] = replies.map(({ reply_id }) => reply_id) as [string, string]
        const path = `/console/replies/${one}`
        const isHandled = Effect.suspend(() => Effect.map(get(path), ({ text }) => text.includes("Handled, ")))

        const handled = yield* post(`${path}/handling`, { handled: "yes" })
        assert.match(handled.location, /\?done=handled&at=\d+$/)
        const said = (yield* get(handled.location)).text
        assert.include(said, "Marked as handled.")
        assert.include(said, `/console/replies/${other}">Next: `)
        assert.match(said, /class="undo"[^]*name="handled" value="no"[^]*>Undo</)
        yield* post(`${path}/handling`, { handled: "no" })
        assert.isFalse(yield* isHandled)
        // What no longer stands, or was long ago, is not taken back.
        assert.notInclude((yield* get(handled.location)).text, ">Undo<")
        const late = yield* post(`${path}/handling`, { handled: "yes" })
        assert.include((yield* get(late.location)).text, ">Undo<")
        yield* TestClock.adjust("10 seconds")
        assert.notInclude((yield* get(late.location)).text, ">Undo<")

        const owned = yield* post(`${path}/handling`, { owner: by.user.userId })
        assert.match((yield* get(owned.location)).text, /class="undo"[^]*name="owner" value/)

        yield* post("/console/replies/bulk", { what: "reopen", reply: one })
        const both = yield* post("/console/replies/bulk", { what: "handle", reply: [one, other, freshUuid()] })
        assert.include(decodeURIComponent(both.location), `of=${one}.${other}`)
        const list = (yield* get(both.location)).text
        assert.include(list, "2 replies: Marked as handled.")
        assert.include(list, "Nothing to answer.")
        yield* post("/console/replies/bulk", { what: "reopen", reply: [one, other] })
        assert.match((yield* get("/console/replies")).text, /Replies<span class="count"> 2/)
        const stranger = yield* signedIn((yield* answerer()).ownerEmail)
        const theirs = yield* stranger.post("/console/replies/bulk", { what: "handle", reply: one })
        assert.strictEqual(theirs.location, "/console/replies")
        assert.isFalse(yield* isHandled)
      })
    )
  )

  it.effect("say what became of the person: on the trail, taken back, and for good only after a second question", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const { by, get, post } = yield* signedIn(client.ownerEmail)
        const path = `/console/replies/${reply_id}`
        const status = Effect.map(
          client.call("get_reply", { reply_id }),
          (answer) => answer.result!.lead.interest_status
        )
        const before = yield* status
        const set = yield* post(`${path}/status`, { status: "meeting_booked" })
        assert.strictEqual(yield* status, "meeting_booked")
        const undo = /class="undo"[^]*name="status" value="(\w+)"/.exec((yield* get(set.location)).text)?.[1]
        yield* post(`${path}/status`, { status: undo ?? "" })
        assert.strictEqual(yield* status, before)
        const told = (yield* trailOf(client, { kind: "status_set" })).map(({ detail, source }) => [
          source,
          detail["status"],
          detail["by"]
        ])
        assert.deepStrictEqual(told, [
          ["console", "meeting_booked", by.user.email],
          ["console", before, by.user.email]
        ])
        const asked = yield* post(`${path}/status`, { status: "not_interested" })
        assert.strictEqual(asked.status, 200)
        assert.include(asked.text, "never written to again")
        assert.strictEqual(yield* status, before)
        yield* post(`${path}/status`, { status: "not_interested", sure: "yes" })
        assert.strictEqual(yield* status, "not_interested")
        assert.strictEqual((yield* post(`${path}/status`, { status: "lost" })).status, 404)
        const stranger = yield* signedIn((yield* answerer()).ownerEmail)
        assert.strictEqual((yield* stranger.post(`${path}/status`, { status: "won" })).status, 404)
      })
    )
  )
})
