/** Plays the human at the console over HTTP, like a browser. */
import { Foreseen } from "./Foreseen.js"

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" }

const unescape = (text: string): string =>
  text.replaceAll(/&([a-z]+|#\d+|#x[\da-f]+);/gi, (all, name) => ENTITIES[name] ?? all)

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescape(value)
}

interface Form {
  readonly action: string
  readonly fields: URLSearchParams
}

/** The forms of a page, with their hidden fields. */
const formsIn = (html: string): ReadonlyArray<Form> =>
  [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = "", inner = ""]) => {
    const fields = new URLSearchParams()
    for (const [tag] of inner.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(tag, "name")
      if (name !== undefined) fields.append(name, attribute(tag, "value") ?? "")
    }
    return { action: attribute(head, "action") ?? "", fields }
  })

export class HumanStuck extends Foreseen {}

const REDIRECTS_MAX = 5

/** A service behind a proxy: its own address, and where it is reached without the proxy. */
export interface Proxied {
  readonly publicUrl: string
  readonly reachedAt: string
  /** Where other services are reached, by their origin. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

export class Human {
  private readonly cookies = new Map<string, string>()

  constructor(private readonly proxied: Proxied | null = null) {}

  private reached(url: URL): URL {
    if (this.proxied === null) return url
    const { elsewhere = {}, publicUrl, reachedAt } = this.proxied
    const at = url.origin === new URL(publicUrl).origin ? reachedAt : elsewhere[url.origin]
    return at === undefined ? url : new URL(`${url.pathname}${url.search}`, at)
  }

  private async request(url: URL, init: RequestInit = {}): Promise<{ readonly url: URL; readonly html: string }> {
    let next = { url, init }
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(this.reached(next.url), {
        ...next.init,
        redirect: "manual",
        headers: { ...(next.init.headers as Record<string, string>), ...(cookie === "" ? {} : { cookie }) }
      })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";")
        this.cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
      }
      const location = response.headers.get("location")
      const html = await response.text()
      if (location === null || response.status < 300 || response.status > 399) {
        if (!response.ok) throw new HumanStuck(`${next.url.pathname} answered ${response.status}`)
        return { url: next.url, html }
      }
      next = { url: new URL(location, next.url), init: {} }
    }
    throw new HumanStuck(`${url.pathname} redirects for ever`)
  }

  private async submit(
    page: { readonly url: URL; readonly html: string },
    to: string,
    typed: Readonly<Record<string, string>> = {}
  ) {
    const form = formsIn(page.html).find(({ action }) => new URL(action, page.url).pathname === to)
    if (form === undefined) throw new HumanStuck(`${page.url.pathname} has no form for ${to}`)
    for (const [name, value] of Object.entries(typed)) form.fields.set(name, value)
    return this.request(new URL(form.action, page.url), {
      method: "POST",
      body: form.fields,
      headers: { origin: page.url.origin }
    })
  }

  /** Opens the link and presses its button. */
  async signIn(link: string): Promise<void> {
    const url = new URL(link)
    await this.submit(await this.request(url), url.pathname)
  }

  /** Opens a page, types into its form for that path, and sends it. */
  async fill(page: string, to: string, typed: Readonly<Record<string, string>>): Promise<void> {
    await this.submit(await this.request(new URL(page)), to, typed)
  }

  /** Opens the approval's page and presses Approve. */
  async approve(approvalUrl: string): Promise<void> {
    const url = new URL(approvalUrl)
    await this.submit(await this.request(url), `${url.pathname}/approve`)
  }
}
