import { DisposableDomains } from "@outbound/domain/kernel/people/DisposableDomains.js"
import { disposableEmailBlocklistSet } from "disposable-email-domains-js"
import { Layer } from "effect"

let disposable: ReadonlySet<string> | null = null

/** Whether a domain or a parent of it offers disposable mailboxes. */
export const isDisposable = (domain: string): boolean => {
  disposable ??= disposableEmailBlocklistSet()
  const labels = domain.split(".")
  // Top-level domains aren't looked up.
  for (let at = 0; at < labels.length - 1; at++) if (disposable.has(labels.slice(at).join("."))) return true
  return false
}

/** A list of those that are known. */
export const layer = Layer.succeed(DisposableDomains, { has: isDisposable })
