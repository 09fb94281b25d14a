import { isAtHome, isLoopbackHost } from "@outbound/domain/kernel/Settings.js"

/**
 * Which browser pages may speak to the endpoint: none but the service's own, so that no foreign page reaches it through
 * a name that it points at us (DNS rebinding). Programs send no `Origin`. Where the service itself is at home on this
 * machine, so are pages on it.
 */
export const makeOriginCheck = (baseUrl: string): ((origin: string | undefined) => boolean) => {
  const own = new URL(baseUrl)
  const isLocal = isAtHome(baseUrl)
  return (origin) => {
    if (origin === undefined || origin === own.origin) return true
    return isLocal && URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname)
  }
}
