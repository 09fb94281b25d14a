import { createHash } from "node:crypto"

export const SCRIPT_PATH = "/console/passkeys.js"

/**
 * The console's only script. It shows the passkey forms in browsers that support them and fills in the answer, and offers
 * the browser's time zone.
 */
export const script = `"use strict"
const answerTo = async (form) => {
  const field = (name) => form.elements.namedItem(name)
  const asked = await fetch(form.dataset.options, {
    method: "POST",
    body: new URLSearchParams({ csrf: field("csrf") === null ? "" : field("csrf").value })
  })
  if (!asked.ok || asked.redirected) throw new Error("no challenge")
  const options = await asked.json()
  const credential = form.dataset.does === "create"
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  return JSON.stringify(credential.toJSON())
}
for (const select of document.querySelectorAll("select[data-offers-zone]")) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if ([...select.options].some((option) => option.value === timeZone)) select.value = timeZone
}
const canDo = window.PublicKeyCredential !== undefined &&
  PublicKeyCredential.parseCreationOptionsFromJSON !== undefined &&
  PublicKeyCredential.prototype.toJSON !== undefined
for (const form of canDo ? document.querySelectorAll("form[data-options]") : []) {
  const said = form.querySelector("[role=alert]")
  const button = form.querySelector("button")
  form.hidden = false
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    said.textContent = ""
    button.disabled = true
    answerTo(form).then(
      (answer) => {
        form.elements.namedItem("answer").value = answer
        form.submit()
      },
      () => {
        said.textContent = "Your browser returned no passkey. Try again or use a sign-in link."
        button.disabled = false
      }
    )
  })
}
`

const version = createHash("sha256").update(script).digest("base64url").slice(0, 12)

/** For pages with the script: it comes from this origin and may call only this origin. */
export const SCRIPTED = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
} as const

export const Script = () => <script type="module" src={`${SCRIPT_PATH}?v=${version}`} />
