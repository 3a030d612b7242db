import { type Markup, markup } from "../markup.ts";

/**
 * For light and dark, wide and narrow screens. An open cell is a sheet beside the matrix, or below
 * it if the screen is narrow.
 */
export const style: Markup = markup`
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #14171a); --ink: light-dark(#1b1f24, #e4e8ec); --soft: light-dark(#57606a, #9aa4ae);
  --line: light-dark(#d5dbe1, #333a41); --band: light-dark(#f3f5f7, #1d2226); --link: light-dark(#0a58b5, #7ab7ff);
  --kept: light-dark(#176f2c, #5fd07f); --kept-tint: light-dark(#e3f5e7, #12301c);
  --broken: light-dark(#b3141e, #ff8b8b); --broken-tint: light-dark(#fde4e4, #4a1518);
  --expected: light-dark(#7d5200, #f0bd5a); --expected-tint: light-dark(#fdf0d2, #3d2d0b);
  --claimed: light-dark(#3d5a80, #9bb8dd); --claimed-tint: light-dark(#e8eef6, #1c2736);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
header, h2, .subjects { padding: 0 1rem; max-width: 70rem; }
h1 { margin: 1.5rem 0 .25rem; font-size: 1.6rem; line-height: 1.25; text-wrap: balance; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
a { color: var(--link); }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre, code, .id { font-family: ui-monospace, "Cascadia Mono", Menlo, monospace; font-size: .8125rem; }
small { color: var(--soft); font-weight: normal; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.legend { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; margin: 1rem 0; padding: 0; list-style: none; font-size: .875rem; color: var(--soft); }
.legend li { display: flex; gap: .5rem; align-items: baseline; }
.legend b { color: var(--ink); }
.mark { display: inline-grid; place-items: center; flex: none; width: 1.5rem; height: 1.5rem; border-radius: .25rem; font-weight: 700; }
.kept { color: var(--kept); background: var(--kept-tint); }
.broken, .stale { color: var(--broken); background: var(--broken-tint); }
.expected-failure, .broken.advice { color: var(--expected); background: var(--expected-tint); }
.not-asked, .not-claimed { color: var(--claimed); background: var(--claimed-tint); }
.not-run { color: var(--soft); background: var(--band); }

.matrix { position: relative; overflow: auto; max-height: 100dvh; border-block: 1px solid var(--line); }
table { border-collapse: separate; border-spacing: 0; }
th, td { padding: 0; border-bottom: 1px solid var(--line); border-right: 1px solid var(--line); vertical-align: top; }
th { text-align: left; font-weight: 600; }
tbody th, .corner, .summary th { position: sticky; left: 0; z-index: 1; width: 26rem; min-width: 17rem; padding: .4rem .75rem; background: var(--paper); }
thead { position: sticky; top: 0; z-index: 2; }
thead th, thead td { background: var(--band); padding: .4rem .5rem; }
thead th[scope="col"]:not(.corner) { min-width: 6rem; vertical-align: bottom; text-align: center; font-size: .875rem; line-height: 1.25; }
th[scope="col"]:not(.corner) > * { display: block; max-width: 9rem; margin: 0 auto; overflow-wrap: break-word; }
thead small { font-size: .75rem; }
.corner { vertical-align: bottom; }
.corner, .summary th { background: var(--band); }
.summary td { font-size: .8125rem; }
.level th { position: sticky; left: 0; z-index: 1; padding: .2rem .75rem; background: var(--band); font-weight: 400; font-size: .8125rem; }
.level td { padding: .2rem .25rem; text-align: center; font-size: .8125rem; font-variant-numeric: tabular-nums; }
.severity { color: var(--broken); }
.bar { display: flex; gap: 1px; height: .4rem; border-radius: .2rem; overflow: hidden; }
.bar i { background: currentColor; }
.counts { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 .5rem; margin-top: .2rem; font-variant-numeric: tabular-nums; }
.family th, .family td { background: var(--band); font-size: .8125rem; }
table { height: 1px; }
.family td.short { color: var(--broken); font-weight: 700; }
.family td.short.advice { color: var(--expected); }
.family td { padding: .4rem .25rem; text-align: center; color: var(--soft); font-variant-numeric: tabular-nums; }
th .rule { display: block; color: var(--soft); font-weight: normal; font-size: .8125rem; line-height: 1.35; }

.narrow thead th[scope="col"]:not(.corner) { min-width: 3rem; writing-mode: sideways-lr; text-align: left; }
.narrow th[scope="col"]:not(.corner) > * { max-width: none; max-height: 13rem; }
.narrow .counts { display: grid; justify-content: stretch; text-align: center; }
.narrow .summary td { padding-inline: .25rem; }

td.cell, details { height: 100%; }
summary { display: grid; place-items: center; min-height: 2.75rem; height: 100%; cursor: pointer; list-style: none; font-weight: 700; font-size: 1.05rem; }
summary::-webkit-details-marker { display: none; }
summary:hover { box-shadow: inset 0 0 0 2px currentColor; }
summary:focus-visible { outline-offset: -3px; }
details[open] > summary { box-shadow: inset 0 0 0 3px currentColor; }
details[open] > summary::before { content: ""; position: fixed; inset: 0; z-index: 3; background: #0006; cursor: default; }
details[open] > summary::after { content: "Close ✕"; position: fixed; z-index: 5; right: 1rem; top: .75rem; padding: .15rem .6rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--band); color: var(--ink); font: 600 .875rem/1.6 system-ui, sans-serif; }
.panel { position: fixed; z-index: 4; inset: 0 0 0 auto; width: min(44rem, 60vw); overflow: auto; overscroll-behavior: contain; padding: .75rem 1.25rem 2rem; background: var(--paper); color: var(--ink); border-left: 1px solid var(--line); box-shadow: 0 0 2rem #0005; text-align: left; }
.panel .head { margin: 0 6rem .75rem 0; overflow-wrap: anywhere; }
.panel .rule { font-size: 1.1rem; font-weight: 600; line-height: 1.35; }
.panel dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem .9rem; margin: 1rem 0; padding-top: 1rem; border-top: 1px solid var(--line); }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.panel pre { padding: .3rem .5rem; border-radius: .25rem; background: var(--band); }
.panel pre.actual { color: var(--broken); background: var(--broken-tint); }
.subjects { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .5rem 1.25rem; margin: 0 0 3rem; }
.subjects dt { color: var(--ink); font-weight: 600; }
.subjects pre { margin-top: .25rem; }

@media (max-width: 48rem) {
  h1 { font-size: 1.3rem; }
  tbody th, .corner, .summary th { width: 9.5rem; min-width: 9.5rem; max-width: 9.5rem; padding: .4rem .5rem; }
  th .rule { display: none; }
  .id { overflow-wrap: anywhere; }
  .panel { inset: auto 0 0 0; width: auto; max-height: 80dvh; border-left: 0; border-top: 1px solid var(--line); border-radius: .75rem .75rem 0 0; }
  details[open] > summary::after { top: auto; bottom: calc(80dvh - 2.75rem); }
  .panel dl { grid-template-columns: minmax(0, 1fr); gap: .1rem; }
  .subjects { grid-template-columns: minmax(0, 1fr); gap: .25rem; }
  .subjects dd { margin-bottom: .75rem; }
}
@media print { .matrix { max-height: none; overflow: visible; } thead, tbody th { position: static; } }
`;
