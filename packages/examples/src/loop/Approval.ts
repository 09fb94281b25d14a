/** Asks for approvals, waits for them, and makes the confirmed calls. */
import { credits, format, plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { randomUUID } from "node:crypto"
import { type Agent, type Answer, pause, Refused } from "./Agent.js"
import { Human, type Proxied } from "./Human.js"
import { operator, type OperatorOptions, shown } from "./Operator.js"
import { cost, say } from "./Progress.js"

const POLL_MILLIS_MIN = 1_000
const POLL_MILLIS_MAX = 15_000

/** Refusals that the operator can resolve with credits. */
const MONEY = new Set(["insufficient_credits", "card_required"])

export interface Workspace {
  readonly id: string
  readonly kind: "sandbox" | "live"
  /** Null if the operator's program can't reach the service's database. */
  readonly ownerEmail: string | null
}

/** How the operator's program and the console are reached, if not as usual. */
export interface ApproverPlace {
  readonly options?: OperatorOptions
  readonly proxied?: Proxied
}

/** Gets approvals from a person at the console, or plays that person. */
export class Approver {
  private human: Human | undefined
  /** The credits granted so far. */
  granted = zero

  constructor(
    private readonly agent: Agent,
    private readonly workspace: Workspace,
    private readonly approves: boolean,
    private readonly place: ApproverPlace = {}
  ) {}

  /** Grants the credits for a purchase, if the loop plays the human. */
  async fund(...costs: ReadonlyArray<string>): Promise<void> {
    if (!this.approves) return
    const amount = format(costs.map(credits).reduce(plus))
    const answer = await operator(
      ["credits", "grant", "--workspace", this.workspace.id, "--amount", amount],
      this.place.options
    )
    this.granted = plus(this.granted, credits(amount))
    say(`As the operator: granted ${amount} credits; ${answer.credits_available} are available.`)
  }

  private async signedIn(): Promise<Human> {
    if (this.human !== undefined) return this.human
    const human = new Human(this.place.proxied ?? null)
    const { url } = await operator(["sign-in-link", "--email", this.workspace.ownerEmail ?? ""], this.place.options)
    await human.signIn(url)
    return (this.human = human)
  }

  private async ask(approvalUrl: string, expiresAt: string): Promise<void> {
    if (this.approves) {
      await (await this.signedIn()).approve(approvalUrl)
      return say(`As the human: approved at ${approvalUrl}`)
    }
    say(`A human must approve this by ${expiresAt}:`)
    say(`  ${approvalUrl}`)
    if (this.workspace.ownerEmail !== null) {
      say(`To sign in: ${shown(["sign-in-link", "--email", this.workspace.ownerEmail])}`)
    }
    say("Waiting for the approval ...")
  }

  /** Repeats the confirmed call with the same Idempotency-Key until it is approved and paid for, or expires. */
  async confirmed(
    path: string,
    body: Readonly<Record<string, unknown>>,
    asked: { readonly confirmation_token: string; readonly approval_url: string; readonly expires_at: string }
  ): Promise<Answer<Record<string, never>>> {
    await this.ask(asked.approval_url, asked.expires_at)
    const key = randomUUID()
    const until = Date.parse(asked.expires_at)
    let told: string | undefined
    for (let wait = POLL_MILLIS_MIN; ; wait = Math.min(wait * 1.5, POLL_MILLIS_MAX)) {
      try {
        const answer = await this.agent.act(path, { ...body, confirmation_token: asked.confirmation_token }, key)
        cost(answer.charged, answer.available)
        return answer
      } catch (error) {
        const isWaiting = error instanceof Refused && (error.code === "confirmation_required" || MONEY.has(error.code))
        if (!isWaiting || Date.now() + wait > until) throw error
        if (MONEY.has(error.code) && told !== error.code) {
          const required = String(error.details["required"] ?? "2250")
          say(`${error.message} The operator can grant credits; the loop then continues:`)
          say(`  ${shown(["credits", "grant", "--workspace", this.workspace.id, "--amount", required])}`)
          told = error.code
        }
        await pause(wait)
      }
    }
  }
}
