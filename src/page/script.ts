/**
 * All the script of a page. Everything works without it except the clock and the keys: links are links, and buttons
 * submit forms. It never makes markup from text: what it inserts comes from a page of this server, parsed as a document
 * whose scripts do not run.
 */
export const script = `'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const state = () => document.body.dataset;

  // Updates the page node by node, so that focus, scrolling and opened details stay as they are.
  const keyOf = (node) => (node.nodeType === 1 ? node.dataset.key ?? node.id : '') || '';
  const kept = new Set(['open', 'hidden']);
  const patch = (old, fresh) => {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeType !== 1) return void (old.data = fresh.data);
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !kept.has(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (!kept.has(name)) old.setAttribute(name, value);
    const keyed = new Map(all(':scope > *', old).map((node) => [keyOf(node), node]));
    // Removes what is gone first. Otherwise what stays would be moved and lose the focus, and the next letter typed
    // would act as a shortcut.
    const staying = new Set([...fresh.children].map(keyOf));
    for (const [key, node] of keyed) if (key && !staying.has(key)) node.remove();
    const chosen = old.value;
    let at = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const key = keyOf(child);
      let match = key ? keyed.get(key) : at;
      while (!key && match && (keyOf(match) || match.nodeName !== child.nodeName)) match = match.nextSibling;
      if (match && match.nodeName === child.nodeName) {
        if (match === at) at = at.nextSibling;
        else if (key) old.insertBefore(match, at);
        else while (at !== match.nextSibling) { const gone = at; at = at.nextSibling; if (gone !== match) gone.remove(); }
        patch(match, child);
      } else old.insertBefore(document.importNode(child, true), at);
    }
    while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
    // Keeps what was chosen, although the options have changed.
    if (old.nodeName === 'SELECT' && [...old.options].some(({ value }) => value === chosen)) old.value = chosen;
  };
  const take = (text, parts = '[data-live]') => {
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    const held = document.activeElement;
    for (const part of all(parts)) {
      const other = fresh.querySelector('[data-live="' + part.dataset.live + '"]');
      if (other) patch(part, other);
    }
    // The button that was pressed may be gone; from here, its replacement can be reached with Tab.
    if (held && !held.isConnected) one('#main')?.focus({ preventScroll: true });
    Object.assign(state(), fresh.body.dataset);
    read();
  };

  // The clock that the page shows.
  let began = 0;
  const now = () => Number(state().now) + (state().running === 'yes' ? performance.now() - began : 0);
  const span = (ms) => ms < 60000 ? (ms / 1000).toFixed(1) + ' s' : ms < 3600000 ? Math.round(ms / 60000) + ' min'
    : ms < 172800000 ? Math.round(ms / 3600000) + ' h' : Math.round(ms / 86400000) + ' d';
  const tick = () => {
    for (const time of all('[data-clock]')) time.textContent = new Date(now()).toISOString().slice(0, 19).replace('T', ' ');
    let passed = false;
    for (const time of all('[data-due]')) {
      const left = Number(time.dataset.due) - now();
      if (left <= 0 && time.dataset.past !== 'yes') { time.dataset.past = 'yes'; passed = time.dataset.seen === 'yes'; }
      time.dataset.seen = 'yes';
      time.textContent = left <= 0 ? 'now' : 'in ' + span(left);
    }
    if (passed) refresh();
  };
  const read = () => { began = performance.now(); tick(); };

  // Loads this page again: one request at a time, and at most four a second.
  let asking = false, again = false, gone = false;
  const refresh = async () => {
    if (asking) return void (again = true);
    asking = true;
    try {
      const reply = await window.fetch(location.href, { headers: { accept: 'text/html' } });
      const text = await reply.text();
      // After a form was sent, the page shows what was entered and the result, which a fresh copy does not have.
      if (reply.ok) take(text, state().still === 'yes' ? 'header' : undefined);
      // What the page shows may no longer exist, after a reset: then it must not look as if it did.
      if (!reply.ok || gone) flash(reply.ok ? '' : problemOf(text));
      gone = !reply.ok;
    } catch { /* The event stream reports when the server is back. */ }
    setTimeout(() => { asking = false; if (again) { again = false; refresh(); } }, 250);
  };
  let source = null;
  const watch = () => {
    source?.close();
    source = null;
    if (document.hidden || !state().topics) return;
    const query = new URLSearchParams({ topics: state().topics, since: state().version });
    source = new EventSource(state().base + '/live?' + query);
    source.onmessage = refresh;
    source.onopen = () => { if (gone) refresh(); };
    source.onerror = ({ target }) => {
      if (target.readyState === EventSource.CLOSED) return void refresh();
      gone = true;
      flash('The server does not answer. What is shown may be out of date.');
    };
  };

  // Sends forms without leaving the page.
  const flash = (text) => { const it = one('[data-flash]'); if (it) { it.textContent = text; it.hidden = !text; } };
  const problemOf = (text) =>
    new DOMParser().parseFromString(text, 'text/html').querySelector('[data-testid=problem]')?.textContent ?? text.slice(0, 300);
  const underWay = new WeakSet();
  addEventListener('submit', async (event) => {
    const form = event.target;
    if (form.method !== 'post' || form.dataset.plain) return;
    event.preventDefault();
    if (underWay.has(form)) return;
    underWay.add(form);
    const body = new URLSearchParams(new FormData(form, event.submitter));
    event.submitter?.setAttribute('aria-busy', 'true');
    try {
      const reply = await window.fetch(form.action, { method: 'POST', body });
      const text = await reply.text();
      if (!reply.ok) return flash(problemOf(text));
      flash('');
      if (reply.url !== location.href && reply.redirected) return location.assign(reply.url);
      take(text);
      one('[data-testid=verdict]')?.scrollIntoView({ block: 'nearest' });
    } catch { flash('The server does not answer. Whether it did what was asked is not known.'); }
    finally { underWay.delete(form); event.submitter?.removeAttribute('aria-busy'); }
  });
  // Ignores the second half of a double click if another button has taken the place of the first: Pay, then Refund.
  let pressed = null;
  addEventListener('click', (event) => {
    const button = event.target.closest?.('button, a') ?? null;
    if (event.detail < 2) pressed = button;
    else if (button !== pressed) { event.preventDefault(); event.stopPropagation(); }
  }, true);

  // Keyboard shortcuts.
  const rows = () => all('a.row');
  const move = (by) => {
    const list = rows();
    const at = list.indexOf(document.activeElement);
    list[at < 0 ? 0 : Math.max(0, Math.min(list.length - 1, at + by))]?.focus();
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || one('dialog[open]')) return;
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? '');
    if (event.key === 'Escape') return typing ? event.target.blur() : one('[data-back]')?.click();
    if (typing) return;
    const key = event.key.toLowerCase();
    // A key that is held down acts only once, except for moving from row to row.
    if (event.repeat && key !== 'j' && key !== 'k') {
      if (event.key === 'Enter') event.preventDefault();
      return;
    }
    if (state().keys === 'off') return;
    const act = { j: () => move(1), k: () => move(-1), '?': () => one('[data-shortcuts]')?.showModal() }[key]
      ?? (() => { const it = all('[data-shortcut]').find(({ dataset }) => dataset.shortcut === key); it?.click(); return Boolean(it); });
    if (act() !== false) event.preventDefault();
  });
  addEventListener('change', ({ target }) => {
    const name = target.dataset?.turnsKeys;
    if (!name) return;
    state().keys = target.checked ? 'on' : 'off';
    document.cookie = name + '=' + state().keys + '; path=' + state().base + '; max-age=31536000; SameSite=Strict';
    refresh();
  });
  const labels = new WeakMap();
  addEventListener('click', async ({ target }) => {
    if (target.closest?.('[data-help]')) one('[data-shortcuts]')?.showModal();
    const copy = target.closest?.('[data-copy]');
    if (!copy) return;
    if (!labels.has(copy)) labels.set(copy, copy.textContent);
    try { await navigator.clipboard.writeText(copy.dataset.copy); copy.textContent = 'Copied'; } catch { copy.textContent = 'Not copied'; }
    setTimeout(() => { copy.textContent = labels.get(copy); }, 1200);
  });

  document.addEventListener('visibilitychange', () => { watch(); if (source) refresh(); });
  read();
  setInterval(tick, 200);
  watch();
})();
`;
