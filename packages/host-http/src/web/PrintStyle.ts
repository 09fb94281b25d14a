/**
 * On paper: who prints it and of which workspace, in dark on light, without what only a screen can do. What is folded away
 * is printed, tables are as wide as the sheet, and no card or row is cut where it fits on a page.
 */
export const printStyle = `
@media print {
  :root {
    color-scheme: light;
    --ground: #ffffff; --sheet: #ffffff; --line: #b9b9b3; --ink: #000000; --soft: #3c403e;
    --accent: #14614a; --accent-ink: #ffffff; --accent-soft: #e3f0ea;
    --stop: #9c2f22; --stop-soft: #fbeae7; --wait: #7a5200; --wait-soft: #fbf1dc;
  }
  @page { margin: 15mm; }
  html { font-size: 9.5pt; }
  body { font-size: 1rem; }
  main, main.letter, main.spread, main:has(.broad), .top > div { max-width: none; padding: 0; }
  .top { border: 0; margin-bottom: 8mm; }
  .skip, .menu, .who form, .decide, .pager, .filters, .actions, .undo, .insert, .others, .export, .stopped a { display: none; }
  button, .button, input:not([type=hidden]), select, textarea, form > .field, form > .check, fieldset { display: none; }
  details:has(> form), .card:has(> form):not(:has(dl, table, ul, .mail)) { display: none; }
  .desk, .panes, .beside { display: block; }
  .deciding, .person { position: static; }
  details::details-content { content-visibility: visible; height: auto; opacity: 1; }
  .scroll { overflow: visible; }
  table, table.wide, table.wide.broad { min-width: 0; font-size: 0.85rem; }
  th, td, .wide td:first-child { padding: 0.25rem 0.4rem; min-width: 0; }
  .number, .firm { white-space: normal; }
  thead { display: table-header-group; }
  tr, .card:not(.scroll, .timeline), .step, .look, .note { break-inside: avoid; }
  h1, h2, h3, caption, summary, .step header { break-after: avoid; }
  h2 { margin-top: 1.25rem; }
  a { color: inherit; }
  svg, .badge, .chip, .note, .sign, .merged, ins, del { print-color-adjust: exact; }
}
`
