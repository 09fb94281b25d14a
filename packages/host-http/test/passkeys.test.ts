import { assert, describe, it } from "@effect/vitest"
import { Letters } from "@outbound/testkit/mail/MemoryMailer.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContext, CDPSession, Page } from "playwright-core"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost, launch } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"

/** Where pictures of the pages go, when somebody wants to look at them. */
const pictures = process.env["OUTBOUND_TEST_PICTURES"]

interface Place {
  readonly context: BrowserContext
  readonly page: Page
  readonly base: string
  readonly desk: Desk["Service"]
  readonly letters: Letters["Service"]
  readonly authenticator: { readonly cdp: CDPSession; readonly authenticatorId: string }
  readonly complaints: ReadonlyArray<string>
}

/** A browser with an authenticator that says yes, at an address that passkeys can be made for. */
const withAuthenticator = (use: (place: Place) => Promise<void>) =>
  Effect.flatMap(Effect.promise(freePort), (port) => {
    const base = `http://localhost:${port}`
    return Effect.gen(function* () {
      const { context } = yield* browser
      const [desk, letters] = [yield* Desk, yield* Letters]
      yield* Effect.promise(async () => {
        const page = await context.newPage()
        const complaints: Array<string> = []
        page.on("console", (message) => complaints.push(message.text()))
        const cdp = await context.newCDPSession(page)
        await cdp.send("WebAuthn.enable")
        const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true
          }
        })
        await use({ context, page, base, desk, letters, authenticator: { cdp, authenticatorId }, complaints })
      })
    }).pipe(Effect.provide(consoleHost(base, MemoryMailer.layer, port)), Effect.scoped)
  })

const linkOf = async ({ base, desk }: Place): Promise<string> =>
  `${base}/console/sign-in?token=${await Effect.runPromise(desk.link(desk.ours))}`

const addPasskey = async (place: Place, name: string): Promise<void> => {
  const { base, page } = place
  await enter(page, await linkOf(place))
  await page.goto(`${base}/console/settings`)
  await page.getByLabel("Name of the passkey").fill(name)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByText("The passkey is added.").waitFor()
}

const signOut = (page: Page) => page.getByRole("button", { name: "Sign out" }).click()

const signInByPasskey = async ({ base, page }: Place): Promise<void> => {
  await page.goto(`${base}/console/sign-in`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
}

const refusal = (page: Page) => page.getByText("This passkey was not accepted").waitFor()

const looked = async (page: Page, name: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      found.push(...(await violations(page)).map((violation) => `${name} ${size} ${colorScheme} ${violation}`))
      if ((await overflow(page)) > 0) found.push(`${name} is wider than a ${size}`)
      if (pictures === undefined) continue
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  }
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: "light" })
  return found
}

describe("passkeys", () => {
  it.live(
    "are added after a fresh sign-in, sign in without a link, stand behind what is decided, and end by removal",
    () =>
      withAuthenticator(async (place) => {
        const { base, complaints, desk, letters, page } = place
        await addPasskey(place, "My <b>laptop</b>")
        assert.include((await Effect.runPromise(letters.next)).text, `with the passkey “My <b>laptop</b>”`)
        assert.deepStrictEqual(await looked(page, "settings-passkeys"), [])
        await signOut(page)
        await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor()
        assert.deepStrictEqual(await looked(page, "sign-in-ways"), [])

        const approval = await Effect.runPromise(desk.add(desk.ours, launch))
        await page.goto(`${base}/console/approvals/${approval.approvalId}`)
        await page.getByRole("button", { name: "Sign in with a passkey" }).click()
        await page.getByRole("button", { name: "Approve" }).click()
        await page.getByRole("status").waitFor()
        const decided = await Effect.runPromise(desk.find(approval))
        assert.deepStrictEqual([decided.state, decided.decidedBySession], ["approved", "passkey"])

        await page.goto(`${base}/console/settings`)
        await page.getByRole("button", { name: "Remove My <b>laptop</b>" }).click()
        await page.getByText("The passkey is removed").waitFor()
        await signOut(page)
        assert.deepStrictEqual(complaints, [])
        await signInByPasskey(place)
        await refusal(page)
        await page.goto(`${base}/console/approvals`)
        assert.include(page.url(), "/console/sign-in")
      }),
    600_000
  )

  it.live(
    "are neither added nor removed by a session that began with a printed link, which others can read too",
    () =>
      withAuthenticator(async (place) => {
        const { base, context, desk, page } = place
        await addPasskey(place, "My own")
        await context.clearCookies()
        const printed = await Effect.runPromise(desk.startLink(desk.ours))
        await enter(page, `${base}/console/sign-in?token=${printed}`)
        await page.goto(`${base}/console/settings`)
        await page.getByText("My own").waitFor()
        await page.getByText("began with the link that the service printed").waitFor()
        for (const name of ["Remove My own", "Add a passkey"]) {
          assert.strictEqual(await page.getByRole("button", { name }).count(), 0)
        }
        // Nor by what the buttons would have sent.
        const kept = await Effect.runPromise(desk.passkeys(desk.ours))
        const csrf = await page.locator("input[name=csrf]").first().inputValue()
        for (const path of ["passkeys/options", "passkeys", `passkeys/${kept[0]}/remove`]) {
          const form = { csrf, name: "A reader's", answer: "{}" }
          const answer = await page.request.post(`${base}/console/settings/${path}`, {
            form,
            headers: { origin: base }
          })
          assert.deepStrictEqual([path, answer.status()], [path, 403])
          assert.include(await answer.text(), "printed at its start")
        }
        assert.deepStrictEqual(await Effect.runPromise(desk.passkeys(desk.ours)), kept)
      }),
    600_000
  )

  it.live(
    "make a session fresh again, in place of the old one",
    () =>
      withAuthenticator(async (place) => {
        const { base, context, desk, page } = place
        await addPasskey(place, "My phone")
        await context.clearCookies()
        const value = await Effect.runPromise(desk.session(desk.ours, "owner", 6 * 60_000))
        const stale = { name: "outbound_session", value, url: base, httpOnly: true, sameSite: "Lax" as const }
        await context.addCookies([stale])
        await page.goto(`${base}/console/settings`)
        await page.getByRole("link", { name: "Sign in again" }).click()
        await page.getByRole("button", { name: "Confirm with a passkey" }).click()
        await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
        await page.waitForLoadState()
        assert.strictEqual(await page.getByRole("link", { name: "Sign in again" }).count(), 0)
        await context.clearCookies()
        await context.addCookies([stale])
        await page.goto(`${base}/console/settings`)
        assert.include(page.url(), "/console/sign-in")
      }),
    600_000
  )

  it.live(
    "can't be used from a copy, nor an answer twice, nor one that another browser asked for",
    () =>
      withAuthenticator(async (place) => {
        const { authenticator, base, context, page } = place
        const { authenticatorId, cdp } = authenticator
        await addPasskey(place, "")
        await signOut(page)
        let sent = ""
        page.on("request", (request) => {
          if (request.url().endsWith("/sign-in/passkey")) sent = request.postData() ?? ""
        })
        await signInByPasskey(place)
        await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
        const visit = (await context.cookies(base)).find(({ name }) => name === "outbound_visit")!.value
        const again = (cookie: string) =>
          fetch(`${base}/console/sign-in/passkey`, {
            method: "POST",
            redirect: "manual",
            headers: { cookie, origin: base },
            body: new URLSearchParams(sent)
          })
        assert.isAbove(sent.length, 100)
        assert.strictEqual((await again(`outbound_visit=${visit}`)).status, 403)

        // Its challenge is unspent: the browser that answers is not the one that asked.
        await signOut(page)
        await page.route("**/console/sign-in/passkey", (route) => route.abort())
        const failed = page.waitForEvent("requestfailed")
        await signInByPasskey(place)
        await failed
        // The browser's own page about it comes a moment later, and could take the place of the page that is asked for next.
        await page.waitForURL("chrome-error://chromewebdata/")
        await page.unroute("**/console/sign-in/passkey")
        assert.strictEqual((await again(`outbound_visit=${"x".repeat(43)}`)).status, 403)
        assert.strictEqual((await again("")).status, 403)

        const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId })
        const [credential] = credentials
        assert.isAbove(credential!.signCount, 0)
        await cdp.send("WebAuthn.clearCredentials", { authenticatorId })
        await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential!, signCount: 0 } })
        await signInByPasskey(place)
        await refusal(page)
      }),
    600_000
  )
})
