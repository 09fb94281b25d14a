import { readHost } from "@outbound/domain/kernel/people/Host.js"
import { SIGN_UPS_PER_DAY, SIGN_UPS_PER_NETWORK, type WhoSignsUp } from "@outbound/domain/control/signUp/policy.js"
import { Result } from "effect"
import type { VariableName } from "../ConfigVariables.js"
import { all, parsed, withDefault } from "./Setting.js"

const DOMAINS_MAX = 100
const COUNT_MAX = 1_000_000

const whoOf = (text: string): WhoSignsUp | undefined => {
  if (text === "closed") return { _tag: "Closed" }
  if (text === "open") return { _tag: "Open" }
  const domains = text.split(",").map((name) => Result.getOrNull(readHost(name.trim())))
  const isList = domains.length <= DOMAINS_MAX && domains.every((name) => name !== null && name.includes("."))
  return isList ? { _tag: "Domains", domains: domains.flatMap((name) => name ?? []) } : undefined
}

const countOf = (name: VariableName, usual: number) =>
  withDefault(
    parsed(name, `a number from 0 to ${COUNT_MAX}`, (text) =>
      /^\d{1,7}$/.test(text) && Number(text) <= COUNT_MAX ? Number(text) : undefined
    ),
    usual
  )

/** Who may make a workspace of their own, and how many are made. */
export const signUp = all({
  who: withDefault<WhoSignsUp>(
    parsed(
      "OUTBOUND_SIGN_UP",
      `closed, open, or a list of at most ${DOMAINS_MAX} domains, such as acme.example`,
      whoOf
    ),
    { _tag: "Closed" }
  ),
  perDayMax: countOf("OUTBOUND_SIGN_UPS_PER_DAY", SIGN_UPS_PER_DAY),
  perNetworkMax: countOf("OUTBOUND_SIGN_UPS_PER_NETWORK", SIGN_UPS_PER_NETWORK)
})
