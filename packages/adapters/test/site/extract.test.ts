import { assert, describe, it } from "@effect/vitest"
import { extract } from "../../src/site/extract.js"

const lines = (html: string) => extract(html).text.split("\n")

describe("the text of a page", () => {
  it("is what a person would read, one line per block, without what nobody sees", () => {
    const page = `<!doctype html><html><head><title> Acme
      Anvils </title><meta name="Description" content="Anvils  for all"><style>p{}</style></head>
      <body><!-- secret --><nav><ul><li>Home<li><a href="/a">About <b>us</b></a></ul></nav>
      <h1>Big&nbsp;Anvils</h1><p>Some <em>in</em>line<br>next &amp; last</p>
      <table><tr><td>Plan</td><td>Price</td></tr><tr><td>A</td><td>1&euro;</td></tr></table>
      <div hidden>never</div><div style="display: none">never</div><span aria-hidden="true">never</span>
      <script>var never = "<p>never</p>"</script><noscript>never</noscript><template><p>never</p></template>
      <svg><title>never</title><text>never</text></svg><p>End</p>`
    assert.deepStrictEqual(extract(page).title, "Acme Anvils")
    assert.deepStrictEqual(lines(page), [
      "Anvils for all",
      "Home",
      "About us",
      "Big Anvils",
      "Some inline",
      "next & last",
      "Plan Price",
      "A 1€",
      "End"
    ])
  })

  it("comes from pages that leave out what HTML allows to leave out", () => {
    assert.deepStrictEqual(lines("<title>x</title><p>One<p>Two<li>Three"), ["One", "Two", "Three"])
    assert.deepStrictEqual(lines("<head><title>x</title><body><p>One</p>"), ["One"])
    assert.deepStrictEqual(lines("just words"), ["just words"])
    assert.deepStrictEqual(lines("<p>a < b > c & d &nosuch; e"), ["a < b > c & d &nosuch; e"])
  })

  it("tells the links with their words, and the base", () => {
    const { base, links } = extract(
      '<base href="/x/"><base href="/y/"><a href="a">One <b>two</b></a><a>no</a><a href=b>Three'
    )
    assert.strictEqual(base, "/x/")
    assert.deepStrictEqual(links, [
      { href: "a", words: "One two" },
      { href: "b", words: "Three" }
    ])
  })

  it.each([
    "<div>",
    "<table><tr><td>",
    "<p>a ",
    "<a href=/x>",
    "<b><i>",
    "<",
    "</p>",
    "&amp",
    "<!--",
    "<b a=1 ",
    "<svg><title>",
    "<select><option>",
    "<ul><li>",
    "x "
  ])("takes bounded time over a megabyte of %s", (piece) => {
    const before = process.cpuUsage()
    const { links, text } = extract(`<p>first words</p>${piece.repeat(Math.ceil((1024 * 1024) / piece.length))}`)
    assert.isBelow(process.cpuUsage(before).user, 10_000_000)
    assert.match(text, /^first words/)
    assert.isAtMost(text.length, 200_000)
    assert.isAtMost(links.length, 1_000)
  })
})
