import { assert, describe, it } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { givenMailboxes } from "@outbound/testkit/contracts/outboundFixtures.js"
import { colleague as colleagueOf, signIn } from "@outbound/testkit/contracts/service/controlSupport.js"
import { type Client, decide, makeClient, makeKey } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { Base, withOAuth } from "../support/OAuthHost.js"
import type { Attempt, Got, Stage } from "./attempt.js"
import { byConsole } from "./byConsole.js"
import { byCredential } from "./byCredential.js"
import { byOAuth } from "./byOAuth.js"
import { byRest } from "./byRest.js"
import { byTools } from "./byTools.js"

const SCOPES = ["data:read", "usage:read", "campaign:write", "campaign:launch", "assets:purchase"] as const

const PURCHASE = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

const PERSON = "silent@magic.test"

const DRAFT = {
  name: "Heads of sales",
  recipients: [{ email: PERSON, first_name: "Grace" }],
  sequence: [{ subject: "Hello", body: "Shall we talk?" }]
}

/** Every attempt, each named once. */
const attemptsOf = (set: Stage): ReadonlyArray<Attempt> =>
  [byRest, byCredential, byConsole, byTools, byOAuth].flatMap((attempts) => attempts(set))

const fieldOf = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ""

const request = (base: string, attempt: Omit<Attempt, "what" | "answer">): Promise<Got> =>
  fetch(`${base}${attempt.path}`, {
    method: attempt.method ?? "POST",
    redirect: "manual",
    headers: attempt.headers ?? {},
    ...(attempt.body === undefined ? {} : { body: attempt.body })
  }).then(async (response) => {
    const text = await response.text()
    const isJson = (response.headers.get("content-type") ?? "").includes("json")
    const line = text.startsWith("event:") ? (/^data: (.*)$/m.exec(text)?.[1] ?? "null") : text
    // oxlint-disable-next-line typescript/no-explicit-any -- an attacker's view of JSON
    const body: any = isJson || text.startsWith("event:") ? JSON.parse(line) : null
    return { status: response.status, location: response.headers.get("location"), text, body }
  })

/** The code of a refusal, as each surface writes it. */
const codeOf = ({ body }: Got): unknown =>
  body?.result?.structuredContent?.error?.code ??
  body?.exit?.cause?.[0]?.error?.code ??
  body?.defect?.code ??
  body?.error?.code ??
  body?.error ??
  null

/** Somebody who signed in with a link, and the fields of a page that they opened. */
const browser = (base: string, token: string) => {
  const page = (path: string, cookie: string) => request(base, { method: "GET", path, headers: { cookie } })
  const enter = async (): Promise<string> => {
    const { text } = await page(`/console/sign-in?token=${token}`, "")
    const response = await fetch(`${base}/console/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: base },
      body: new URLSearchParams({ token, csrf: fieldOf(text, "csrf") })
    })
    return (
      response.headers
        .getSetCookie()
        .find((line) => line.startsWith("outbound_session="))
        ?.split(";")[0] ?? ""
    )
  }
  return { page, enter }
}

/** A launch that needs two people, of whom the owner has approved it. */
const approvedByOne = (victim: Client, name: string) =>
  Effect.gen(function* () {
    const owner = yield* signIn(victim.ownerEmail)
    yield* colleagueOf(owner)
    const rules = yield* Approvers
    yield* rules.setRules(owner, { recipientsAbove: 0, creditsAbove: null, excludesKeyOwner: false })
    const draft = { ...DRAFT, name, recipients: [{ email: "silent+half@magic.test" }] }
    const { campaign_id } = (yield* victim.call("create_campaign", draft, { key: name })).result
    const asked = (yield* victim.call("launch_campaign", { campaign_id }, { key: `ask ${name}` })).result
    yield* decide(victim, asked.approval_url, "approve")
    const token: string = asked.confirmation_token
    return { token, path: new URL(asked.approval_url).pathname, campaignId: campaign_id as string }
  }).pipe(Effect.orDie)

/** A workspace that asks for a launch and a purchase, which nobody has decided yet; and one that wants to abuse it. */
const stage = Effect.gen(function* () {
  const base = yield* Base
  const console = yield* Console
  const admin = yield* Admin
  const victim = yield* makeClient({ scopes: SCOPES })
  yield* Effect.orDie(admin.grantCredits(victim.workspaceId, credits("10000")))
  const colleague = yield* makeKey(victim.workspaceId, victim.ownerEmail, { scopes: SCOPES })
  const reader = yield* makeKey(victim.workspaceId, victim.ownerEmail, { scopes: ["usage:read"] })
  const attacker = yield* makeClient({ scopes: SCOPES })
  yield* Effect.orDie(admin.grantCredits(attacker.workspaceId, credits("10000")))
  yield* givenMailboxes(victim.workspaceId, 1)
  const { campaign_id: campaignId } = (yield* victim.call("create_campaign", DRAFT, { key: "draft" })).result
  const launch = (yield* victim.call("launch_campaign", { campaign_id: campaignId }, { key: "launch" })).result
  const purchase = (yield* victim.call("setup_sending", PURCHASE, { key: "purchase" })).result
  const theirs = (yield* attacker.call("setup_sending", PURCHASE, { key: "theirs" })).result
  const sessionOf = (email: string) =>
    Effect.flatMap(Effect.orDie(console.makeSignInLink(email)), (token) =>
      Effect.promise(async () => ({ cookie: await browser(base, token).enter() }))
    )
  const half = yield* approvedByOne(victim, "another")
  const owner = yield* sessionOf(victim.ownerEmail)
  const again = yield* sessionOf(victim.ownerEmail)
  const stranger = yield* sessionOf(attacker.ownerEmail)
  const pathOf = (url: string) => new URL(url).pathname
  const approval = pathOf(launch.approval_url)
  const shown = yield* Effect.promise(() => browser(base, "").page(approval, owner.cookie))
  const shownAgain = yield* Effect.promise(() => browser(base, "").page(half.path, again.cookie))
  const own = yield* Effect.promise(() => browser(base, "").page(pathOf(theirs.approval_url), stranger.cookie))
  const made: Stage = {
    base,
    victim,
    colleague,
    reader,
    attacker,
    campaignId,
    launch: { token: launch.confirmation_token, path: approval, digest: fieldOf(shown.text, "digest") },
    purchase: { token: purchase.confirmation_token, path: pathOf(purchase.approval_url), request: PURCHASE },
    theirs: { token: theirs.confirmation_token },
    half: { ...half, digest: fieldOf(shownAgain.text, "digest") },
    owner: {
      ...owner,
      csrf: fieldOf(shown.text, "csrf"),
      again: { ...again, csrf: fieldOf(shownAgain.text, "csrf") }
    },
    stranger: { ...stranger, csrf: fieldOf(own.text, "csrf") }
  }
  return made
})

/** All that an attempt could have changed: what waits, what is bought, what sends, and what keys may do. */
const standing = ({ campaignId, colleague, victim }: Stage) =>
  Effect.gen(function* () {
    const console = yield* Console
    const [pending, closed] = [
      yield* console.approvals(victim.workspaceId, "pending"),
      yield* console.approvals(victim.workspaceId, "closed")
    ]
    const { result: campaign } = yield* victim.call("get_campaign", { campaign_id: campaignId })
    const { result: leads } = yield* victim.call("list_leads", { campaign_id: campaignId })
    const { result: usage } = yield* victim.call("get_usage")
    const me = yield* Effect.forEach([victim, colleague], (key) => key.call("get_me"))
    return {
      approvals: [...pending, ...closed].map(({ approval }) => [approval.approvalId, approval.state]),
      campaign: [campaign.state, campaign.sent, campaign.mailboxes],
      leads: leads.leads,
      balance: usage.credits_balance,
      keys: me.map(({ result }) => [result.scopes, result.monthly_spend_cap, result.workspace.sending_suspended])
    }
  }).pipe(Effect.orDie)

describe("the red team", () => {
  it.live(
    "gets nothing bought, sent, approved, loosened or seen, by any surface",
    () =>
      withOAuth(
        Effect.gen(function* () {
          const set = yield* stage
          const before = yield* standing(set)
          const failures: Array<string> = []
          for (const { answer, what, ...attempt } of attemptsOf(set)) {
            const got = yield* Effect.promise(() => request(set.base, attempt))
            const said = [got.status, codeOf(got)]
            if (JSON.stringify(said) !== JSON.stringify(answer)) failures.push(`${what}: ${JSON.stringify(said)}`)
            // Their own owner may see it.
            const isOwners = [set.owner.cookie, set.owner.again.cookie].includes(attempt.headers?.["cookie"] ?? "")
            const secrets = isOwners ? [] : [set.victim.ownerEmail, PERSON]
            for (const secret of secrets) {
              if (got.text.includes(secret)) failures.push(`${what}: shows ${secret}`)
            }
          }
          assert.deepStrictEqual(failures, [])
          assert.deepStrictEqual(yield* standing(set), before)
        })
      ),
    300_000
  )

  it.live("tries at least sixty ways in", () =>
    withOAuth(
      Effect.map(stage, (set) => {
        const names = attemptsOf(set).map(({ what }) => what)
        assert.isAtLeast(new Set(names).size, 60)
        assert.lengthOf(names, new Set(names).size)
      })
    )
  )
})
