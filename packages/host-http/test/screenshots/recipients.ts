/**
 * Photographs what recipients see, in each language, into a folder: the page behind the way out, why they were written
 * to, what follows a request, and how a first message ends. On a phone and a desktop, in light and dark.
 */
import { RECIPIENT_LANGUAGES } from "@outbound/domain/kernel/words/languages.js"
import { footer } from "@outbound/domain/outreach/sending/compose.js"
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { browser } from "../support/Browser.js"
import { FILE, fileIn, GENUINE, host, noticeIn } from "../support/wayOutHost.js"

const SIZES = [
  ["desktop", { width: 1080, height: 760 }],
  ["phone", { width: 390, height: 760 }]
] as const

const LINK = `/u/workspace/${GENUINE}`

/** A message as a mail program shows it. */
const letter = (text: string): string =>
  `<!doctype html><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><pre style="font:16px/1.5 sans-serif;white-space:pre-wrap;overflow-wrap:anywhere;margin:1rem">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`

/** Draws every picture, and returns how many there are. */
export const drawRecipients = (folder: string) =>
  Effect.gen(function* () {
    const { base, shown } = yield* host
    const { context } = yield* browser
    return yield* Effect.promise(async () => {
      mkdirSync(folder, { recursive: true })
      const page = await context.newPage()
      let drawn = 0
      const shoot = async (name: string) => {
        for (const [size, viewport] of SIZES) {
          for (const colorScheme of ["light", "dark"] as const) {
            await page.setViewportSize(viewport)
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
            await page.screenshot({
              animations: "disabled",
              fullPage: true,
              path: join(folder, `${name}-${size}-${colorScheme}.png`)
            })
            drawn += 1
          }
        }
      }
      for (const language of RECIPIENT_LANGUAGES) {
        shown.file = fileIn(language)
        await page.setExtraHTTPHeaders({ "accept-language": language })
        await page.goto(`${base}${LINK}`)
        await shoot(`unsubscribe-${language}`)
        await page.goto(`${base}${LINK}/why`)
        await shoot(`why-${language}`)
        await page.locator("form[action$=erasure] button").click()
        await shoot(`asked-${language}`)
        const ends = (notice: string) =>
          footer(FILE.workspace.postalAddress ?? "", `https://outbound.test${LINK}`, { language, notice })
        // Away from the page, whose policy allows no style of ours.
        await page.goto("about:blank")
        await page.setContent(letter(`…${ends(noticeIn(language))}`))
        await shoot(`message-${language}`)
        await page.setContent(letter(`…${ends("link")}`))
        await shoot(`message-link-${language}`)
      }
      return drawn
    })
  }).pipe(Effect.scoped)
