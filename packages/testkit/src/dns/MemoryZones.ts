import { DnsZones, ZoneFailure, type ZoneFailureReason } from "@outbound/domain/outreach/domains/DnsZones.js"
import { added, removed } from "@outbound/domain/outreach/domains/planRecords.js"
import { isBetween, isSet } from "@outbound/domain/outreach/domains/standing.js"
import { Context, Effect, Layer, Redacted } from "effect"
import { ZoneWorld } from "./ZoneWorld.js"

export const MEMORY_ZONE_SECRET = "cf-token-0123456789abcdef"

/** The zone behind `DnsZones`, for a test to put records in. */
export class MemoryZones extends Context.Service<MemoryZones, ZoneWorld>()("@outbound/testkit/dns/MemoryZones") {}

const failure = (reason: ZoneFailureReason, says: string) => new ZoneFailure({ reason, says, retryAfterMillis: null })

/** One DNS host without a network, with the zone acme.test. */
export const layer: Layer.Layer<MemoryZones | DnsZones> = Layer.effectContext(
  Effect.sync(() => {
    const world = new ZoneWorld([{ zoneId: "Z1", name: "acme.test" }], MEMORY_ZONE_SECRET)
    return Context.make(MemoryZones, world).pipe(
      Context.add(DnsZones, {
        find: ({ secret }, domain) =>
          Effect.suspend(() => {
            if (Redacted.value(secret) !== world.secret) return failure("refused", "Authentication error")
            const zone = world.zones.find(({ name }) => domain === name || domain.endsWith(`.${name}`))
            return zone === undefined ? failure("no_zone", `no zone of ${domain}`) : Effect.succeed(zone)
          }),
        read: (_access, _zone, names) =>
          Effect.sync(() =>
            names.flatMap((name) =>
              [
                ...new Set(
                  world
                    .all()
                    .filter((one) => one.name === name)
                    .map(({ type }) => type)
                )
              ].map((type) => ({
                name,
                type,
                values: world.values(name, type)
              }))
            )
          ),
        change: (_access, _zone, change) =>
          Effect.suspend(() => {
            const { name, type } = change
            const values = world.values(name, type)
            if (isSet(change, values)) return Effect.void
            if (!isBetween(change, values)) return failure("changed", `other records at ${name}`)
            world.drop((one) => one.name === name && one.type === type && removed(change).includes(one.value))
            for (const value of added(change)) world.put(name, type, value)
            return Effect.void
          })
      })
    )
  })
)
