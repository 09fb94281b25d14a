import { isSuccess } from "@outbound/domain/calls/envelope.js"
import type { AcceptedCredentials } from "./AcceptedCredentials.js"
import type { AddressRates } from "./AddressRates.js"
import type { Exchange } from "./Exchange.js"

/** Turns away what an address asks too often without a credential that this host knows. */
export class Door {
  constructor(
    private readonly rates: AddressRates,
    private readonly accepted: AcceptedCredentials
  ) {}

  /** Seconds to wait if the request is one too many of its address, else null. */
  waitSeconds(exchange: Exchange): number | null {
    const authorization = exchange.header("authorization")
    if (authorization === undefined) return this.rates.anonymous(exchange.client)
    const wait = this.rates.waitAfterFailures(exchange.client)
    return wait === null || this.accepted.has(authorization) ? null : wait
  }

  /** Learns from an answer whether its credential is known. */
  answered(exchange: Exchange, status: number): void {
    const authorization = exchange.header("authorization")
    if (authorization === undefined) return
    if (status === 401) this.rates.failed(exchange.client)
    // Any other status may come before the credential was looked at.
    else if (isSuccess(status)) this.accepted.add(authorization)
  }
}
