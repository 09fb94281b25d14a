import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import type { ActingVerbs } from "./ActingVerbs.js"
import type { DataVerbs } from "./DataVerbs.js"
import type { ReadingVerbs } from "./ReadingVerbs.js"

/** What verbs and the members of their requests mean. */
export interface VerbWords extends DataVerbs, ActingVerbs, ReadingVerbs {}

/** The words' members, whose texts an editor shows, with the wire's types. */
type Doc<Words, Wire> = {
  readonly [K in keyof Words]: K extends keyof Wire ? Exclude<Wire[K], undefined> : never
}

/** A verb's request as it is sent, whose members say in an editor what they mean. One that is open stays open. */
export type Documented<Name extends VerbName, Wire> = string extends keyof Wire ? Wire : Doc<VerbWords[Name], Wire>
