import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { Heard } from "./ScriptedSmtp.js"
import { TARGET } from "./support.js"

const RECIPIENT = /^RCPT TO:<(.*)>$/

/** What a server meant to say proves this status; null, or what is missing. Nothing else needs proof. */
export const proofless = (status: EmailStatus, heard: ReadonlyArray<Heard>): string | null => {
  const named = heard.flatMap(({ code, command }) => {
    const address = RECIPIENT.exec(command)?.[1]
    return address === undefined ? [] : [{ address, code }]
  })
  const toTarget = named.filter(({ address }) => address === TARGET)
  const toOthers = named.filter(({ address }) => address !== TARGET)
  const isTaken = toTarget.some(({ code }) => code === 250 || code === 251)
  if (status === "invalid") return toTarget.some(({ code }) => code === 550) ? null : "the recipient was not refused"
  if (status !== "valid") return null
  if (!isTaken) return "the recipient was not accepted"
  const isRefused = toOthers.some(({ code }) => code !== null && code >= 550 && code <= 554)
  return isRefused ? null : "nobody else was refused"
}
