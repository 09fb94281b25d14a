import { createHash } from "node:crypto"
import { printStyle } from "./PrintStyle.js"

export const STYLE_PATH = "/console/style.css"

/** The stylesheet. Text has a contrast of at least 4.5:1 in both color schemes. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #f6f6f3; --sheet: #ffffff; --line: #deded8; --ink: #1d1f1e; --soft: #5a605d;
  --accent: #14614a; --accent-ink: #ffffff; --accent-soft: #e3f0ea;
  --stop: #9c2f22; --stop-soft: #fbeae7; --wait: #7a5200; --wait-soft: #fbf1dc;
  --radius: 10px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #151716; --sheet: #1e2120; --line: #363b39; --ink: #e9ebea; --soft: #a7aeab;
    --accent: #7fd1b2; --accent-ink: #0c2119; --accent-soft: #1d352c;
    --stop: #f2a197; --stop-soft: #3b211e; --wait: #e8c274; --wait-soft: #352b17;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.18em; }
.narrow p > a:only-child { display: inline-block; padding-block: 0.4rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--sheet); padding: 0.5rem 1rem; z-index: 2; }
.top { background: var(--sheet); border-bottom: 1px solid var(--line); }
.top > div { max-width: 64rem; margin: 0 auto; padding: 0.7rem 1.25rem 0.5rem; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.4rem 1.25rem; }
.brand { font-weight: 650; letter-spacing: -0.01em; color: var(--ink); text-decoration: none; }
.menu { max-width: 64rem; margin: 0 auto; }
.menu ul { list-style: none; margin: 0; padding: 0 0.65rem; display: flex; flex-wrap: wrap; }
.menu a { display: block; padding: 0.5rem 0.6rem 0.55rem; color: var(--soft); text-decoration: none; white-space: nowrap; border-bottom: 2px solid transparent; }
.menu a:hover { color: var(--ink); }
.menu a:focus-visible { outline-offset: -3px; }
.menu a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.menu .count { background: var(--wait-soft); color: var(--wait); border-radius: 99px; padding: 0.05rem 0.5rem; font-size: 0.8rem; font-weight: 650; margin-left: 0.35rem; }
button, .count { position: relative; }
.unseen { position: absolute; left: 0; top: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.stopped { background: var(--stop-soft); color: var(--stop); }
.stopped p { max-width: 64rem; margin: 0 auto; padding: 0.6rem 1.25rem; }
.who { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.9rem; font-size: 0.875rem; color: var(--soft); }
.who form { margin: 0; }
main { max-width: 64rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem; }
main.letter { max-width: 50rem; }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -0.015em; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 0.75rem; }
p { margin: 0 0 0.9rem; }
.lead { color: var(--soft); }
.soft { color: var(--soft); font-size: 0.9rem; }
.card { background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.1rem 1.25rem; }
.narrow { max-width: 30rem; margin: 3rem auto 0; padding: 1.75rem; }
.narrow p:last-child { margin-bottom: 0; }
.narrow form + form { margin-top: 0.75rem; }
ul.list { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; }
ul.list .card { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.2rem 1rem; align-items: start; }
ul.list .card p { margin: 0; grid-column: 1 / -1; }
ul.list .card > :is(h2, .mail) { margin: 0; padding: 0.3rem 0; grid-column: 1 / -1; }
.badges { display: flex; flex-wrap: wrap; gap: 0.3rem; justify-content: flex-end; }
ul.list strong, ul.list p { overflow-wrap: anywhere; }
ul.list a { font-weight: 600; overflow-wrap: anywhere; }
ul.list .soft a { font-weight: 400; }
.badge { display: inline-block; border-radius: 99px; padding: 0.1rem 0.65rem; font-size: 0.8rem; font-weight: 600; background: var(--ground); color: var(--soft); border: 1px solid var(--line); white-space: nowrap; }
.badge.pending { background: var(--wait-soft); color: var(--wait); border-color: transparent; }
.badge.approved, .badge.used { background: var(--accent-soft); color: var(--accent); border-color: transparent; }
.badge.declined, .badge.cancelled { background: var(--stop-soft); color: var(--stop); border-color: transparent; }
.badge.good { background: var(--accent-soft); color: var(--accent); border-color: transparent; }
.badge.wait { background: var(--wait-soft); color: var(--wait); border-color: transparent; }
.badge.bad { background: var(--stop-soft); color: var(--stop); border-color: transparent; }
.title { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.9rem; margin-bottom: 1rem; }
.title h1 { margin: 0; }
dl.facts { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: 0.55rem 1.25rem; margin: 0; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
dl.facts ul { margin: 0; padding: 0; list-style: none; }
.request { margin-top: 1.25rem; }
.big { font-size: 1.15rem; font-weight: 650; }
.step { margin: 0 0 1rem; padding: 0; overflow: hidden; }
.step header { padding: 0.7rem 1.25rem; border-bottom: 1px solid var(--line); display: grid; gap: 0.1rem; }
.step :is(h2, h3) { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.mail { margin: 0; padding: 1rem 1.25rem; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
.scroll { overflow-x: auto; padding: 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.925rem; }
caption { text-align: left; padding: 0.7rem 1.25rem; color: var(--soft); border-bottom: 1px solid var(--line); }
table.wide { min-width: 46rem; }
.firm { white-space: nowrap; }
th, td { text-align: left; padding: 0.45rem 1.25rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: break-word; }
.wide td:first-child, td.value { overflow-wrap: anywhere; min-width: 11rem; }
td button { white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
th { font-weight: 600; font-size: 0.85rem; color: var(--soft); }
.note { border-radius: var(--radius); padding: 0.8rem 1.1rem; margin: 0 0 1.25rem; background: var(--wait-soft); color: var(--wait); }
.note p:last-child { margin: 0; }
.note.good { background: var(--accent-soft); color: var(--accent); }
.note.bad { background: var(--stop-soft); color: var(--stop); }
.sign { background: var(--stop-soft); color: var(--stop); border-radius: 4px; padding: 0 0.2rem; font: 0.85em ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; white-space: nowrap; unicode-bidi: isolate; }
.merged { background: var(--accent-soft); border-radius: 3px; }
.merged.fallback { background: none; text-decoration: underline dotted; text-underline-offset: 0.25em; }
.glance { margin-bottom: 1.25rem; }
.glance dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: 0.8rem 1.5rem; margin: 0; }
.glance dt { color: var(--soft); font-size: 0.85rem; }
.glance dd { margin: 0; overflow-wrap: anywhere; }
.glance .short { color: var(--stop); }
.look { margin: 0 0 0.75rem; border-left: 4px solid var(--wait); }
.look h3 { font-size: 1rem; margin: 0 0 0.5rem; }
.look > p:last-child { margin: 0.5rem 0 0; }
.look .values + .values { border-top: 1px solid var(--line); padding-top: 0.6rem; }
.values p { margin: 0; }
.values dl { margin: 0.3rem 0 0.6rem; display: grid; grid-template-columns: minmax(6rem, 10rem) 1fr; gap: 0.2rem 1rem; }
.values dt { color: var(--soft); font-size: 0.9rem; overflow-wrap: anywhere; }
.values dd.mail { padding: 0; }
td.value { white-space: pre-wrap; }
main.spread, main:has(.broad) { max-width: 80rem; }
body:has(main.spread, .broad) :is(.top > div, .menu) { max-width: 80rem; }
.desk { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem; align-items: start; }
.parts > :first-child, .parts > :first-child > h2:first-child { margin-top: 0; }
.risks ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.4rem; }
.risks + dl, dl + .risks { margin-top: 1rem; }
.scroll + p, .actions + p { margin-top: 0.9rem; }
.chip { display: inline-block; border-radius: 99px; padding: 0.3rem 0.8rem; font-size: 0.85rem; font-weight: 600; background: var(--ground); color: var(--ink); border: 1px solid var(--line); text-decoration: none; }
.chip:hover { border-color: currentColor; }
.chip.wait { background: var(--wait-soft); color: var(--wait); }
.chip.bad { background: var(--stop-soft); color: var(--stop); }
.names { list-style: none; margin: 0; columns: 17rem; overflow-wrap: anywhere; }
details.plain > summary { padding: 0.4rem 0; margin-bottom: 0.5rem; cursor: pointer; }
.decide { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; box-shadow: 0 6px 24px rgb(0 0 0 / 0.12); }
.decide .gist { flex: 1 0 100%; margin: 0; font-size: 0.9rem; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.decide > form { flex: 1 1 8rem; margin: 0; }
.decide button { width: 100%; }
.decide > .button { flex: 1 1 8rem; text-align: center; }
.button.go { background: var(--accent); color: var(--accent-ink); border-color: var(--accent); }
.decide .why { flex: 1 0 100%; font-size: 0.9rem; }
.why > summary { padding: 0.2rem 0; cursor: pointer; }
/* What has the focus, or was jumped to, is not behind the decision. */
html:has(.decide) { scroll-padding: 1rem 0 10rem; }
@media (min-width: 62rem) {
  .desk { grid-template-columns: 23rem minmax(0, 1fr); }
  .deciding { display: flex; flex-direction: column; align-self: stretch; }
  .deciding .glance { position: sticky; top: 1rem; max-height: calc(100vh - 12rem); overflow-y: auto; }
  .deciding .glance dl { grid-template-columns: minmax(0, 1fr); gap: 0.6rem; }
  .deciding .glance dl > div { display: grid; grid-template-columns: 5rem minmax(0, 1fr); }
  .deciding .decide { position: sticky; bottom: 1rem; margin-top: auto; }
  .deciding .gist { display: none; }
}
@media (max-width: 61.99rem) and (min-height: 24rem) {
  .decide { position: fixed; z-index: 1; inset: auto 0 0; padding: 0.5rem 1rem; border-width: 1px 0 0; border-radius: 0; gap: 0.3rem 0.75rem; max-height: 100vh; overflow-y: auto; }
  body:has(.decide) { padding-bottom: 9rem; }
}
button {
  font: inherit; font-weight: 600; padding: 0.6rem 1.3rem; min-height: 2.75rem; border-radius: 8px; cursor: pointer;
  background: var(--sheet); color: var(--ink); border: 1px solid var(--soft);
}
button.go { background: var(--accent); color: var(--accent-ink); border-color: var(--accent); }
button.stop { color: var(--stop); border-color: var(--stop); }
button.full { background: var(--stop); color: var(--sheet); }
button.plain { min-height: 0; padding: 0.15rem 0; border: 0; background: none; color: var(--accent); font-weight: 500; text-decoration: underline; text-underline-offset: 0.18em; }
input, select, textarea {
  font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 8px;
  padding: 0.5rem 0.7rem; min-height: 2.75rem; width: 100%; max-width: 100%;
}
input[type="checkbox"], input[type="radio"] { width: 1.15rem; height: 1.15rem; min-height: 0; margin: 0.2rem 0 0; accent-color: var(--accent); flex: none; }
label { font-weight: 600; font-size: 0.9rem; }
.field { display: grid; gap: 0.25rem; margin: 0 0 1rem; align-content: start; }
form > details { margin: 0 0 1rem; }
form > details > summary { padding: 0.4rem 0; }
.hint { color: var(--soft); font-size: 0.875rem; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin: 0 0 1.25rem; }
.filters .field { flex: 1 1 9.5rem; margin: 0; }
.filters .field.short { flex: 0 1 9rem; }
.insert { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin: 1rem 0; }
.insert .field { flex: 1 1 12rem; margin: 0; }
.pager { display: flex; gap: 1.25rem; margin: 1rem 0 0; font-weight: 600; }
.pager a { padding: 0.4rem 0; }
.export { color: var(--soft); font-size: 0.9rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.plus { color: var(--accent); }
.tiles { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.6rem; }
.tiles a { display: block; background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); padding: 0.55rem 0.9rem; color: var(--soft); text-decoration: none; font-size: 0.9rem; }
.tiles a:hover { border-color: var(--soft); }
.tiles a[aria-current] { border-color: var(--accent); background: var(--accent-soft); color: var(--ink); }
nav .tiles { margin-bottom: 1.25rem; }
.figures li { background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); padding: 0.55rem 0.9rem; flex: 1 1 10rem; min-width: 0; }
.figures li a { border: 0; padding: 0; background: none; }
.spark { display: block; width: 100%; height: 2rem; margin-top: 0.4rem; }
.spark polyline { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.periods { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
.periods a { padding: 0.4rem 0; }
.periods ~ .scroll { margin-bottom: 1.5rem; }
.periods ~ .scroll th .soft { font-weight: 400; }
.periods a[aria-current] { font-weight: 600; color: var(--ink); text-decoration: none; }
.in-place > .mail, .in-place > details, .in-place > .actions, ul.list .row { grid-column: 1 / -1; }
.in-place .mail { border: 1px solid var(--line); border-radius: var(--radius); }
.row { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; }
.row form { margin: 0; }
dl.facts.card { margin-bottom: 1.25rem; }
.tiles .big { display: block; color: var(--ink); }
.fold { padding: 0; margin: 0 0 0.75rem; }
.fold summary { padding: 0.8rem 1.25rem; cursor: pointer; overflow-wrap: anywhere; }
.fold summary .soft { display: block; }
.fold-title { font-weight: 600; }
.fold .mail { border-top: 1px solid var(--line); }
.fold .variants { padding: 0 1.25rem 1rem; }
.variants .mail { border: 1px solid var(--line); border-radius: var(--radius); margin-bottom: 0.75rem; }
.theirs { border-left: 4px solid var(--wait); }
.theirs.this { border-left-width: 8px; }
.ours { border-left: 4px solid var(--accent); }
.referral form { display: flex; flex-wrap: wrap; gap: 0.75rem; grid-column: 1 / -1; margin: 0.5rem 0 0; }
.referral .foreign { padding: 0.35rem 0.75rem; }
.handling { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; align-items: end; margin: 0 0 1.25rem; }
.handling form { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: end; margin: 0; }
.handling p, .handling .field { margin: 0; }
.handling form > p:first-child { align-self: center; }
.done { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; }
.done p, .done form { margin: 0; }
.undo { animation: gone 0s linear 10s forwards; }
@keyframes gone { to { visibility: hidden; } }
.choose { display: flex; gap: 0.6rem; align-items: baseline; min-width: 0; overflow-wrap: anywhere; }
.choose input { flex: none; }
.bulk { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0 1.25rem; }
ul.list + p { margin-top: 0.75rem; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem; }
.beside .filters { flex-direction: column; align-items: stretch; }
.beside .filters .field { flex: 0 0 auto; }
.panes { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
.panes .others { display: none; }
.panes .person dl.facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
.panes .person dl.facts dd { margin: 0 0 0.55rem; }
.others ul { list-style: none; margin: 0; padding: 0; }
.others li { display: grid; gap: 0.15rem; justify-items: start; border-top: 1px solid var(--line); padding: 0.6rem 0; overflow-wrap: anywhere; }
.others a { overflow-wrap: anywhere; }
.others a[aria-current] { font-weight: 650; color: var(--ink); }
@media (min-width: 62rem) {
  .beside { grid-template-columns: minmax(0, 1fr) 14rem; }
  .panes { grid-template-columns: 14rem minmax(0, 1fr); }
  .panes .person { grid-column: 2; }
  .panes .others { display: block; }
}
@media (min-width: 78rem) {
  .spread .panes { grid-template-columns: 14rem minmax(0, 1fr) 17rem; }
  .spread .panes .person { grid-column: auto; }
}
.foreign { margin: 0; padding: 0.35rem 1.25rem; font-size: 0.85rem; background: var(--wait-soft); color: var(--wait); }
.rest { padding: 0 1.25rem 0.9rem; margin: 0; font-size: 0.9rem; }
.timeline { list-style: none; margin: 0; padding: 0.4rem 1.25rem; }
.timeline li { display: grid; grid-template-columns: 4rem 1fr; gap: 0.75rem; padding: 0.6rem 0; border-top: 1px solid var(--line); }
.timeline li:first-child { border-top: 0; }
.timeline time { color: var(--soft); font-variant-numeric: tabular-nums; font-size: 0.9rem; padding-top: 0.1rem; }
.timeline p { margin: 0; overflow-wrap: anywhere; }
.timeline .person { font-weight: 600; }
.timeline .id { overflow-wrap: anywhere; }
.chart { margin: 0 0 1.5rem; }
.chart svg, .meter svg { display: block; width: 100%; }
.chart svg { height: 9rem; margin: 0.9rem 0 0.3rem; }
.meter svg { height: 0.5rem; border-radius: 99px; margin-bottom: 0.75rem; }
.meter p { margin: 0 0 0.4rem; }
.chart.days svg { height: 3.5rem; margin: 0 0 1rem; }
.chart.days p { margin: 0 0 0.3rem; }
.funnel { list-style: none; margin: 0 0 1rem; }
.funnel p { margin: 0 0 0.25rem; }
.funnel svg { display: block; width: 100%; height: 0.6rem; margin-bottom: 0.8rem; border-radius: 99px; }
.fold .scroll { border-width: 1px 0 0; border-radius: 0; }
tbody th { vertical-align: baseline; }
svg .bad { fill: var(--stop); }
svg .fill { fill: var(--accent); }
svg .rail { fill: var(--line); }
.axis { display: flex; justify-content: space-between; }
section.card > h2, form.card > h2 { margin-top: 0; }
.note h2 { margin: 0 0 0.4rem; font-size: 1rem; }
.note ul { margin: 0; padding-left: 1.2rem; }
.note a { color: inherit; }
.note.plain { background: var(--sheet); color: var(--ink); border: 1px solid var(--line); }
.check { display: flex; gap: 0.65rem; margin: 0 0 0.8rem; align-items: flex-start; }
.check .hint { display: block; }
.check label { cursor: pointer; }
fieldset { border: 0; padding: 0; margin: 0 0 1.1rem; }
legend { font-weight: 600; font-size: 0.9rem; padding: 0; margin-bottom: 0.6rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
.actions form { margin: 0; }
ul.list .card > .actions, ul.list .card > .values { grid-column: 1 / -1; }
ul.list .card > .actions { margin-top: 0.5rem; }
.button { display: inline-block; font-weight: 600; padding: 0.6rem 1.3rem; min-height: 2.75rem; border-radius: 8px; border: 1px solid var(--soft); background: var(--sheet); color: var(--ink); text-decoration: none; line-height: 1.5rem; }
.button.stop { color: var(--stop); border-color: var(--stop); }
button.full { background: var(--stop); color: var(--sheet); }
.title .button { margin-left: auto; }
.stack { display: grid; gap: 1rem; }
.pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 0 1rem; align-items: end; }
.invite, form.passkey { margin-top: 1rem; }
.passkey [role="alert"] { margin: 0.6rem 0 0; }
.passkey [role="alert"]:empty { margin: 0; }
form.card { margin-bottom: 1.25rem; }
.scroll + form.card { margin-top: 1.25rem; }
ul.list + form.card { margin-top: 1.25rem; }
.stack > .card > h2:first-child, .stack > .card > h3:first-child { margin-top: 0; }
.stack + form, .stack + .actions, .card + form.card { margin-top: 1rem; }
.copied { margin: 0 0 0.75rem; padding: 0.5rem 0.75rem; user-select: all; }
.copied code { white-space: pre-wrap; overflow-wrap: anywhere; }
.secret { border-color: var(--accent); }
.secret code { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1rem; }
section.card > p:last-child { margin-bottom: 0; }
ins { background: var(--accent-soft); color: var(--accent); text-decoration: none; }
del { background: var(--stop-soft); color: var(--stop); }
.diff ins, .diff del, .diff span { display: block; white-space: pre-wrap; padding: 0 0.4rem; overflow-wrap: anywhere; }
.changes { margin-bottom: 1.25rem; }
button:hover { filter: brightness(0.94); }
@media (prefers-color-scheme: dark) { button:hover { filter: brightness(1.12); } }
code { font: 0.9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--sheet); border: 1px solid var(--line); border-radius: var(--radius); padding: 0.9rem 1.1rem; overflow-x: auto; }
pre code { overflow-wrap: normal; }
.narrow pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
.verb { margin-bottom: 1.25rem; }
.verb h2 { margin: 0 0 0.25rem; }
.verb h3 { font-size: 0.95rem; margin: 1.2rem 0 0.4rem; }
ul.fields { list-style: none; margin: 0; padding: 0; font-size: 0.9rem; }
ul.fields li { padding: 0.45rem 0; border-top: 1px solid var(--line); }
ul.fields code { font-weight: 600; margin-right: 0.4rem; }
ul.fields div code { font-weight: 400; margin: 0; }
.toc { columns: 2; padding-left: 1.2rem; }
@media (max-width: 36rem) {
  ul.list .card:has(> .choose) { grid-template-columns: minmax(0, 1fr); }
  ul.list .card > .choose + .badges { justify-content: flex-start; }
  ul.list .card.day { grid-template-columns: minmax(0, 1fr); }
  ul.list .card.day > .badge { justify-self: start; }
  main { padding: 1.25rem 1rem 3rem; }
  .top > div { padding: 0.5rem 1rem 0.2rem; flex-wrap: nowrap; }
  .who { flex-wrap: nowrap; min-width: 0; }
  .who span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
  .who form { flex: none; }
  .menu ul { padding: 0 0.6rem 0.3rem; }
  .menu a { padding: 0.15rem 0.4rem 0.2rem; font-size: 0.875rem; }
  nav .tiles { flex-wrap: nowrap; overflow-x: auto; overscroll-behavior-x: contain; }
  nav .tiles a { white-space: nowrap; }
  .stopped p { padding: 0.6rem 1rem; }
  .timeline { padding: 0.2rem 1rem; }
  .timeline li { grid-template-columns: 1fr; gap: 0.15rem; }
  .filters .field, .filters .field.short { flex: 1 1 100%; }
  .filters button { width: 100%; }
  dl.facts { grid-template-columns: 1fr; gap: 0.1rem; }
  dl.facts dd { margin-bottom: 0.7rem; }
  .values dl { grid-template-columns: minmax(4.5rem, auto) 1fr; gap: 0.2rem 0.75rem; }
  .look.brief { padding-block: 0.6rem; }
  .look.brief h3 { margin-bottom: 0.1rem; }
  .chip { padding: 0.25rem 0.6rem; font-size: 0.8rem; }
  th, td { padding: 0.45rem 0.8rem; }
  .toc { columns: 1; }
}
${printStyle}`

export const styleVersion = createHash("sha256").update(style).digest("hex").slice(0, 12)

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#14614a"/>' +
  '<path d="M8 16h14m-6-7 7 7-7 7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'
