import { Context } from "effect"

/** Fresh UUIDv7s: ordered by creation time, so that indexes stay local and lists sort by id. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A new id that carries this time. */
    readonly next: (atMillis: number) => string
  }
>()("@outbound/domain/kernel/ports/Ids") {}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)
