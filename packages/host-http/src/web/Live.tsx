import { createHash } from "node:crypto"

export const LIVE_PATH = "/console/live.js"

/**
 * Keeps a page true while somebody looks at it. It hears that something changed, asks for its own page again, and changes
 * what differs in the parts marked `data-live`. What has the focus, and a form that somebody has begun to fill in, stays.
 * Where no time zone was chosen, it keeps the browser's in a cookie, for the pages that come.
 */
export const liveScript = `"use strict"
const RETRY_MILLIS = { first: 2000, most: 60000 }
let source = null
let timer = 0
let losses = 0
let isAsking = false
let isAskedAgain = false
let isStale = false

const isFilled = (form) => [...form.elements].some((field) =>
  field.type === "hidden" ? false
  : field.nodeName === "SELECT"
    ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected))
  : field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
  : "defaultValue" in field && field.value !== field.defaultValue)
const isHeld = (node) => node === document.activeElement && node !== document.body ||
  node.nodeName === "FORM" && (isFilled(node) || node.contains(document.activeElement))
const holds = (node) => node.nodeType === 1 &&
  (isHeld(node) || [...node.querySelectorAll("form")].some(isHeld) ||
    node.contains(document.activeElement) && document.activeElement !== document.body)

const keepOpen = (old, fresh) => {
  const open = new Set([...old.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent))
  for (const summary of fresh.querySelectorAll("details > summary")) {
    if (open.has(summary.textContent)) summary.parentElement.open = true
  }
}
const renew = (old, fresh) => {
  if (old.isEqualNode(fresh)) return
  if (old.nodeType !== 1 || fresh.nodeType !== 1) return old.replaceWith(fresh)
  if (isHeld(old)) return void (isStale = true)
  const isAlike = old.nodeName === fresh.nodeName && old.childNodes.length === fresh.childNodes.length &&
    [...old.childNodes].every((child, index) => child.nodeName === fresh.childNodes[index].nodeName)
  if (!isAlike) {
    if (holds(old)) return void (isStale = true)
    keepOpen(old, fresh)
    return old.replaceWith(fresh)
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(old.nodeName === "DETAILS" && name === "open")) old.removeAttribute(name)
  }
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  const children = [...fresh.childNodes]
  for (const [index, child] of [...old.childNodes].entries()) renew(child, children[index])
}
const show = (text) => {
  const fresh = document.importNode(new DOMParser().parseFromString(text, "text/html").body, true)
  isStale = false
  for (const old of document.querySelectorAll("[data-live]")) {
    const part = fresh.querySelector('[data-live="' + old.dataset.live + '"]')
    if (part !== null) renew(old, part)
  }
  const said = document.querySelector("[data-said]")
  const says = fresh.querySelector("[data-says]")
  if (said !== null && says !== null && said.dataset.said !== says.dataset.says) {
    said.dataset.said = says.dataset.says
    said.textContent = says.dataset.says
  }
}
const ask = async () => {
  if (isAsking) return void (isAskedAgain = true)
  isAsking = true
  try {
    const page = await fetch(location.href, { headers: { accept: "text/html" } })
    if (page.redirected) return end()
    if (page.ok) show(await page.text())
  } catch {
    isStale = true
  } finally {
    isAsking = false
    if (isAskedAgain) {
      isAskedAgain = false
      void ask()
    }
  }
}
const end = () => {
  clearTimeout(timer)
  if (source !== null) source.close()
  source = null
}
const begin = () => {
  end()
  if (document.hidden) return
  source = new EventSource("/console/events")
  source.addEventListener("open", () => {
    losses = 0
    // What changed since the page was made was told to nobody.
    void ask()
  })
  source.addEventListener("changed", () => void ask())
  source.addEventListener("error", () => {
    // A refusal says nothing else to a script: whether the session is over, the page tells.
    if (source.readyState === EventSource.CLOSED) void ask()
    end()
    losses += 1
    const most = Math.min(RETRY_MILLIS.most, RETRY_MILLIS.first * 2 ** (losses - 1))
    timer = setTimeout(begin, most * (0.5 + Math.random() / 2))
  })
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return end()
  begin()
})
document.addEventListener("focusout", () => setTimeout(() => isStale && void ask(), 500))
addEventListener("pagehide", end)
addEventListener("pageshow", ({ persisted }) => persisted && begin())
begin()
// Times are shown in the browser's zone from now on, unless the reader chose one.
for (const { dataset } of document.querySelectorAll("[data-zone]")) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if (timeZone === undefined || timeZone === "UTC") continue
  document.cookie = dataset.zone + "=" + encodeURIComponent(timeZone) + "; Path=/; SameSite=Lax; Max-Age=31536000" +
    (dataset.zone.startsWith("__Host-") ? "; Secure" : "")
  void ask()
}
`

const version = createHash("sha256").update(liveScript).digest("base64url").slice(0, 12)

export const Live = () => <script type="module" src={`${LIVE_PATH}?v=${version}`} />
