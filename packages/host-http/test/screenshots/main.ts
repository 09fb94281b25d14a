/**
 * Photographs every page of the console into docs/console/ and writes docs/console.md. The workspace on the pictures,
 * and the time on them, are always the same, so that a picture changes only with its page.
 */
import { OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { Clock, Effect, Layer } from "effect"
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { CONNECT } from "../../src/console/mailboxes/NewMailboxPage.js"
import { HttpServer } from "../../src/HttpServer.js"
import { browser, enter } from "../support/Browser.js"
import { consoleHost } from "../support/ConsoleHost.js"
import { Desk } from "../support/Desk.js"
import { furnish } from "../support/Furnished.js"
import { pagesOf } from "../support/pages.js"
import { describe } from "./describe.js"
import { clients, gated } from "./gate.js"
import { withPalette } from "./Palette.js"

const NOW = Date.UTC(2026, 4, 12, 10, 30)

const DESKTOP = { width: 1080, height: 760 }
const PHONE = { width: 360, height: 680 }
/** As wide as most phones of today. */
const WIDER = { width: 390, height: 844 }

/** Pages that tell whether mail arrives are shown on these. */
const ON_WIDER: ReadonlySet<string> = new Set(["approval-gate", "mailbox-connect", "sending-health"])

/** Pages that look like another one that is shown. */
const ALIKE: ReadonlySet<string> = new Set([
  "approval-closed",
  "approval-people",
  "approval-person",
  "approval-values",
  "campaign-draft",
  "campaign-paused",
  "reply-hostile",
  "queue",
  "suppression",
  "erase"
])

/** Shown as they are in a live workspace: a sandbox has no vendors' keys, no CRM and no mailboxes of its own. */
const LIVE: ReadonlySet<string> = new Set(["crm", "own-keys", "mailbox-new", "mailbox-table"])
const MADE_UP_KEYS = [
  ["prospero", "made-up-key-of-nobody-7f3a"],
  ["caliban", "made-up:key-of-nobody-90c1"]
] as const

/** All pictures together. */
const BYTES_MAX = 3.75 * 1024 * 1024

/** The repository, as seen from the built program or from its source. */
const root = fileURLToPath(
  new URL(import.meta.url.includes("/dist/") ? "../../../../../" : "../../../../", import.meta.url)
)
const folder = join(process.env["OUTBOUND_SCREENSHOTS"] ?? join(root, "docs"), "console")

const running = Clock.Clock.defaultValue()
const still: Clock.Clock = {
  sleep: (duration) => running.sleep(duration),
  monotonicTimeNanosUnsafe: () => running.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: running.monotonicTimeNanos,
  currentTimeMillisUnsafe: () => NOW,
  currentTimeNanosUnsafe: () => BigInt(NOW) * 1_000_000n,
  currentTimeMillis: Effect.succeed(NOW),
  currentTimeNanos: Effect.succeed(BigInt(NOW) * 1_000_000n)
}

const program = Effect.gen(function* () {
  const { port } = yield* HttpServer
  const { context } = yield* browser
  const desk = yield* Desk
  const furnished = yield* furnish(desk.ours, NOW, "Harbour & Sons")
  const shown = pagesOf(furnished).filter(({ name }) => !ALIKE.has(name))
  const link = yield* desk.link(desk.ours)
  const liveLink = yield* desk.link(desk.live)
  const store = yield* OwnKeyStore
  const base = `http://127.0.0.1:${port}`
  const page = yield* Effect.promise(() => context.newPage())
  let domain = ""
  let declare = ""
  const shoot = async (name: string, path: string): Promise<void> => {
    for (const [size, viewport] of [
      ["desktop", DESKTOP],
      ["phone", ON_WIDER.has(name) ? WIDER : PHONE]
    ] as const) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        await page.goto(base + path)
        const picture = await page.screenshot({ animations: "disabled" })
        writeFileSync(join(folder, `${name}-${size}-${colorScheme}.png`), withPalette(picture))
      }
    }
  }
  yield* Effect.promise(async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await shoot("sign-in", `/console/sign-in?token=${link}`)
    await enter(page, `${base}/console/sign-in?token=${link}`)
    for (const { name, path } of shown) if (!LIVE.has(name)) await shoot(name, path)
    await enter(page, `${base}/console/sign-in?token=${liveLink}`)
    for (const [vendor, secret] of MADE_UP_KEYS) {
      await page.goto(`${base}/console/settings/own-keys`)
      await page.getByLabel("Vendor").selectOption(vendor)
      await page.getByLabel("Key", { exact: true }).fill(secret)
      await page.getByRole("button", { name: "Save key" }).click()
      await page.waitForURL(/done=set/)
    }
    await page.goto(`${base}/console/settings/crm?crm=ledger`)
    await page.locator("[name=secret]").fill("made-up-key-of-nobody-5e17")
    await page.locator("form:has([name=secret]) button").click()
    await page.waitForURL(/done=connected/)
    await page.goto(`${base}/console/domains`)
    await page.locator("[name=domain]").fill("harbour.test")
    await page.locator("[name=mail_host]").selectOption("google")
    await page.locator("[name=dkim]").fill(`google TXT v=DKIM1; k=rsa; p=${"MIIB".repeat(98)}`)
    await page.locator("form:has([name=domain]) button").click()
    await page.waitForURL(/done=added/)
    domain = new URL(page.url()).pathname
    await page.goto(`${base}/console/mailboxes/new`)
    const own = { address: "ada@harbour.test", name: "Ada Lovelace", secret: "made-up-password" }
    for (const [name, value] of Object.entries(own)) await page.locator(`[name=${name}]`).first().fill(value)
    await page.locator("[name=smtp]").first().fill("smtps://smtp.gmail.com:465")
    await page.locator("[name=imap]").first().fill("imaps://imap.gmail.com:993")
    await page.locator("form:has([name=smtp]) button").first().click()
    await page.goto(`${base}/console/sending`)
    declare = new URL((await page.locator("a[href$='/declare']").first().getAttribute("href")) ?? "", base).pathname
  })
  yield* store.refused(desk.live.workspaceId, MADE_UP_KEYS[1][0], NOW)
  const live = [
    ...shown.filter(({ name }) => LIVE.has(name)),
    { name: "domains", path: "/console/domains" },
    { name: "domain", path: domain },
    { name: "mailbox-declare", path: declare },
    { name: "mailbox-connect", path: CONNECT }
  ]
  yield* Effect.promise(async () => {
    for (const { name, path } of live) await shoot(name, path)
  })
  const { approvalId } = yield* desk.add(desk.live, gated(NOW))
  yield* Effect.promise(() => shoot("approval-gate", `/console/approvals/${approvalId}#sending-domains`))
  const names = shown.map(({ name }) => name)
  const beside = (list: ReadonlyArray<string>, after: string, ...more: ReadonlyArray<string>) =>
    list.toSpliced(list.indexOf(after) + 1, 0, ...more)
  return [
    "sign-in",
    ...beside(
      beside(names, "mailbox-table", "mailbox-connect", "mailbox-declare", "domains", "domain"),
      "approval-launch",
      "approval-gate"
    )
  ]
})

const names = await Effect.runPromise(
  program.pipe(
    Effect.provide(Layer.provide(consoleHost("http://127.0.0.1"), clients)),
    Effect.scoped,
    Effect.provide(Layer.succeed(Clock.Clock, still))
  )
)
writeFileSync(join(folder, "..", "console.md"), describe(names))
const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
process.stdout.write(`${names.length} pages, ${Math.round(bytes / 1024)} KiB in ${folder}\n`)
if (bytes > BYTES_MAX) {
  process.stderr.write(`The pictures are larger than ${BYTES_MAX / 1024} KiB together.\n`)
  process.exitCode = 1
}
