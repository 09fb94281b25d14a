/** A browser without scripts that is sent to consent pages. */
export interface Got {
  readonly status: number
  readonly location: string | null
  readonly html: string
}

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "").replaceAll("&amp;", "&")

/** What a browser sends of a form that nobody touched: what is hidden, typed and ticked. */
const fieldsOf = (html: string, action: string): URLSearchParams => {
  const form = [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].find(
    ([, head = ""]) => attribute(head, "action") === action
  )
  const fields = new URLSearchParams()
  for (const [tag] of (form?.[2] ?? "").matchAll(/<input\b[^>]*>/g)) {
    const isTicked = !tag.includes('type="checkbox"') || /\bchecked\b/.test(tag)
    if (isTicked) fields.append(attribute(tag, "name"), attribute(tag, "value"))
  }
  return fields
}

/** A browser that just signed in with a link. */
export const signedIn = async (base: string, token: string) => {
  let cookie = ""
  const go = async (url: string, form?: URLSearchParams): Promise<Got> => {
    const response = await fetch(new URL(url, base), {
      redirect: "manual",
      headers: { cookie, ...(form === undefined ? {} : { origin: base }) },
      ...(form === undefined ? {} : { method: "POST", body: form })
    })
    cookie =
      response.headers
        .getSetCookie()
        .find((line) => line.startsWith("outbound_session="))
        ?.split(";")[0] ?? cookie
    return { status: response.status, location: response.headers.get("location"), html: await response.text() }
  }
  const signIn = async (): Promise<void> => {
    const { html } = await go(`/console/sign-in?token=${token}`)
    await go("/console/sign-in", fieldsOf(html, "/console/sign-in"))
  }
  /** Opens what a client asks for, and presses a button; the address at which the client is answered. */
  const decide = async (asked: URL, decision: "allow" | "deny"): Promise<string> => {
    const { location } = await go(asked.href)
    if (location === null) throw new Error("the request led nowhere")
    const { html } = await go(location)
    const action = decision === "allow" ? location : `${location}/deny`
    const done = await go(action, fieldsOf(html, action))
    if (done.location === null) throw new Error(`not decided: ${done.status} ${done.html}`)
    return done.location
  }
  await signIn()
  return { go, decide }
}
