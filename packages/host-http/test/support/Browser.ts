import axe from "axe-core"
import chromiumBinary from "@sparticuz/chromium"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"

export interface Size {
  readonly width: number
  readonly height: number
}
export const DESKTOP: Size = { width: 1200, height: 900 }
export const PHONE: Size = { width: 380, height: 760 }

/** A browser with a profile of its own that is thrown away. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () => {
    const profile = mkdtempSync(join(tmpdir(), "outbound-browser-"))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: await chromiumBinary.executablePath(),
      args: [...chromiumBinary.args, "--no-sandbox"],
      headless: true,
      viewport: DESKTOP
    })
    context.setDefaultTimeout(10_000)
    return { context, profile }
  }),
  ({ context, profile }) =>
    Effect.promise(async () => {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    })
)

/** What an accessibility checker finds wrong with the page as it stands. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const { passes, violations: found } = (await page.evaluate("axe.run()")) as axe.AxeResults
  if (passes.length < 10) return ["the page was hardly checked"]
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)
}

/** By how much the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

export const enter = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.getByRole("button", { name: "Sign in" }).click()
}
