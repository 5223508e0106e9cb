/** Light or dark like the reader's system; one to three columns by width. */
export const pageStyles = `
:root {
  color-scheme: light dark;
  --ground: #fff; --side: #f6f7f9; --ink: #1b1f24; --soft: #5b6570; --line: #e2e5e9; --link: #0a58c2;
  --panel: #f3f5f8; --mark: #a3460b; --get: #0b6b3a; --post: #7a3e9d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --side: #191d21; --ink: #e4e7ea; --soft: #9aa5b1; --line: #2b3138; --link: #8ab4f8;
    --panel: #1c2126; --mark: #f0a36b; --get: #6fcf97; --post: #cf9cf0;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
a { color: var(--link); text-underline-offset: 0.15em }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px }
code, pre, textarea, .type, .limits, input, select { font-family: ui-monospace, Menlo, Consolas, monospace }
code { font-size: 0.9em; overflow-wrap: anywhere }
p { margin: 0 0 0.75rem; max-width: 42rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.75rem }
h2 { font-size: 1.4rem; margin: 0 0 0.25rem }
h3 { font-size: 1.15rem; margin: 0 0 0.5rem; overflow-wrap: anywhere }
h3 a { color: inherit; text-decoration: none }
h3 a:hover::after { content: ' #'; color: var(--soft) }
h4 { font-size: 0.8rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 0.5rem }
.skip { position: absolute; left: -99rem }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: 0.5rem; z-index: 1 }
nav { background: var(--side); border-bottom: 1px solid var(--line); padding: 1rem; font-size: 0.875rem }
nav strong { display: block; margin: 1rem 0 0.25rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li a { display: block; padding: 0.15rem 0; text-decoration: none; overflow-wrap: anywhere }
nav details { border: 0; margin-top: 1rem } nav summary { font-weight: 700 }
nav li a:hover { text-decoration: underline }
main { padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere }
.area, .operation, .schema { border-top: 1px solid var(--line); padding: 1.75rem 0; scroll-margin-top: 0 }
.area { padding-bottom: 0.5rem; margin-top: 1rem; border-top: 3px solid var(--line) }
.area p { color: var(--soft) }
.address { font-size: 1rem }
.address b { font: 700 0.8rem ui-monospace, Menlo, Consolas, monospace }
b.get { color: var(--get) } b.post { color: var(--post) }
dl { margin: 0 } dl dl { border-left: 2px solid var(--line); padding-left: 0.9rem; margin: 0.25rem 0 0.75rem }
dt { margin-top: 0.5rem; overflow-wrap: anywhere }
dt code { font-weight: 600 }
dd { margin: 0; font-size: 0.925rem }
dd p { margin: 0; color: var(--soft) }
.type, .limits { font-size: 0.8rem; color: var(--soft) }
.limits { overflow-wrap: anywhere }
.limits code { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3em; display: inline-block; margin: 0.1rem 0 }
.required { color: var(--mark); font-size: 0.8rem }
details { border-bottom: 1px solid var(--line); padding: 0.35rem 0 }
summary { cursor: pointer; font-size: 0.9rem }
summary span { color: var(--soft) }
figure { margin: 0 0 1rem }
figcaption { font-size: 0.8rem; color: var(--soft); margin-bottom: 0.25rem }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem; margin: 0.35rem 0;
  font-size: 0.78rem; line-height: 1.5; overflow: auto; max-height: 34rem }
form pre { white-space: pre-wrap; overflow-wrap: anywhere }
label { display: grid; grid-template-columns: 8.5rem 1fr; gap: 0.5rem; align-items: center; font-size: 0.85rem; margin: 0.35rem 0 }
input, select, textarea { width: 100%; min-width: 0; font-size: 0.8rem; padding: 0.35rem 0.5rem; color: inherit;
  background: var(--ground); border: 1px solid var(--line); border-radius: 4px }
button { font: inherit; font-size: 0.9rem; padding: 0.3rem 1.1rem; margin: 0.4rem 0.5rem 0.4rem 0; color: #fff; background: #0a58c2;
  border: 0; border-radius: 4px; cursor: pointer }
output { font-size: 0.85rem; color: var(--soft) }
.key label { grid-template-columns: max-content minmax(0, 26rem) }
.contents { display: none } nav:target .contents { display: block }
.up { position: fixed; right: 0.75rem; bottom: 0.75rem; padding: 0.3rem 0.8rem; font-size: 0.85rem; text-decoration: none;
  background: var(--side); border: 1px solid var(--line); border-radius: 1rem }
@media (min-width: 60rem) {
  .up, .all { display: none }
  .contents { display: block }
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr) }
  nav { position: sticky; top: 0; height: 100vh; overflow: auto; border: 0; border-right: 1px solid var(--line) }
  main { padding: 2.5rem 2.5rem 6rem; max-width: 88rem }
}
@media (min-width: 84rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2.5rem }
  .shown { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto }
}
@media print { nav, form, .up { display: none } }
`
