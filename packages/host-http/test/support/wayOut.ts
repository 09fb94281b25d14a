import { assert } from "@effect/vitest"
import { PERSON } from "../../src/console/people/PersonFilePage.js"

/** A service that listens, and what its owner and its agent hold. */
export interface WayOut {
  readonly base: string
  /** Where its pages say that they are. */
  readonly origin: string
  readonly workspaceId: string
  readonly apiKey: string
  /** The proof that ends a lead's link. */
  readonly macOf: (campaignLeadId: string) => string
  /** A path that signs its owner in, once. */
  readonly signInPath: () => Promise<string>
}

interface Answer {
  readonly status: number
  readonly body: string
}

const PEOPLE = ["mine", "other", "third"] as const

/** Programs that open what stands in a message before its reader does. */
const PREFETCHERS: ReadonlyArray<RequestInit> = [
  {},
  { method: "HEAD" },
  { headers: { "sec-purpose": "prefetch;prerender", purpose: "prefetch" } },
  { headers: { "user-agent": "Mozilla/5.0 (compatible; scanner)", cookie: "a=b" } }
]

/**
 * The buttons of the page behind the way out, over HTTP alone: who opens a link changes nothing, nobody gets through with
 * another link's proof, and each request reaches the owner, once.
 */
export const wayOutStory = async (of: WayOut): Promise<void> => {
  const fetched = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(`${of.base}${path}`, { redirect: "manual", ...init })
    return { status: answer.status, body: await answer.text() }
  }
  const called = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${of.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID()
    }
    const answer = await fetched(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    assert.isBelow(answer.status, 300, answer.body)
    return JSON.parse(answer.body).result
  }
  const tag = crypto.randomUUID().slice(0, 8)
  const emailOf = (name: string) => `silent+${name}-${tag}@magic.test`
  const campaign = {
    name: "Way out",
    recipients: PEOPLE.map((name) => ({ email: emailOf(name), first_name: `Name-${name}` })),
    sequence: [{ subject: "Hello {{first_name|there}}", body: "Hi" }]
  }
  const { campaign_id } = await called("POST", "/v1/campaigns", campaign)
  const { leads } = await called("GET", `/v1/campaigns/${campaign_id}/leads`)
  const leadOf = (name: string): string =>
    leads.find(({ email }: { readonly email: string }) => email === emailOf(name))?.campaign_lead_id
  const linkOf = (name: string) => `/u/${of.workspaceId}/${leadOf(name)}.${of.macOf(leadOf(name))}`

  /** Whom another campaign could not write to any more. */
  const suppressed = async (): Promise<number> => {
    const { plan } = await called("POST", "/v1/campaigns", { ...campaign, name: "Another", dry_run: true })
    return plan.would.suppressed_reasons.opted_out ?? 0
  }
  const signIn = await of.signInPath()
  const token = new URL(signIn, of.base).searchParams.get("token") ?? ""
  const csrf = /name="csrf" value="([^"]*)"/.exec((await fetched(signIn)).body)?.[1] ?? ""
  const begun = await fetch(`${of.base}/console/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: of.origin },
    body: new URLSearchParams({ token, csrf })
  })
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? ""
  /** What the owner's page says of requests, by person. */
  const asked = async (): Promise<ReadonlyArray<number>> => {
    const { body, status } = await fetched(PERSON, { headers: { cookie } })
    assert.strictEqual(status, 200)
    // Each request has one form, which opens the person's file or erases them.
    return PEOPLE.map((name) => body.split(`name="email" value="${emailOf(name)}"`).length - 1)
  }
  const post = (path: string) => fetched(path, { method: "POST" })
  const expectNothing = async () => {
    assert.deepStrictEqual(await asked(), [0, 0, 0])
    assert.strictEqual(await suppressed(), 0)
  }

  // Whoever opens a link, however, changes nothing.
  for (const name of PEOPLE) {
    for (const part of ["", "/why", "/access", "/erasure"]) {
      for (const init of PREFETCHERS) {
        const { status } = await fetched(`${linkOf(name)}${part}`, init)
        assert.strictEqual(status, part === "" || part === "/why" ? 200 : 404)
      }
    }
    assert.strictEqual((await post(`${linkOf(name)}/why`)).status, 405)
  }
  await expectNothing()

  // A page is its person's alone, and names nobody.
  const why = (await fetched(`${linkOf("mine")}/why`)).body
  for (const unsaid of PEOPLE.flatMap((name) => [emailOf(name), `Name-${name}`])) assert.notInclude(why, unsaid)

  // No other proof opens it: a changed one, another lead's, another workspace's, none.
  const [mine, other] = [leadOf("mine"), leadOf("other")]
  const mac = of.macOf(mine)
  const changed = `${mac.slice(0, -2)}${mac.endsWith("AA") ? "BB" : "AA"}`
  const wrong = [
    `/u/${of.workspaceId}/${mine}.${changed}`,
    `/u/${of.workspaceId}/${mine}.${of.macOf(other)}`,
    `/u/${crypto.randomUUID()}/${mine}.${mac}`,
    `/u/${of.workspaceId}/${mine}`,
    `/u/${of.workspaceId}/${mine}.${mac}.${mac}`
  ]
  const answers = new Set<string>()
  for (const path of wrong) {
    for (const part of ["", "/access", "/erasure"]) {
      const answer = await post(`${path}${part}`)
      assert.strictEqual(answer.status, 404, `${path}${part}`)
      answers.add(answer.body)
    }
    assert.strictEqual((await fetched(`${path}/why`)).status, 404)
  }
  assert.strictEqual(answers.size, 1)
  await expectNothing()

  // A copy is asked for, and again: the owner has one request, and mail goes on.
  for (let again = 0; again < 3; again += 1) assert.strictEqual((await post(`${linkOf("mine")}/access`)).status, 200)
  assert.deepStrictEqual(await asked(), [1, 0, 0])
  assert.strictEqual(await suppressed(), 0)

  // Who asks to be erased is not written to from that moment, and the owner has one request.
  for (let again = 0; again < 3; again += 1) assert.strictEqual((await post(`${linkOf("other")}/erasure`)).status, 200)
  assert.deepStrictEqual(await asked(), [1, 1, 0])
  assert.strictEqual(await suppressed(), 1)

  // An objection stops at once, and again changes nothing; nothing is left for the owner to do.
  for (let again = 0; again < 3; again += 1) assert.strictEqual((await post(linkOf("third"))).status, 200)
  assert.strictEqual(await suppressed(), 2)
  assert.deepStrictEqual(await asked(), [1, 1, 0])
  assert.strictEqual((await fetched(`${linkOf("third")}/why`)).status, 200)
}
