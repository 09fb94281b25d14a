import { Context } from "effect"

/** Fresh UUIDv7s: ordered by the time they were made, so that indexes stay local and lists sort by id. */
export class Ids extends Context.Tag("@outbound/domain/kernel/ports/Ids")<
  Ids,
  {
    /** A new id. `atMillis` is the time it carries. */
    readonly next: (atMillis: number) => string
  }
>() {}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)
