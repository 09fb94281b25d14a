import type { Client } from "@outbound/testkit/service/Client.js"

export interface Got {
  readonly status: number
  readonly location: string | null
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- an attacker's view of JSON
  readonly body: any
}

/** One request of an attacker, and the only answer that it may get: status, and code if the answer is JSON. */
export interface Attempt {
  readonly what: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
  readonly answer: readonly [status: number, code: unknown]
}

interface Person {
  readonly cookie: string
  readonly csrf: string
}

export interface Stage {
  readonly base: string
  /** Asks for what nobody has approved yet. */
  readonly victim: Client
  /** Another key of the victim's workspace, and one that may only read its use. */
  readonly colleague: Client
  readonly reader: Client
  /** A key of another workspace. */
  readonly attacker: Client
  readonly campaignId: string
  readonly launch: { readonly token: string; readonly path: string; readonly digest: string }
  readonly purchase: { readonly token: string; readonly path: string; readonly request: object }
  /** A token of the attacker's own workspace. */
  readonly theirs: { readonly token: string }
  /** Needs two people, and the owner has approved it. */
  readonly half: { readonly token: string; readonly path: string; readonly digest: string; readonly campaignId: string }
  readonly owner: Person & { readonly again: Person }
  readonly stranger: Person
}

/** An id that nothing has. */
export const NOBODY = "0197c3a0-0000-7000-8000-00000000000c"

export const JSON_TYPE = { "content-type": "application/json" }
