import { assert, describe, it } from "@effect/vitest"
import {
  answer,
  answerer,
  answered,
  ourReplies,
  sentAnswers
} from "@outbound/testkit/contracts/service/replyStories.js"

import { freshKey, ok, trailOf } from "@outbound/testkit/contracts/service/stories.js"
import { type Client, decide } from "@outbound/testkit/service/Client.js"
import { Effect, type Layer } from "effect"
import { hiddenIn, ServiceHost, signedIn } from "./support/Signed.js"

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ServiceHost>>) =>
  effect.pipe(Effect.provide(ServiceHost))

const AGENTS = "Thursday works, at any hour that you like."
const MINE = "Thursday at 10 works for me.\n\nAda"

/** An agent's answer that waits for a person. */
const asked = (client: Client) =>
  Effect.gen(function* () {
    const { reply_id } = yield* answered(client)
    const { result } = ok(yield* answer(client, reply_id, { body_text: AGENTS }, freshKey()))
    const approvalUrl = result.approval_url as string
    const approvalId = approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)
    const confirmation_token = result.confirmation_token as string
    const agentSends = () => answer(client, reply_id, { body_text: AGENTS, confirmation_token }, freshKey())
    return { approvalId, approvalUrl, reply_id: reply_id as string, agentSends }
  })

const formOf = (html: string, body = MINE) => ({
  ...Object.fromEntries(
    ["form_id", "shown", "edit", "edit_digest", "after", "skip"]
      .map((name) => [name, hiddenIn(html, name)] as const)
      .filter(([, value]) => value !== "")
  ),
  body: body.replaceAll("\n", "\r\n")
})

describe("an agent's answer that a person changes", () => {
  it.effect("is sent as the person's own, once; the agent's is declined, and the trail says why", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { agentSends, approvalId, reply_id } = yield* asked(client)
        const { get, post } = yield* signedIn(client.ownerEmail)
        const thread = `/console/replies/${reply_id}`
        const page = (yield* get(`/console/approvals/${approvalId}`)).text
        assert.include(page, `href="${thread}?edit=${approvalId}#answer"`)
        const begun = (yield* get(`${thread}?edit=${approvalId}`)).text
        assert.include(begun, `${AGENTS}</textarea>`)
        const form = formOf(begun)
        for (let time = 0; time < 2; time += 1) {
          const sent = yield* post(`${thread}/answer`, form)
          assert.deepStrictEqual([sent.status, sent.location], [303, `${thread}?done=sent`])
        }
        assert.deepStrictEqual(
          (yield* sentAnswers(client)).map(({ text }) => text),
          [MINE]
        )
        assert.lengthOf(yield* ourReplies(client, reply_id), 1)
        // The agent learns that the message is answered, and the trail says why its text was not sent.
        assert.strictEqual((yield* agentSends()).error?.code, "reply_already_sent")
        const declined = (yield* trailOf(client)).filter(({ kind }) => kind === "declined")
        assert.lengthOf(declined, 1)
        assert.include(JSON.stringify(declined[0]?.detail), "in their own words")
      })
    )
  )

  it.effect("leads on to where the person came from: the next request of the sitting, or the list of the day", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { approvalId, reply_id } = yield* asked(client)
        const { get, post } = yield* signedIn(client.ownerEmail)
        const thread = `/console/replies/${reply_id}`
        assert.include((yield* get("/console/home")).text, `href="${thread}?edit=${approvalId}&amp;after=home#answer"`)
        assert.include((yield* get("/console/approvals/queue")).text, `${thread}?edit=${approvalId}&amp;after=next`)
        const form = formOf((yield* get(`${thread}?edit=${approvalId}&after=next`)).text)
        const sent = yield* post(`${thread}/answer`, form)
        assert.strictEqual(sent.location, `/console/approvals/queue?done=edited&of=${approvalId}`)
        assert.include((yield* get(sent.location)).text, "Your own text was sent, and the request was declined.")
      })
    )
  )

  it.effect("is not sent where somebody has decided on the request meanwhile, or it is another one", () =>
    run(
      Effect.gen(function* () {
        const client = yield* answerer()
        const { agentSends, approvalId, approvalUrl, reply_id } = yield* asked(client)
        const { get, post } = yield* signedIn(client.ownerEmail)
        const thread = `/console/replies/${reply_id}`
        const form = formOf((yield* get(`${thread}?edit=${approvalId}`)).text)
        const forged = yield* post(`${thread}/answer`, { ...form, edit_digest: "0".repeat(64) })
        assert.strictEqual(forged.status, 409)
        yield* decide(client, approvalUrl, "approve")
        const late = yield* post(`${thread}/answer`, form)
        assert.strictEqual(late.status, 409)
        assert.include(late.text, "Somebody has decided on the request meanwhile")
        assert.include(late.text, "Thursday at 10 works for me.")
        assert.isEmpty(yield* sentAnswers(client))
        ok(yield* agentSends())
        assert.deepStrictEqual(
          (yield* sentAnswers(client)).map(({ text }) => text),
          [AGENTS]
        )
      })
    )
  )
})
