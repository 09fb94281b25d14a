/**
 * Agents of several habits, each scripted: whatever one does wrong, the loop ends, or stands at a human with the next step
 * said. Nothing is bought, sent or charged twice on the way. The same script speaks to the service in memory, over REST and
 * over MCP.
 */
import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"

/** What an agent hears, whatever it asked: the code and the words of a refusal, or a result. */
export interface Told {
  readonly code: string | null
  /** Everything that it can read of a refusal. */
  readonly words: string
  // oxlint-disable-next-line typescript/no-explicit-any -- as an agent reads it
  readonly result: any
}

/** A workspace with mailboxes and money, as an agent and its human reach it. */
export interface HabitBed {
  /** One call. Without a key it is the next of a fresh row. */
  readonly ask: (verb: VerbName, request: JsonObject, key?: string) => Promise<Told>
  readonly human: {
    readonly approve: (approvalUrl: string) => Promise<void>
    readonly decline: (approvalUrl: string, reason: string) => Promise<void>
  }
  /** Lets what is due be sent. */
  readonly sends: () => Promise<void>
  /** An address that never answers, another one each time. */
  readonly address: () => string
  /** How many people a campaign has. */
  readonly people: number
}

interface Ready {
  readonly bed: HabitBed
  readonly launch: { readonly campaign_id: string }
}

/** Whatever else uses the workspace at the same time has other keys. */
let rows = 0

/** A draft of its own. */
const ready = async (bed: HabitBed): Promise<Ready> => {
  const draft = await bed.ask("create_campaign", {
    name: "Habits",
    recipients: Array.from({ length: bed.people }, () => ({ email: bed.address() })),
    sequence: [{ subject: "Hello", body: "Shall we talk?" }]
  })
  assert.isNull(draft.code, draft.words)
  return { bed, launch: { campaign_id: draft.result.campaign_id as string } }
}

const sentOf = async ({ bed, launch }: Ready): Promise<number> => {
  await bed.sends()
  return (await bed.ask("get_campaign", launch)).result.sent as number
}

const spentOf = async (bed: HabitBed): Promise<string> =>
  (await bed.ask("get_me", {})).result.spent_this_month as string

/** A script of an agent, with what it must come to. */
export interface Habit {
  /** An agent that … */
  readonly name: string
  readonly run: (bed: HabitBed) => Promise<void>
}

export const HABITS: ReadonlyArray<Habit> = [
  {
    name: "ignores what it reads and launches without asking stands at the human, who is named, and nothing is sent",
    run: async (bed) => {
      const made = await ready(bed)
      const { launch } = made
      for (const invented of ["svc_confirm_approved", `svc_confirm_${"A".repeat(43)}`]) {
        const told = await bed.ask("launch_campaign", { ...launch, confirmation_token: invented })
        assert.isNotNull(told.code)
      }
      const asked = await bed.ask("launch_campaign", launch)
      assert.match(asked.result.approval_url, /\/console\/approvals\//)
      const again = await bed.ask("launch_campaign", {
        ...launch,
        confirmation_token: asked.result.confirmation_token
      })
      assert.strictEqual(again.code, "confirmation_required")
      assert.include(again.words, asked.result.approval_url)
      assert.strictEqual(await sentOf(made), 0)
    }
  },
  {
    name: "retries everything sends each message once, and pays once",
    run: async (bed) => {
      const made = await ready(bed)
      const { launch } = made
      const asked = await bed.ask("launch_campaign", launch, `${launch.campaign_id} ask`)
      for (let time = 0; time < 5; time++) await bed.ask("launch_campaign", launch, `${launch.campaign_id} ask`)
      await bed.human.approve(asked.result.approval_url)
      const confirmed = { ...launch, confirmation_token: asked.result.confirmation_token }
      const before = await spentOf(bed)
      const all = await Promise.all(
        Array.from({ length: 10 }, () => bed.ask("launch_campaign", confirmed, `${launch.campaign_id} launch`))
      )
      assert.isTrue(
        all.some(({ code }) => code === null),
        JSON.stringify(all[0])
      )
      assert.strictEqual(await sentOf(made), bed.people)
      assert.strictEqual(await spentOf(bed), before)
    }
  },
  {
    name: "loses its token asks again, and is shown where a human decides",
    run: async (bed) => {
      const made = await ready(bed)
      const { launch } = made
      const first = await bed.ask("launch_campaign", launch)
      await bed.human.approve(first.result.approval_url)
      const second = await bed.ask("launch_campaign", launch)
      assert.match(second.result.approval_url, /\/console\/approvals\//)
      await bed.human.approve(second.result.approval_url)
      const done = await bed.ask("launch_campaign", {
        ...launch,
        confirmation_token: second.result.confirmation_token
      })
      assert.isNull(done.code, done.words)
      assert.strictEqual(await sentOf(made), bed.people)
    }
  },
  {
    name: "sends the same body with another key launches once: a token acts once, and the refusal says so",
    run: async (bed) => {
      const made = await ready(bed)
      const { launch } = made
      const asked = await bed.ask("launch_campaign", launch)
      await bed.human.approve(asked.result.approval_url)
      const confirmed = { ...launch, confirmation_token: asked.result.confirmation_token }
      const told = [
        await bed.ask("launch_campaign", confirmed, `${launch.campaign_id} a`),
        await bed.ask("launch_campaign", confirmed, `${launch.campaign_id} b`)
      ]
      assert.isNull(told[0]?.code ?? null)
      assert.isNotNull(told[1]?.code ?? null)
      assert.isAbove(told[1]?.words.length ?? 0, 20)
      assert.strictEqual(await sentOf(made), bed.people)
    }
  },
  {
    name: "sends another body with the same key hears that the key is another call's",
    run: async (bed) => {
      const row = `row ${(rows += 1)}`
      await bed.ask("verify_email", { email: "valid@magic.test" }, row)
      const told = await bed.ask("verify_email", { email: "risky@magic.test" }, row)
      assert.strictEqual(told.code, "idempotency_conflict")
      assert.match(told.words, /key/i)
    }
  },
  {
    name: "reads one page alone hears of every page that there is another",
    run: async (bed) => {
      const made = await ready(bed)
      const { launch } = made
      const seen = new Set<string>()
      let cursor: string | null = null
      do {
        const request: JsonObject = {
          ...launch,
          limit: Math.ceil(bed.people / 3),
          ...(cursor === null ? {} : { cursor })
        }
        const page = await bed.ask("list_leads", request)
        for (const { email } of page.result.leads as ReadonlyArray<{ readonly email: string }>) seen.add(email)
        cursor = page.result.next_cursor as string | null
        assert.strictEqual(cursor === null, seen.size === bed.people)
      } while (cursor !== null)
    }
  },
  {
    name: "goes on after a human said no hears no, with the reason, and nothing is sent",
    run: async (bed) => {
      const made = await ready(bed)
      const { launch } = made
      const asked = await bed.ask("launch_campaign", launch)
      await bed.human.decline(asked.result.approval_url, "Not these people")
      for (let time = 0; time < 3; time++) {
        const told = await bed.ask("launch_campaign", {
          ...launch,
          confirmation_token: asked.result.confirmation_token
        })
        assert.strictEqual(told.code, "approval_declined")
        assert.include(told.words, "Not these people")
      }
      assert.strictEqual(await sentOf(made), 0)
    }
  }
]
