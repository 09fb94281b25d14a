import axe from "axe-core"
import chromiumBinary from "@sparticuz/chromium"
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { Effect } from "effect"
import { existsSync, mkdtempSync, readFileSync, renameSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { chromium, type Page } from "playwright-core"

export interface Size {
  readonly width: number
  readonly height: number
}
export const DESKTOP: Size = { width: 1200, height: 900 }
export const PHONE: Size = { width: 380, height: 760 }

// No page draws in three dimensions. With a graphics processor that is only computed, a page takes two and a half times as long.
chromiumBinary.setGraphicsMode = false

/** Where nothing goes wrong, all of it takes far less. */
const MILLIS_MAX = 60_000

const chromiumVersion = (): string => {
  const manifest = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../package.json")
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version
}

/**
 * The browser's program. Its package unpacks it to a fixed place, where others find it before it is whole; here it
 * appears when it is, also where several processes need it first, or one was killed while it unpacked.
 */
const executable = async (): Promise<string> => {
  const home = join(tmpdir(), `outbound-chromium-${chromiumVersion()}-${process.getuid?.() ?? 0}`)
  if (existsSync(home)) return join(home, "chromium")
  const own = mkdtempSync(`${home}.`)
  const before = process.env["TMPDIR"]
  process.env["TMPDIR"] = own
  try {
    await chromiumBinary.executablePath()
  } finally {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
  }
  try {
    renameSync(own, home)
  } catch (error) {
    if (!existsSync(home)) throw error
    removeDirectory(own)
  }
  return join(home, "chromium")
}

/** A browser with a profile of its own that is thrown away. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () => {
    const profile = mkdtempSync(join(tmpdir(), "outbound-browser-"))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: await executable(),
      args: [...chromiumBinary.args, "--no-sandbox"],
      headless: true,
      timeout: MILLIS_MAX,
      viewport: DESKTOP
    })
    context.setDefaultTimeout(MILLIS_MAX)
    return { context, profile }
  }),
  ({ context, profile }) =>
    Effect.promise(async () => {
      await context.close()
      removeDirectory(profile)
    })
)

/**
 * What a page answers: of the rules that it passed only how many, because to name each of their elements takes most of the time.
 * The size of targets (WCAG 2.2, 2.5.8) is looked at only where it is asked for.
 */
const LOOK = `axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then(({ passes, violations }) => ({
  passed: passes.length,
  found: violations.map(({ id, nodes }) => id + ": " + (nodes[0]?.html ?? ""))
}))`

/** What an accessibility checker finds wrong with the page as it stands. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.waitForLoadState()
  // A page that is looked at again, at another size, has it already.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe.source)
  const { found, passed } = await page.evaluate<{ readonly found: ReadonlyArray<string>; readonly passed: number }>(
    LOOK
  )
  return passed < 10 ? ["the page was hardly checked"] : found
}

/** What the keyboard reaches and something that stays in place hides wholly (WCAG 2.2, 2.4.11). */
export const hiddenFocus = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.waitForLoadState()
  return page.evaluate(`(() => {
    const hidden = []
    for (const one of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")) {
      one.focus()
      if (document.activeElement !== one) continue
      const { bottom, left, right, top } = one.getBoundingClientRect()
      const [low, high] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
      const seen = [0.1, 0.5, 0.9].some((part) => {
        const found = document.elementFromPoint(Math.max(left, 0) + (Math.min(right, innerWidth) - Math.max(left, 0)) / 2, low + (high - low) * part)
        return found !== null && (one === found || one.contains(found) || found.contains(one) || found.tagName === "LABEL")
      })
      if (!seen) hidden.push(one.outerHTML.slice(0, 120))
    }
    return hidden
  })()`)
}

/** By how much the page is wider than its window. */
export const overflow = async (page: Page): Promise<number> => {
  await page.waitForLoadState()
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
}

/** Ordinary words that the page breaks in the middle, since their column is too narrow for them. */
export const brokenWords = async (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const broken = new Set()
    while (texts.nextNode()) {
      const text = texts.currentNode
      for (const { 0: word, index } of text.data.matchAll(/(?<![^\\s(])\\p{L}{2,14}(?=[\\s.,:;)]|$)/gu)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const tops = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)))
        if (tops.size > 1) broken.add(word)
      }
    }
    return [...broken]
  })()`)

/** Clicks what leads to another page, until that one is whole. */
export const follow = async (page: Page, role: "link" | "button", name: string): Promise<void> => {
  await page.getByRole(role, { name, exact: true }).click()
  await page.waitForLoadState()
}

export const enter = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForLoadState()
}
