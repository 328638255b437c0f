import { createHash } from 'node:crypto';

const STYLE = `
:root{color-scheme:light dark;--bg:#f2f3f5;--card:#fff;--ink:#16181d;--soft:#5d6470;--line:#d9dce2;--P1:#c62828;--P2:#1565c0;--P3:#5f6b7a;--good:#1b7f3b;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--bg:#111317;--card:#1c1f26;--ink:#eceef2;--soft:#a0a8b5;--line:#30353f;--P1:#ff7b72;--P2:#79b8ff;--P3:#9aa4b2;--good:#5fd38a;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.4 system-ui,sans-serif}
header{padding:14px 16px;display:flex;gap:12px;align-items:baseline;flex-wrap:wrap}
h1{font-size:18px;margin:0}
header p{margin:0;color:var(--soft)}
main{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,270px),1fr));gap:14px;padding:0 16px 24px;align-items:start}
section{background:var(--card);border:1px solid var(--line);border-radius:22px;padding:14px;min-width:0}
h2{font-size:14px;margin:0 0 8px;color:var(--soft);text-transform:uppercase;letter-spacing:.05em}
ol{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:8px;max-height:70vh;overflow-y:auto}
li{border:1px solid var(--line);border-left:4px solid var(--P3);border-radius:12px;padding:8px 10px}
li.P1{border-left-color:var(--P1)}li.P2{border-left-color:var(--P2)}
.meta,.to{color:var(--soft);font-size:12px;overflow-wrap:anywhere}
.class{font-weight:700}.P1 .class{color:var(--P1)}.P2 .class{color:var(--P2)}
.title{font-weight:600;overflow-wrap:anywhere}
.text{white-space:pre-wrap;overflow-wrap:anywhere;max-height:7em;overflow:hidden}
.accepted{color:var(--good)}.refused,.failed,.hung,.throttled{color:var(--bad)}
.empty{color:var(--soft)}`;

const SCRIPT = `
const channels = ['sms', 'push', 'email', 'messenger'];
const lists = {}, state = document.getElementById('state');
for (const channel of channels) {
  const section = document.createElement('section'), h2 = document.createElement('h2');
  h2.textContent = channel;
  lists[channel] = document.createElement('ol');
  section.append(h2, lists[channel]);
  document.querySelector('main').append(section);
}
const el = (tag, cls, text) => { const e = document.createElement(tag); e.className = cls; e.textContent = text ?? ''; return e; };
const address = (to) => to.phone ?? to.email ?? (to.token ? to.platform + ' ' + to.token : (to.service ?? '') + ' ' + (to.id ?? ''));
function bubble(m) {
  const li = el('li', m.priority);
  const meta = el('div', 'meta');
  meta.append(el('span', 'class', m.priority), ' ' + m.brand + ' · ' + m.account + ' · ', el('span', m.outcome, m.outcome), ' · ' + new Date(m.at).toLocaleTimeString());
  const title = m.content.title ?? m.content.subject;
  li.append(meta, el('div', 'to', address(m.to)));
  if (title) li.append(el('div', 'title', title));
  li.append(el('div', 'text', m.content.text ?? m.content.body));
  return li;
}
let shown = '';
async function poll() {
  try {
    const { messages } = await (await fetch('handset')).json();
    state.textContent = messages.length ? 'live' : 'live, nothing received yet';
    const now = messages.map((m) => m.seq).join();
    if (now !== shown) {
      shown = now;
      for (const channel of channels) {
        const own = messages.filter((m) => m.channel === channel).sort((a, b) => a.priority.localeCompare(b.priority) || b.seq - a.seq);
        lists[channel].replaceChildren(...(own.length ? own.map(bubble) : [el('li', 'empty', 'nothing yet')]));
      }
    }
  } catch { state.textContent = 'the sandbox does not answer'; }
  setTimeout(poll, document.hidden ? 5000 : 1000);
}
poll();`;

/** The handset page: self-contained; every text of a message is set as text, never as markup. */
export const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Provider sandbox</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><header><h1>Provider sandbox</h1><p>What recipients see, the last 20 of each class, codes first. <span id="state" role="status"></span></p></header>
<main></main><script>${SCRIPT}</script></body></html>`;

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but this page's own style, script and polling may run. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    `default-src 'none'; style-src ${sha256(STYLE)}; script-src ${sha256(SCRIPT)}; ` +
    `connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
} as const;
