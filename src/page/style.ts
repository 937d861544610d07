/**
 * The style of every page: no font, picture or colour from elsewhere.
 *
 * WebKit places nothing relative to a table row: what a row's link covers is placed by the link's cell, and would
 * otherwise be the whole page. It also lets the choices of a `select` widen the page unless they are contained.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf9f7, #141517); --card: light-dark(#ffffff, #1b1c1f);
  --ink: light-dark(#1d1e20, #e7e6e3); --dim: light-dark(#63666b, #9b9fa6);
  --line: light-dark(#e5e3de, #2c2e32); --hover: light-dark(#f2f0ec, #222428);
  --accent: light-dark(#0b6b63, #5cc8bb); --on-accent: light-dark(#ffffff, #0c1f1d);
  --good: light-dark(#17693a, #6fcf97); --bad: light-dark(#a8261b, #f08a7e); --wait: light-dark(#83590a, #e0b252);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
html { scrollbar-gutter: stable; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.5 system-ui, 'Segoe UI', 'Liberation Sans', sans-serif; }
a { color: inherit; text-underline-offset: 3px; text-decoration-color: var(--line); }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 8px; top: 8px; background: var(--card); padding: 6px; z-index: 2; }
header { display: flex; align-items: center; gap: 4px 20px; padding: 0 20px; background: var(--card); border-bottom: 1px solid var(--line); }
header p { margin: 0; white-space: nowrap; } .name { font-weight: 650; letter-spacing: -0.01em; }
header nav { display: flex; flex: 1; flex-wrap: wrap; gap: 2px; align-self: stretch; }
header nav a { padding: 12px 10px 10px; color: var(--dim); text-decoration: none; border-bottom: 2px solid transparent; white-space: nowrap; }
header nav a:hover { color: var(--ink); } header nav a:focus-visible { outline-offset: -3px; }
header nav a[aria-current] { color: var(--ink); border-color: var(--accent); }
.clock { color: var(--dim); font: 12px var(--mono); font-variant-numeric: tabular-nums; }
main { container-type: inline-size; max-width: 1120px; margin: 0 auto; padding: 20px 20px 80px; }
h1 { font-size: 20px; font-weight: 620; letter-spacing: -0.015em; margin: 0 0 12px; overflow-wrap: anywhere; }
h1 .mono { font-size: 16px; }
h2 { font-size: 14px; font-weight: 620; margin: 28px 0 8px; }
.dim, .empty { color: var(--dim); } .empty { padding: 32px 0; } p { margin: 0 0 8px; overflow-wrap: anywhere; }
code, pre, .mono, time, textarea { font-family: var(--mono); font-size: 12.5px; }
kbd { font: 11px var(--mono); border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; color: var(--dim); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 500; font-size: 12px; color: var(--dim); padding: 6px 10px; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 7px 10px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
tbody tr:hover { background: var(--hover); }
td time, td .badge { white-space: nowrap; } .end { text-align: right; white-space: nowrap; }
a.row { text-decoration: none; font-family: var(--mono); font-size: 12.5px; } a.row::after { content: ''; position: absolute; inset: 0 auto 0 0; width: 100cqi; } td:has(> a.row) { position: relative; }
tr:has(a.row:focus-visible) { outline: 2px solid var(--accent); outline-offset: -2px; } a.row:focus-visible { outline: none; }
td form, td button { position: relative; z-index: 1; }
.badge { font-size: 12px; font-weight: 600; letter-spacing: 0; white-space: nowrap; vertical-align: middle; }
.badge::before { content: ''; display: inline-block; width: 7px; height: 7px; margin-right: 6px; border-radius: 50%; background: currentColor; vertical-align: 1px; }
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); } .plain { color: var(--dim); }
.wait.badge::before { background: none; border: 1.5px solid currentColor; }
.turn { display: flex; gap: 16px; padding: 12px 0; }
.back { color: var(--dim); font-size: 13px; text-decoration: none; display: inline-block; margin-bottom: 8px; }
.facts { margin: 0 0 16px; display: grid; gap: 1px 32px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 310px), 1fr)); }
.facts div { display: flex; gap: 12px; padding: 4px 0; min-width: 0; } .facts dt { flex: 0 0 98px; color: var(--dim); }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.actions, .act { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; } .actions { margin-bottom: 16px; }
button, .button { font: inherit; font-weight: 550; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 5px 12px; cursor: pointer; text-decoration: none; min-height: 32px; }
button:hover, .button:hover { background: var(--hover); } button kbd, .button kbd { margin-left: 8px; border: 0; padding: 0; opacity: 0.75; color: inherit; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); } button.main:hover { filter: brightness(1.08); }
button.danger { color: var(--bad); } button.quiet { border: 0; background: none; color: var(--dim); padding: 2px 8px; min-height: 26px; font-size: 12px; } button.quiet:hover { color: var(--ink); background: var(--hover); }
button[aria-busy] { opacity: 0.6; cursor: progress; }
.field { display: grid; gap: 3px; min-width: 0; } .field span { font-size: 12px; color: var(--dim); } .stack { display: grid; gap: 12px; flex: 1 1 100%; }
input, textarea, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 5px 9px; min-height: 32px; max-width: 100%; width: 100%; }
input[type=checkbox] { width: auto; min-height: 0; margin: 0; } .check { display: flex; gap: 8px; align-items: center; margin: 0 0 16px; }
select { contain: paint; text-overflow: ellipsis; }
textarea { font-family: var(--mono); font-size: 12.5px; resize: vertical; } .act > .field { flex: 0 1 220px; } .act > .field:has(select) { flex-basis: 380px; } .end .act { justify-content: flex-end; } td button { min-height: 24px; padding: 0 9px; } .act > .tall { flex: 1 1 100%; }
.code { margin: 0 0 12px; min-width: 0; border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
.code > p { display: flex; justify-content: space-between; align-items: center; margin: 0; padding: 3px 4px 3px 12px; font-size: 12px; color: var(--dim); border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: 10px 12px; overflow: auto; max-height: 420px; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 0 12px; }
.flash, .problem { max-width: 1080px; margin: 16px auto 0; padding: 8px 12px; border: 1px solid var(--bad); border-radius: 6px; color: var(--bad); background: var(--card); overflow-wrap: anywhere; }
.charge { display: grid; grid-template-columns: auto 1fr; gap: 24px; align-items: start; } .qr { width: 208px; height: 208px; background: #fff; border: 1px solid var(--line); border-radius: 8px; display: block; }
.waterfall { border: 1px solid var(--line); border-radius: 8px; background: var(--card); margin-bottom: 16px; padding: 2px 14px; }
.waterfall details + details, .waterfall .next { border-top: 1px solid var(--line); }
.waterfall summary, .waterfall .next { display: grid; grid-template-columns: 96px minmax(80px, 1.1fr) 104px 64px 2fr; gap: 12px; align-items: center; padding: 9px 0; margin: 0; cursor: pointer; list-style: none; }
.waterfall .next { cursor: default; color: var(--dim); } .waterfall summary::-webkit-details-marker { display: none; }
.waterfall .label::before { content: '\\25b8'; display: inline-block; width: 14px; color: var(--dim); } details[open] > summary .label::before { content: '\\25be'; }
.waterfall .took { font: 12px var(--mono); color: var(--dim); text-align: right; } .reason { color: var(--dim); overflow-wrap: anywhere; }
.bar { width: 100%; height: 12px; display: block; } .bar .rail { fill: var(--line); } .bar .mark { fill: currentColor; }
#compare { margin-bottom: 20px; } .compare { margin-top: 12px; } .compare td { font: 12px var(--mono); white-space: pre-wrap; } .compare th { white-space: normal; overflow-wrap: anywhere; vertical-align: top; width: 150px; } .differs .mark { display: block; color: var(--wait); } .differs td { background: light-dark(#fdf3dc, #332b18); }
.verdict { border: 1px solid var(--line); border-radius: 8px; background: var(--card); padding: 12px 16px; margin-bottom: 16px; } .verdict h2 { margin: 0 0 6px; } .verdict ol { margin: 0; padding: 0; list-style: none; display: grid; gap: 4px; }
.buckets { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 0 0 16px; } .buckets div { border: 1px solid var(--line); border-radius: 8px; background: var(--card); padding: 12px 16px; } .buckets dt { color: var(--dim); font-size: 12px; } .buckets dd { margin: 0; font-size: 22px; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.steps { list-style: none; padding: 0; margin: 0 0 16px; display: flex; flex-wrap: wrap; gap: 6px 20px; color: var(--dim); } .steps [aria-current] { color: var(--ink); font-weight: 600; }
dialog { border: 1px solid var(--line); border-radius: 10px; background: var(--card); color: inherit; padding: 20px; width: min(560px, calc(100vw - 32px)); } dialog::backdrop { background: #0007; } dialog h2 { margin-top: 0; } dialog .facts { grid-template-columns: 1fr 1fr; }
.bank { background: light-dark(#eceff1, #0f1113); } .bank main { max-width: 420px; padding-top: 40px; }
.pay { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 24px; } .pay .amount { font-size: 34px; font-weight: 650; letter-spacing: -0.03em; margin: 4px 0 16px; font-variant-numeric: tabular-nums; }
.pay .facts { grid-template-columns: 1fr; border-top: 1px solid var(--line); padding-top: 8px; } .pay .act, .pay button { width: 100%; } .pay button { min-height: 44px; } .pay .cancel { display: block; text-align: center; margin-top: 14px; color: var(--dim); }
@media (min-width: 761px) { .actions > .act { flex-wrap: nowrap; } .actions > .act > .field { min-width: 180px; } .actions > .act > .field:has(select) { min-width: 380px; } }
@media (max-width: 760px) {
  header { gap: 4px 8px; } .clock span { display: none; }
  header { flex-wrap: wrap; padding: 8px 14px 0; } header nav { order: 3; flex: 1 0 100%; } header nav a { padding: 6px 8px 4px; } .name { flex: 1 1 0; overflow: hidden; text-overflow: ellipsis; } main { padding: 16px 14px 60px; }
  [data-testid=assumptions] code { overflow-wrap: break-word; } [data-testid=assumptions] .badge { display: inline-block; min-width: 96px; white-space: normal; }
  .wide { display: none; } .charge { grid-template-columns: 1fr; } dialog .facts { grid-template-columns: 1fr; }
  .waterfall summary, .waterfall .next { grid-template-columns: 1fr auto auto; } .waterfall .bar, .waterfall .reason { grid-column: 1 / -1; }
  .compare th { width: 84px; } .compare td { font-size: 11px; }
}
@media print { header nav, .actions, .turn, .back, button { display: none; } }
@media (forced-colors: active) { header nav a { border-color: Canvas; } header nav a[aria-current] { border-color: Highlight; } }
@media (scripting: none) { [data-copy], [data-help] { display: none; } }
@media (prefers-reduced-motion: no-preference) { button { transition: background 0.12s; } }
`;
